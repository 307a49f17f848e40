/**
 * Fuzz test: thousands of hostile requests to every operation, generated from its schemas. None causes a failure or is
 * echoed, and a refused request writes nothing (docs/specification/conventions.md#formats).
 *
 * HOSTILE_SEED and HOSTILE_ROUNDS extend the test; a failure prints its seed, its path and the smallest failing
 * request.
 */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { operations } from "../../src/contract/operations.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json, Reply } from "../support/api.ts";
import { howMany, reportCounts } from "../support/reliability.ts";
import { type Fixture, openFixture, together } from "./fixture.ts";
import { inOrder, requestsTo } from "./fuzz-requests.ts";

const seed = Number(process.env.HOSTILE_SEED ?? 4711);
/** For each operation, each of `together` requests sent at once. */
const rounds = Number(process.env.HOSTILE_ROUNDS ?? howMany(4, 60));

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture?.close());

test(
  "every operation answers fuzzed requests within the contract",
  async () => {
    const faults: string[] = [];
    for (const operation of inOrder) {
      const requests = fc.array(requestsTo(operation, fixture.ids), { minLength: together, maxLength: together });
      const property = fc.asyncProperty(requests, async (hostile) => {
        const judged = await fixture.sendAll(operation, hostile);
        if (judged.faults.length > 0) throw new Error(judged.faults.join("\n"));
      });
      await fc.assert(property, { seed, numRuns: rounds }).catch((error: Error) => faults.push(error.message));
    }
    const { sent, refused, accepted } = fixture.count;
    const note = `${sent} requests, ${refused} refused`;
    reportCounts("fuzzed requests to every operation", {
      acknowledged: accepted,
      lost: 0,
      doubled: 0,
      unexpected: faults.length,
      note,
    });
    expect(faults).toEqual([]);
    expect(sent).toBeGreaterThanOrEqual(inOrder.length * rounds * together);
    expect(refused).toBeGreaterThan(sent / 2);
    expect(accepted).toBeGreaterThan(0);
    expect(Object.keys(Object.prototype)).toEqual([]);
  },
  60_000 + inOrder.length * rounds * 300,
);

test("the fixture detects writes, and refused requests write nothing", async () => {
  await fixture.written();
  expectAnswer("create_bot", (await fixture.organisation.as("POST", "/bots", { name: "Ada" })) as Reply<Json>);
  const one = await fixture.written();
  expectRefusal(await fixture.organisation.as("POST", "/bots", { name: "" }), "invalid_request");
  expectRefusal(
    await fixture.organisation.as("POST", "/runs", { botId: fixture.ids.foreign, message: "Hi" }),
    "not_found",
  );
  const none = await fixture.written();
  reportCounts("detection of writes", {
    acknowledged: 1,
    lost: 1 - one.transactions,
    doubled: 0,
    unexpected: 0,
  });
  expect(one).toMatchObject({
    transactions: 1,
    tables: ["audit_chain_heads", expect.stringMatching(/^audit_log_\d+$/), "bots"],
  });
  expect(none).toMatchObject({ transactions: 0, tables: null });
});

test("the fixture detects a write by a refused call, even next to a successful call without a write", async () => {
  const create = operations.find(({ name }) => name === "create_bot") as (typeof operations)[number];
  const post = (name: string) => ({
    method: "POST",
    path: "/bots",
    headers: { "idempotency-key": randomUUID() },
    body: JSON.stringify({ name }),
  });
  const made = post("Ada");
  const well = await fixture.sendAll(create, [made]);
  // A stored refusal writes a row of the organisation.
  await fixture.db.sql(`
    create function watch.fault() returns trigger language plpgsql security definer set search_path = '' as $$
    begin
      update app.members_seen set seen = now();
      return null;
    end
    $$;
    create table app.members_seen (seen timestamptz);
    insert into app.members_seen values (now());
    create trigger watched after update on app.members_seen for each row execute function watch.note();
    create trigger fault after insert on app.idempotency_records
      for each row when (new.refusal is not null) execute function watch.fault()`);
  const { faults } = await fixture.sendAll(create, [made, post("")]); // replays the first response
  reportCounts("detection of a write by a refused call", {
    acknowledged: 1,
    lost: 1 - faults.length,
    doubled: 0,
    unexpected: well.faults.length,
  });
  expect(well.faults).toEqual([]);
  expect(faults).toEqual([expect.stringMatching(/"name\\":\\"\\".* was to write nothing, and wrote to members_seen/)]);
});
