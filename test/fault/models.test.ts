/**
 * State machines against the product: random sequences of actions on each model of test/models and on the real functions, with the
 * same answers and states. Planted faults are found, and their sequences shrunk.
 *
 * MODEL_SEED and MODEL_SEQUENCES extend the test. A failure prints its seed and the smallest failing sequence.
 */
import { Client, type Pool } from "pg";
import { urlAs } from "../../src/database/urls.ts";
import { attemptsOfRound, endpointsModel } from "../models/endpoints.ts";
import { invitationsModel } from "../models/invitations.ts";
import { keysModel } from "../models/keys.ts";
import { membersModel } from "../models/members.ts";
import { type Checked, check } from "../models/model.ts";
import { plants } from "../models/plants.ts";
import { openEndpoints } from "../models/products/endpoints.ts";
import { openInvitations } from "../models/products/invitations.ts";
import { openKeys } from "../models/products/keys.ts";
import { openMembers } from "../models/products/members.ts";
import type { Place } from "../models/products/place.ts";
import { openRuns } from "../models/products/runs.ts";
import { runsModel } from "../models/runs.ts";
import { testApi, unlimitedBuckets } from "../support/api.ts";
import { testDatabase } from "../support/database.ts";
import { howMany, reportCounts } from "../support/reliability.ts";

const seed = Number(process.env.MODEL_SEED ?? 4711);
const sequences = Number(process.env.MODEL_SEQUENCES ?? howMany(15, 2_000));

let place: Place & { runner: Pool };
beforeAll(async () => {
  const db = await testDatabase();
  const server = new Client({ connectionString: urlAs("server", db.adminUrl, db.key) });
  await server.connect();
  const api = await testApi(db, {}, unlimitedBuckets());
  await db.sql("update app.service_settings set delivery_max_attempts = $1", [attemptsOfRound]);
  place = { db, server, api, opened: 0, runner: db.poolAs("runner", 1) };
});
afterAll(async () => {
  await place.server.end();
  await place.api.stop();
  await place.db.drop();
});

/** The longest of the smallest sequences: three leases of a run are lost. */
const shrunkTo = 9;

type Options = Parameters<typeof check>[2];
const machines: Record<string, (options: Options) => Promise<Checked>> = {
  keys: (options) => check(keysModel, () => openKeys(place), options),
  members: (options) => check(membersModel, () => openMembers(place), options),
  invitations: (options) => check(invitationsModel, () => openInvitations(place), options),
  endpoints: (options) => check(endpointsModel, () => openEndpoints(place), options),
  runs: (options) => check(runsModel, () => openRuns(place), options),
};

test.each(Object.keys(machines))(
  "the product does what the model of %s says",
  async (name) => {
    const checked = await machines[name]?.({ seed, sequences });
    reportCounts(`sequences of the model of ${name}`, {
      ...{ acknowledged: checked?.sequences ?? 0, lost: 0, doubled: 0, unexpected: checked?.failure ? 1 : 0 },
      note: `${checked?.actions} actions, seed ${seed}`,
    });
    expect(checked?.failure).toBeUndefined();
  },
  howMany(600_000, 2 * 3_600_000),
);

test.each(Object.keys(plants))("each fault planted in the rules of %s is found and shrunk", async (name) => {
  const missed: string[] = [];
  const lengths: number[] = [];
  for (const [what, { function: of, sql }] of Object.entries(plants[name] ?? {})) {
    const [{ definition = "" } = {}] = await place.db.sql<{ definition: string }>(
      "select pg_get_functiondef($1::regproc) as definition",
      [of],
    );
    await place.db.sql(sql);
    const checked = await machines[name]?.({ seed, sequences: 300 });
    await place.db.sql(definition);
    if (checked?.failure && checked.failure.length <= shrunkTo) lengths.push(checked.failure.length);
    else missed.push(`${what}: ${checked?.failure?.shown}`);
  }
  reportCounts(`faults planted in the rules of ${name}`, {
    ...{ acknowledged: lengths.length, lost: missed.length, doubled: 0, unexpected: 0 },
    note: `found, with sequences of ${lengths.join(", ")} actions`,
  });
  expect(missed).toEqual([]);
});
