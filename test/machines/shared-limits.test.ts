/**
 * Shared rate limits (RATE_LIMITS=shared) with two processes behind HAProxy and PgBouncer are as exact as without them
 * (test/http/shared-limits.test.ts).
 */
import { callerOf, type Reply, serveBy, testApi } from "../support/api.ts";
import { makeKey, makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { testWith } from "../support/machine.ts";
import { type Many, serveByMany } from "./many.ts";

let db: TestDatabase;
let many: Many;
serveBy(serveByMany(undefined, (opened) => (many = opened)));
afterAll(() => db?.drop());

testWith("pgbouncer", "haproxy")(
  "a key has 300 requests a minute over two processes behind PgBouncer, each counted once",
  async () => {
    db = await testDatabase();
    const api = await testApi(db, { RATE_LIMITS: "shared" });
    const organisation = await makeOrganisation(db);
    const { text: key } = await makeKey(db, organisation.id, organisation.ownerId);
    await db.sql(
      "create or replace function limits.clock() returns timestamptz language sql as $$ select timestamptz '2026-11-20' $$",
    );
    const call = callerOf(api.url); // does not retry: the limit counts each retry as a request
    const caller = async () => {
      const answers: Reply[] = [];
      for (let number = 0; number < 30; number += 1) {
        const [method, path, body] = number % 3 ? ["GET", "/me"] : ["POST", "/bots", { name: "Ada" }];
        answers.push(await call(method, path, { key, body }));
      }
      return answers;
    };
    const answers = (await Promise.all(Array.from({ length: 12 }, caller))).flat();

    const admitted = answers.filter(({ status }) => status < 300);
    const left = admitted.map(({ headers }) => Number(headers.get("ratelimit")?.match(/"key";r=(\d+)/)?.[1]));
    expect(left.toSorted((one, other) => other - one)).toEqual(Array.from({ length: 300 }, (_, used) => 299 - used));
    const refused = answers.filter(({ status }) => status >= 300);
    expect([...new Set(refused.map(({ status }) => status))]).toEqual([429]);
    expect(refused).toHaveLength(60);
    const [made] = await db.sql<{ bots: number }>("select count(*)::integer as bots from app.bots");
    expect(made?.bots).toBe(admitted.filter(({ status }) => status === 201).length);
    for (const { value } of await many.metrics()) {
      expect(value("botstead_http_requests_total", { method: "POST" })).toBeGreaterThan(0);
    }
    await api.stop();
  },
);
