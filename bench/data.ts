/**
 * The data: one embedded cluster, migrated as for use, filled by its administrator in bulk. What is measured reads and
 * writes these same tables, with walls and without.
 */
import { Client } from "pg";
import { openDatabase } from "../src/database/access.ts";
import { migrate } from "../src/database/migrate.ts";
import { makeCredential } from "../src/secrets/credentials.ts";
import { loadMasterKey, type MasterKey } from "../src/secrets/master-key.ts";
import { fill } from "./fill.ts";
import type { Options } from "./options.ts";

/** Whose keys are used, and how many keys each has: no lock and no page is everybody's. */
const callers = 20;
const keysEach = 2;
/** As many scripts' worth of rows as one statement of pgbench can name without its length being what is measured. */
const targetsEach = 3;

export type Target = {
  organisationId: string;
  personId: string;
  bearer: string;
  digest: Buffer;
  /** Of a claim that the key's person may read. */
  memoryId: string;
  /** Whom the key's person talks to. */
  botId: string;
};

export type Data = {
  adminUrl: string;
  key: MasterKey;
  version: string;
  memories: number;
  /** Spread over keys and organisations. */
  targets: Target[];
  close(): Promise<void>;
};

export async function makeData(options: Options, folder: string, say: (what: string) => void): Promise<Data> {
  const key = loadMasterKey({ dataDir: folder, masterKey: undefined });
  const database = await openDatabase({ dataDir: folder, databaseUrl: undefined }, key, say);
  try {
    await migrate({ adminUrl: database.adminUrl, key, rebuild: false, progress: say });
    const admin = new Client({ connectionString: database.adminUrl });
    await admin.connect();
    try {
      const held = await count(admin);
      if (held < options.memories) {
        if (held > 0) throw new Error(`${folder} holds ${held} memories already: give another folder, or that number.`);
        await fill(admin, database.adminUrl, options, say);
      }
      const targets = await mintKeys(admin);
      // Nothing of the filling is left to be done while something is measured.
      await admin.query("checkpoint");
      const { rows } = await admin.query<{ version: string }>("select current_setting('server_version') as version");
      const memories = await count(admin);
      const { adminUrl, stop: close } = database;
      return { adminUrl, key, version: rows[0]?.version ?? "", memories, targets, close };
    } finally {
      await admin.end();
    }
  } catch (error) {
    await database.stop();
    throw error;
  }
}

async function count(admin: Client): Promise<number> {
  const { rows } = await admin.query<{ n: string }>("select count(*) as n from app.memories");
  return Number(rows[0]?.n);
}

async function mintKeys(admin: Client): Promise<Target[]> {
  await admin.query("delete from app.api_key_uses");
  await admin.query("delete from app.api_keys");
  // Runs are started without end, and whoever would carry them out is only said to live: by a model that no worker
  // serves, or the one that delivers would be at work on them while the figures after are taken.
  await admin.query("update app.organisations set hourly_run_ceiling = 1000000000");
  await admin.query("update app.bots set model = 'bench'");
  await admin.query(`insert into app.executors (id, name, models, last_seen_at)
    values ('01890000-0000-7000-8000-0000000000ec', 'bench', '{bench}', now() + interval '1 day')
    on conflict (id) do update set models = excluded.models, last_seen_at = excluded.last_seen_at`);
  const { rows: owners } = await admin.query<{ organisation: string; person: string; claims: string[]; bot: string }>(
    `select member.organisation_id as organisation, member.person_id as person,
       (
         select bot.id from app.bots bot
         where bot.organisation_id = member.organisation_id and bot.visibility = 'team' order by bot.id limit 1
       ) as bot,
       array(
         select memory.id from app.memories memory
         where memory.organisation_id = member.organisation_id and memory.scope = 'organisation'
         order by sha256(uuid_send(memory.id)) limit $2
       ) as claims
     from app.memberships member
     where member.role = 'owner' order by member.organisation_id limit $1`,
    [callers, keysEach * targetsEach],
  );
  const targets: Target[] = [];
  for (const { organisation, person, claims, bot } of owners) {
    for (let number = 0; number < keysEach; number += 1) {
      const { text, prefix, digest } = makeCredential("bsk");
      await admin.query("select operator.insert_key($1, $2, 'bench', 'write', 90, $3, $4)", [
        organisation,
        person,
        prefix,
        digest,
      ]);
      for (const memoryId of claims.slice(number * targetsEach, (number + 1) * targetsEach)) {
        targets.push({ organisationId: organisation, personId: person, bearer: text, digest, memoryId, botId: bot });
      }
    }
  }
  // Neighbours in the list are strangers to each other.
  return targets.toSorted((a, b) => (a.memoryId.slice(-6) < b.memoryId.slice(-6) ? -1 : 1));
}
