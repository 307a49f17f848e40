/**
 * PgBouncer lends a session to one caller after another. If a connection is cut, each answer still reaches only the
 * caller of its request.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type ApiPools, openApiPools } from "../../src/database/connections/api-pools.ts";
import { isOutage } from "../../src/database/outage.ts";
import { urlAs } from "../../src/database/urls.ts";
import { startPooler } from "../machines/pooler.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { testWith } from "../support/machine.ts";
import { howMany, reportCounts } from "../support/reliability.ts";
import { slowNetworkTo } from "../support/slow-network.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db?.drop());

/** Returns its input after a delay, so that a caller detects the response of another request. */
// Statements of different lengths, so that cuts hit some of them.
const echo = { name: "echo", text: "select $1::text || coalesce(pg_sleep($2::float8)::text, '')" };

const leastAnswers = 500;

const testPooler = testWith("pgbouncer");

testPooler(
  "PgBouncer under load returns each answer to the caller of its request, even when connections are cut",
  async () => {
    const pooler = await startPooler(db);
    const url = urlAs("server", pooler.urlOf(db.adminUrl), db.key);
    const network = await slowNetworkTo(Number(new URL(url).port));
    const cuttable = new URL(url);
    cuttable.port = String(network.port);
    const [steady, unlucky] = [openApiPools(url, { pooled: true }), openApiPools(cuttable.href, { pooled: true })];

    const counts = { acknowledged: 0, lost: 0, doubled: 0, unexpected: 0 };
    const failures: unknown[] = [];
    let count = 0;
    const ask = async (pools: ApiPools, pool: "point" | "pooled") => {
      count += 1;
      const question = `question ${count}`;
      try {
        const answer = await pools[pool].query(echo, [question, "0.004"]);
        counts.acknowledged += 1;
        if (answer !== question) counts.unexpected += 1;
      } catch (error) {
        if (pools === steady) counts.lost += 1;
        failures.push(error);
      }
    };
    let over = false;
    const callers = [steady, unlucky].flatMap((pools) =>
      (["point", "pooled"] as const).flatMap((pool) =>
        Array.from({ length: 12 }, async () => {
          while (!over) await ask(pools, pool);
        }),
      ),
    );
    let cuts = 0;
    for (const leastCuts = howMany(40, 1_000); cuts < leastCuts || counts.acknowledged <= leastAnswers; cuts += 1) {
      await sleep(10 + (cuts % 30)); // cuts hit different moments
      network.cut();
    }
    over = true;
    await Promise.all(callers);
    await Promise.all([steady.close(), unlucky.close(), network.close()]);

    reportCounts(`PgBouncer: connections cut ${cuts} times, each response compared with its request`, counts);
    expect(counts).toEqual({ acknowledged: expect.any(Number), lost: 0, doubled: 0, unexpected: 0 });
    expect(failures.length).toBeGreaterThan(cuts); // the cuts interrupted responses
    expect(failures.filter((error) => !isOutage(error))).toEqual([]);
  },
);
