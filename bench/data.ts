/**
 * The data: one embedded cluster with the usual migrations, filled in bulk by its administrator. All systems read and write
 * these tables, with or without row-level security.
 */
import { Client } from "pg";
import { openDatabase } from "../src/database/access.ts";
import { migrate } from "../src/database/migrate.ts";
import { makeCredential } from "../src/secrets/credentials.ts";
import { loadMasterKey, type MasterKey } from "../src/secrets/master-key.ts";
import { fill } from "./fill.ts";
import { raiseLimit } from "./limits.ts";
import type { Options } from "./options.ts";

/** Organisations with keys, and keys of each: enough that the load does not meet on one lock or one page. */
const callers = 20;
const keysEach = 2;
/** Memories of each key. More would make pgbench's statement so long that its length affects the result. */
const targetsEach = 3;

export type Target = {
  organisationId: string;
  personId: string;
  bearer: string;
  digest: Buffer;
  /** A memory that the person of the key may read. */
  memoryId: string;
  /** A bot that the person of the key may use. */
  botId: string;
};

export type Data = {
  adminUrl: string;
  key: MasterKey;
  version: string;
  memories: number;
  /** Distributed over keys and organisations. */
  targets: Target[];
  close(): Promise<void>;
};

export async function makeData(options: Options, folder: string, log: (message: string) => void): Promise<Data> {
  const key = loadMasterKey({ dataDir: folder, masterKey: undefined });
  const database = await openDatabase({ dataDir: folder, databaseUrl: undefined }, key, log);
  try {
    await migrate({ adminUrl: database.adminUrl, key, progress: log });
    const admin = new Client({ connectionString: database.adminUrl });
    await admin.connect();
    try {
      const existing = await count(admin);
      if (existing < options.memories) {
        if (existing > 0) {
          throw new Error(
            `${folder} already holds ${existing} memories: pass another --folder, or --memories ${existing}.`,
          );
        }
        await fill(admin, database.adminUrl, options, log);
      }
      const targets = await createKeys(admin);
      // No write of the filling is left for the time of the measurements.
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

/** The keys that the load uses. */
export async function createKeys(admin: Client): Promise<Target[]> {
  for (const table of ["api_key_uses", "api_key_days", "api_keys"]) await admin.query(`delete from app.${table}`);
  // The executor is only a row, for a model that no worker serves. Otherwise the worker of the deliveries would execute the
  // started runs during later measurements.
  await raiseLimit(admin, "runStartsPerHour");
  await admin.query("update app.bots set model = 'bench'");
  await admin.query(`insert into app.executors (id, name, models, last_seen_at)
    values ('01890000-0000-7000-8000-0000000000ec', 'bench', '{bench}', now() + interval '1 day')
    on conflict (id) do update set models = excluded.models, last_seen_at = excluded.last_seen_at`);
  const { rows: owners } = await admin.query<{ organisation: string; person: string; memories: string[]; bot: string }>(
    `select member.organisation_id as organisation, member.person_id as person,
       (
         select bot.id from app.bots bot
         where bot.organisation_id = member.organisation_id and bot.visibility = 'team' order by bot.id limit 1
       ) as bot,
       array(
         select memory.id from app.memories memory
         where memory.organisation_id = member.organisation_id and memory.scope = 'organisation'
         order by sha256(uuid_send(memory.id)) limit $2
       ) as memories
     from app.memberships member
     where member.role = 'owner' order by member.organisation_id limit $1`,
    [callers, keysEach * targetsEach],
  );
  const targets: Target[] = [];
  for (const { organisation, person, memories, bot } of owners) {
    for (let number = 0; number < keysEach; number += 1) {
      const { text, prefix, digest } = makeCredential("bsk");
      await admin.query("select operator.insert_key($1, $2, 'bench', 'write', 90, $3, $4)", [
        organisation,
        person,
        prefix,
        digest,
      ]);
      for (const memoryId of memories.slice(number * targetsEach, (number + 1) * targetsEach)) {
        targets.push({ organisationId: organisation, personId: person, bearer: text, digest, memoryId, botId: bot });
      }
    }
  }
  // Adjacent targets belong to different organisations.
  return targets.toSorted((a, b) => (a.memoryId.slice(-6) < b.memoryId.slice(-6) ? -1 : 1));
}
