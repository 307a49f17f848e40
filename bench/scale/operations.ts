/** The operations of the scale benchmark: calls of the contract, and functions that workers and executors call. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Client } from "pg";
import { makeCredential } from "../../src/secrets/credentials.ts";

const executor = "01890000-0000-7000-8000-0000000000ec";

/** A connection for each role. */
export type Clients = { server: Client; worker: Client; runner: Client };
type Target = {
  bearer: string;
  digest: Buffer;
  bot: string;
  endpoint: string;
  memory: string;
  run: string;
  delivery: string;
};

export type ScaleDatabase = {
  url: string;
  clients: Clients;
  targets: Target[];
  /** A word that one memory of each organisation contains, and one that an eighth of them contain. */
  words: { rare: string; common: string };
};

export type Operation = {
  label: string;
  by: keyof Clients;
  /** Calls in one slice. */
  times: number;
  run: (database: ScaleDatabase, nth: number, round: number) => Promise<unknown>;
  /** Runs after each call and is not timed. */
  after?: (database: ScaleDatabase, answer: unknown) => Promise<unknown>;
};

/** Maximum numbers of organisations and rows that are called. */
const targetOrganisations = 100;
const targetRows = 800;

/** Creates keys for owners, and chooses rows of all ages. */
export async function chooseTargets(admin: Client): Promise<Target[]> {
  const { rows } = await admin.query<Omit<Target, "bearer" | "digest"> & { organisation: string; person: string }>(
    `select data.organisation_id as organisation, data.owner_id as person, data.bot_id as bot,
       data.endpoints[1] as endpoint, memory.id as memory, run.id as run, delivery.id as delivery
     from (select * from public.organisation_data order by sha256(uuid_send(organisation_id)) limit ${targetOrganisations}) data
     cross join generate_series(1, ${targetRows} / least(${targetOrganisations}, (select count(*) from public.organisation_data))) nth
     cross join lateral (select uuidv7(-interval '43 days' * ((data.position * 8 + nth) * 7919 % 1000) / 1000) as moment) chosen
     cross join lateral (
       select id from app.memories candidate where candidate.organisation_id = data.organisation_id and candidate.id < moment
       order by id desc limit 1
     ) memory
     cross join lateral (
       select id from app.runs candidate where candidate.organisation_id = data.organisation_id and candidate.id < moment
       order by id desc limit 1
     ) run
     cross join lateral (
       select id from app.deliveries candidate where candidate.organisation_id = data.organisation_id and candidate.id < moment
       order by id desc limit 1
     ) delivery
     order by nth, sha256(uuid_send(data.organisation_id))`,
  );
  const keys = new Map<string, Pick<Target, "bearer" | "digest">>();
  for (const { organisation, person } of rows) {
    if (keys.has(organisation)) continue;
    const { text: bearer, prefix, digest } = makeCredential("bsk");
    keys.set(organisation, { bearer, digest });
    await admin.query("select operator.insert_key($1, $2, 'bench', 'admin', 90, $3, $4)", [
      organisation,
      person,
      prefix,
      digest,
    ]);
  }
  return rows.map((row) => ({ ...row, ...(keys.get(row.organisation) as Pick<Target, "bearer" | "digest">) }));
}

const at = ({ targets }: ScaleDatabase, nth: number) => targets[nth % targets.length] as Target;

async function handle(database: ScaleDatabase, nth: number, operation: string, input: object): Promise<string> {
  const writes = operation.startsWith("create") || operation.startsWith("start");
  const { rows } = await database.clients.server.query<{ answer: string }>({
    name: "handle",
    text: "select api.handle($1, $2, $3, null, $4, $5, $6, null) as answer",
    values: [
      ...[at(database, nth).digest, operation, JSON.stringify(input), randomUUID()],
      ...(writes ? [randomBytes(32), randomBytes(32)] : [null, null]),
    ],
  });
  const answer = rows[0]?.answer ?? "";
  if (!answer.startsWith('{"status":2')) throw new Error(`${operation}: ${answer}`);
  return answer;
}

const page = { list: "00000000", limit: 50 };
type Input = (target: Target, database: ScaleDatabase) => object;

const call = (label: string, operation: string, input: Input, times = 60): Operation => ({
  label,
  by: "server",
  times,
  run: (database, nth) => handle(database, nth, operation, input(at(database, nth), database)),
});

/** Memories that are read once: targets behind the 200 that other operations use in each round. */
const readOnce = 100;

type Lease = { organisationId: string; runId: string; leaseId: string };

export const operations: Operation[] = [
  call("GET a memory", "get_memory", ({ memory }) => ({ id: memory }), 200),
  {
    label: "GET a memory, first read",
    by: "server",
    times: readOnce,
    run: (database, nth, round) => {
      const other = 200 + round * readOnce + nth;
      return handle(database, other, "get_memory", { id: at(database, other).memory });
    },
  },
  call("GET a run", "get_run", ({ run }) => ({ id: run }), 200),
  call("GET a delivery", "get_delivery", ({ delivery }) => ({ id: delivery }), 200),
  call("list 50 memories", "list_memories", () => page),
  call("list 50 memories, a later page", "list_memories", ({ memory }) => ({ ...page, after: memory })),
  call("list 50 runs", "list_runs", () => page),
  call("list the steps of a run", "list_run_steps", ({ run }) => ({ ...page, id: run }), 100),
  call("list 50 deliveries of an endpoint", "list_deliveries", ({ endpoint }) => ({ ...page, id: endpoint })),
  call("list 50 events, oldest first", "list_events", () => page),
  call("list 50 entries of the audit log", "list_audit", () => page),
  call("POST a memory", "create_memory", () => ({
    ...{ scope: "organisation", kind: "fact", subject: "We", value: "We measure this memory." },
    ...{ subjectKind: "organisation", confidence: 1, lawfulBasis: "legitimate_interests" },
  })),
  call("POST a run", "start_run", ({ bot }) => ({ botId: bot, message: "Hello?", untrusted: false })),
  // Leases the runs that the operation above started.
  {
    label: "lease of a run",
    by: "runner",
    times: 60,
    run: async ({ clients }) => {
      const { rows } = await clients.runner.query({
        name: "lease",
        text: "select runner.lease_run($1) as run",
        values: [executor],
      });
      if (!rows[0]?.run) throw new Error("No run was queued.");
      return rows[0].run;
    },
    after: ({ clients }, run) => {
      const { organisationId, runId, leaseId } = run as Lease;
      return clients.runner.query("select runner.finish($1, $2, $3, 'Done.')", [organisationId, runId, leaseId]);
    },
  },
  call("search for a rare word", "list_memories", (_, { words }) => ({ ...page, q: words.rare }), 40),
  call(
    "search for a word of one memory in eight",
    "list_memories",
    (_, { words }) => ({ ...page, q: words.common }),
    8,
  ),
  call("statistics of an endpoint", "get_webhook_stats", ({ endpoint }) => ({ id: endpoint }), 20),
  {
    label: "maintenance",
    by: "worker",
    times: 20,
    run: ({ clients }) => clients.worker.query("select * from jobs.run_maintenance()"),
  },
  {
    label: "retention with nothing to delete",
    by: "worker",
    times: 20,
    run: ({ clients }) => clients.worker.query("select jobs.truncate_day(), jobs.drop_partition()"),
  },
];
