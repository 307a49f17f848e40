/**
 * PgBouncer's sessions are lent to one caller after the other. Whatever becomes of a connection, an answer goes to whoever
 * asked for it and to nobody else.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Lanes, openLanes } from "../../src/database/lanes.ts";
import { isOutage } from "../../src/database/outage.ts";
import { urlAs } from "../../src/database/urls.ts";
import { startPooler } from "../machines/pooler.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { lineTo } from "../support/line.ts";
import { testWith } from "../support/machine.ts";
import { howMany, tell } from "../support/reliability.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db?.drop());

/** Answers what it was asked, after a while: who is given another's answer sees it. */
const echo = { name: "echo", text: "select $1::text || coalesce(pg_sleep($2::float8)::text, '')" };

const testPooler = testWith("pgbouncer");

testPooler(
  "connections are cut under load, and every answer is that to its question",
  async () => {
    const pooler = await startPooler(db);
    const url = urlAs("server", pooler.urlOf(db.adminUrl), db.key);
    const line = await lineTo(Number(new URL(url).port));
    const cuttable = new URL(url);
    cuttable.port = String(line.port);
    const [steady, unlucky] = [openLanes(url, { pooled: true }), openLanes(cuttable.href, { pooled: true })];

    const counts = { acknowledged: 0, lost: 0, doubled: 0, unexpected: 0 };
    const failures: unknown[] = [];
    let asked = 0;
    const ask = async (lanes: Lanes, lane: "point" | "pooled") => {
      asked += 1;
      const question = `question ${asked}`;
      try {
        const answer = await lanes.ask(lane, echo, [question, "0.004"]);
        counts.acknowledged += 1;
        if (answer !== question) counts.unexpected += 1;
      } catch (error) {
        if (lanes === steady) counts.lost += 1;
        failures.push(error);
      }
    };
    let over = false;
    const callers = [steady, unlucky].flatMap((lanes) =>
      (["point", "pooled"] as const).flatMap((lane) =>
        Array.from({ length: 12 }, async () => {
          while (!over) await ask(lanes, lane);
        }),
      ),
    );
    const cuts = howMany(40, 1_000);
    for (let each = 0; each < cuts; each += 1) {
      await sleep(10 + (each % 30));
      line.cut();
    }
    over = true;
    await Promise.all(callers);
    await Promise.all([steady.close(), unlucky.close(), line.close()]);

    tell(`PgBouncer: connections cut ${cuts} times, each answer compared with its question`, counts);
    expect(counts).toEqual({ acknowledged: expect.any(Number), lost: 0, doubled: 0, unexpected: 0 });
    expect(counts.acknowledged).toBeGreaterThan(500);
    expect(failures.length).toBeGreaterThan(cuts); // it was amid answers that they were cut
    expect(failures.filter((error) => !isOutage(error))).toEqual([]);
  },
  300_000,
);
