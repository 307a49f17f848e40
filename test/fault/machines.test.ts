/**
 * A redundant installation under load. One process of each kind is killed, a rolling upgrade with a migration takes
 * place, and the primary fails permanently. Callers that retry under the same Idempotency-Key get no refusal and find
 * what they wrote. No effect happens twice.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type Fleet, openFleet } from "../machines/fleet.ts";
import { type RetryingClients, startRetryingClients } from "../machines/retrying-client.ts";
import { looksAt } from "../machines/standby.ts";
import { makeKey } from "../support/database.ts";
import { testWith } from "../support/machine.ts";
import { makeNextVersion, type Version } from "../support/next-version.ts";
import { command } from "../support/program.ts";
import { howMany, reportCounts } from "../support/reliability.ts";
import { eventually } from "../support/worker.ts";
import { refusalIn } from "./calls.ts";
import { seconds } from "./fixture.ts";
import type { Load } from "./load.ts";

let fleet: Fleet;
let next: Version | undefined;
let load: Load;
let clients: RetryingClients;

const testMany = testWith("pgbouncer", "haproxy");

async function underLoad(fault: string, happen: () => Promise<void>): Promise<void> {
  fleet ??= await openFleet();
  const tenant = await fleet.tenant();
  const { organisation } = tenant.who;
  const keys = [1, 2, 3].map(() => makeKey(fleet, organisation.id, organisation.ownerId, "write"));
  load = tenant.load();
  clients = startRetryingClients(
    fleet.url,
    (await Promise.all(keys)).map(({ text }) => text),
  );
  await goesOn();
  const replica = fleet.standby.urlOf(fleet.env.DATABASE_DIRECT_URL ?? "");
  await eventually(async () => (await looksAt(replica)) > 0); // it gets reads and answers them
  await happen();
  await goesOn();
  const since = performance.now();
  await Promise.all([load.stop(), clients.stop()]);
  await expectNothingWrong(fault);
  await tenant.expectNothingLost(`${fault}: runs`, since);
}

/** Waits until both kinds of callers make progress. */
async function goesOn(): Promise<void> {
  await Promise.all([load.untilMore(3), clients.untilMore(3)]);
}

/** Without an API process, HAProxy itself returns the error envelope. */
async function expectRefusedByHaproxy(): Promise<void> {
  // HAProxy closes a kept connection without a response if its request was already on the way to the last process.
  const ask = () => fetch(`${fleet.url}/api/v1/me`);
  const answer = await ask().catch(ask);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([503, "application/json"]);
  expect(refusalIn(answer.status, await answer.text())).toEqual({
    code: "unavailable",
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
}

async function expectNothingWrong(fault: string): Promise<void> {
  const counts = await clients.count(fleet.sql);
  reportCounts(`${fault}: memories`, counts);
  expect(counts).toEqual({ acknowledged: expect.any(Number), lost: 0, doubled: 0, unexpected: 0 });
  expect(counts.acknowledged).toBeGreaterThan(0);
}

afterAll(() => next?.remove());

testMany(
  "the installation loses nothing when one process of each kind is killed",
  () =>
    underLoad("Redundant installation, one process of each kind killed", async () => {
      const { apis, workers, poolers, standby, balancer, primary } = fleet;
      for (let round = 0; round < howMany(1, 20); round += 1) {
        const which = round % 2;
        // These are redundant or optional: service continues before a supervisor restarts them.
        for (const part of [apis[which], workers[which], poolers[which], standby]) {
          await part?.kill();
          await goesOn();
          if (part === workers[which]) await fleet.untilWorkIsDone();
          await part?.start();
        }
        await Promise.all(apis.map((part) => part.kill()));
        await expectRefusedByHaproxy();
        await Promise.all(apis.map((part) => part.start()));
        // There is one of each, and its supervisor restarts it.
        for (const part of [balancer, primary]) {
          await part.kill();
          await sleep(1_000); // the time until a supervisor restarts it
          await part.start();
          await goesOn();
        }
      }
    }),
  howMany(600_000, 1_800_000),
);

testMany(
  "a rolling upgrade with a migration loses nothing: one process is replaced at a time",
  () =>
    underLoad("Redundant installation, rolling upgrade with a migration", async () => {
      next = makeNextVersion("alter table app.bots add column motto text;");
      const { script } = next;
      const began = performance.now();
      const migrated = await command(["migrate"], { env: fleet.env, script });
      expect([migrated.code, migrated.stderr]).toEqual([0, expect.stringContaining("Migrations applied.")]);
      const took = performance.now() - began;
      expect(await fleet.sql("select api.next_version() as version")).toEqual([{ version: "next" }]);
      await goesOn(); // old processes work with the new database definitions
      const refused = load.answers.filter(({ status }) => status === 503).length;
      console.info(`migrated under load within ${seconds(took)}; ${refused} answers 503, each repeated`);
      for (let round = 0; round < howMany(1, 10); round += 1) {
        for (const part of [...fleet.apis, ...fleet.workers]) {
          await part.kill("SIGTERM");
          await goesOn();
          if (fleet.workers.includes(part)) await fleet.untilWorkIsDone();
          await part.start(script);
        }
      }
      await eventually(async () => (await fetch(`${fleet.url}/readyz`)).ok);
      expect(load.answers.filter(({ status }) => status === 0)).toEqual([]); // no connection was cut
    }),
  howMany(600_000, 900_000),
);

testMany("the installation loses nothing when the primary is lost and its replica is promoted", () =>
  underLoad("Redundant installation, replica promoted", async () => {
    // From here on, acknowledged data is on both disks.
    await fleet.sql("alter system set synchronous_standby_names = '*'");
    await fleet.sql("select pg_reload_conf()");
    await eventually(async () => {
      const [replica] = await fleet.sql<{ state: string }>("select sync_state as state from pg_stat_replication");
      return replica?.state === "sync";
    });
    await goesOn();
    await fleet.primary.kill();
    await fleet.standby.sql("select pg_promote()");
    fleet.moveToStandby();
  }),
);
