/**
 * Twins: two databases that differ only in the secrets of others. Twin A is a clone of the fixture. Twin B has other words in
 * each secret text, other digests, another secret channel, and other texts and more rows in the other organisation. A pair of
 * clones is made for each sequence of calls, so that a failing sequence can be shrunk.
 */
import { Client, type Notification } from "pg";
import { makeExecutorLogin } from "../../../src/database/executor-logins.ts";
import { urlOfDatabase } from "../../../src/database/urls.ts";
import { testApi, unlimitedBuckets } from "../../support/api.ts";
import { createDatabase, type TestDatabase, testDatabase } from "../../support/database.ts";
import { dropDatabase, sharedServer } from "../../support/migrated.ts";
import { capturedModel, type Facts, makeFacts, secretWords } from "./fixture.ts";

export type Twin = {
  name: "A" | "B";
  url: string;
  /** As administrator. */
  sql(text: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
  /** The session of the captured executor. */
  session: Client;
  notices: string[];
  notifications: Notification[];
  close(): Promise<void>;
};

export type Twins = {
  /** The database of the fixture, closed. */
  db: TestDatabase;
  facts: Facts;
  /** Ids of the fixture, which both twins have. */
  known: Set<string>;
  /** @param plant is done in both twins, as administrator. */
  open(plant?: string): Promise<{ a: Twin; b: Twin }>;
  /** Twin A without any call. */
  untouched(plant?: string): Promise<Twin>;
  close(): Promise<void>;
};

/** The id of the captured executor's heartbeat. */
export const executorId = "11111111-1111-4111-8111-111111111111";

export async function openTwins(): Promise<Twins> {
  const server = sharedServer();
  const db = await testDatabase();
  const api = await testApi(db, {}, unlimitedBuckets());
  const facts = await makeFacts(db, api);
  const admin = await connect(db.adminUrl);
  const { role, password } = await makeExecutorLogin(admin, "captured", 1, async () => {});
  await admin.end();
  await api.stop();
  await db.close();
  const sources: Record<"A" | "B", string> = {
    A: nameOf(db.adminUrl),
    B: await makeTwinB(server.url, db.adminUrl, facts),
  };
  const known = new Set((await dump(db.adminUrl)).match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g));
  let made = 0;

  async function twin(name: "A" | "B", plant: string | undefined): Promise<Twin> {
    made += 1;
    const database = `captured_${process.pid}_${made}`;
    await createDatabase(server.url, database, sources[name]);
    const url = urlOfDatabase(database, db.adminUrl);
    const own = await connect(url);
    try {
      await own.query(`grant connect on database ${database} to ${role}`);
      if (plant) await own.query(plant);
    } catch (error) {
      await own.end();
      await dropDatabase(server, url);
      throw error;
    }
    const session = await connect(Object.assign(new URL(url), { username: role, password }).href);
    const opened: Twin = {
      name,
      url,
      sql: async (text, values) => (await own.query(text, values)).rows,
      session,
      notices: [],
      notifications: [],
      async close() {
        await Promise.all([own.end(), session.end()]);
        await dropDatabase(server, url);
      },
    };
    session.on("notice", ({ message }) => opened.notices.push(message ?? ""));
    session.on("notification", (notification) => opened.notifications.push(notification));
    await session.query("listen botstead_runs; listen botstead_run_events");
    await session.query("select runner.heartbeat($1, 'captured', $2)", [executorId, [capturedModel]]);
    return opened;
  }

  return {
    db,
    facts,
    known,
    async open(plant) {
      const [a, b] = await Promise.all([twin("A", plant), twin("B", plant)]);
      return { a, b };
    },
    untouched: (plant) => twin("A", plant),
    async close() {
      await dropDatabase(server, urlOfDatabase(sources.B, db.adminUrl));
      await db.drop();
    },
  };
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** Clones the fixture and replaces the secrets. Triggers and references are off: no row changes its state or its id. */
async function makeTwinB(server: string, from: string, { other }: Facts): Promise<string> {
  const name = `${nameOf(from)}_b`;
  await createDatabase(server, name, nameOf(from));
  const admin = await connect(urlOfDatabase(name, from));
  await admin.query("set session_replication_role = replica");
  await admin.query("update app.service_settings set run_events_secret = gen_random_uuid()");
  for (const { table, column, type, tenant } of await textColumns(admin)) {
    const replaced = Object.entries(secretWords).reduce(
      (text, [a, b]) => `replace(${text}, '${a}', '${b}')`,
      `${column}::text`,
    );
    const words = Object.keys(secretWords).join("|");
    const changes = [
      type === "bytea"
        ? `update ${table} set ${column} = sha256(${column}) where octet_length(${column}) = 32`
        : `update ${table} set ${column} = (${replaced})::${type} where ${column}::text ~ '${words}'`,
    ];
    if (type === "text" && tenant)
      changes.push(
        `update ${table} set ${column} = translate(${column}, 'aeio', 'oiea') where ${tenant} = '${other.id}'`,
      );
    for (const change of changes) await tried(admin, change);
  }
  await admin.query(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source, search_vector)
     select $1, 'organisation', 'note', 'harbour', 'harbour ' || n, 'member', 'app', '' from generate_series(1, 30) n`,
    [other.id],
  );
  await admin.query(
    `update app.memories memory set search_vector = search.vector(tenant.language, memory.subject, memory.kind, memory.value)
     from app.organisations tenant where tenant.id = memory.organisation_id`,
  );
  await admin.end();
  return name;
}

type Column = { table: string; column: string; type: string; tenant: string | null };

const textColumns = async (admin: Client): Promise<Column[]> =>
  (
    await admin.query<Column>(
      `select attrelid::regclass::text as table, quote_ident(attname) as column, atttypid::regtype::text as type,
         case when attrelid = 'app.organisations'::regclass then 'id'
           when exists (select from pg_attribute tenant where tenant.attrelid = class.oid and tenant.attname = 'organisation_id')
           then 'organisation_id' end as tenant
       from pg_attribute join pg_class class on class.oid = attrelid
       where relnamespace = 'app'::regnamespace and relkind in ('r', 'p') and not relispartition
         and attnum > 0 and not attisdropped and attgenerated = ''
         and atttypid in ('text'::regtype, 'jsonb'::regtype, 'bytea'::regtype)
         and relname not in ('definition_builds', 'built_catalogues', 'models', 'executors', 'service_settings')
       order by 1, attnum`,
    )
  ).rows;

/** A check can refuse a text, such as a schedule. Then the column stays. */
async function tried(admin: Client, change: string): Promise<void> {
  await admin.query(change).catch((error: { code: string }) => {
    if (!error.code.startsWith("23") && !error.code.startsWith("22")) throw error;
  });
}

/** All rows, as text. */
async function dump(url: string): Promise<string> {
  const admin = await connect(url);
  const { rows } = await admin.query<{ rows: string }>(
    `select query_to_xml('select * from ' || class.oid::regclass, false, false, '')::text as rows
     from pg_class class where relnamespace = 'app'::regnamespace and relkind in ('r', 'p') and not relispartition`,
  );
  await admin.end();
  return rows.map(({ rows }) => rows).join("\n");
}
