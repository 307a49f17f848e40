/** What is asked of a database with few rows and of one with many: the calls of the contract, and what a worker asks. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Client } from "pg";
import { makeCredential } from "../../src/secrets/credentials.ts";

const executor = "01890000-0000-7000-8000-0000000000ec";

/** A connection of each role that asks. */
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

export type Place = {
  url: string;
  clients: Clients;
  targets: Target[];
  /** A word that one claim of each organisation holds, and one that an eighth of them hold. */
  words: { rare: string; common: string };
};

export type Operation = {
  label: string;
  by: keyof Clients;
  /** How often it is asked in one slice. */
  times: number;
  ask: (place: Place, nth: number, round: number) => Promise<unknown>;
  /** What is put right after each, and not measured. */
  after?: (place: Place, answer: unknown) => Promise<unknown>;
};

/** At most, of all that there are. */
const askedOrganisations = 100;
const askedRows = 800;

/** Keys of organisations' owners, and rows of all ages to ask for. */
export async function chooseTargets(admin: Client): Promise<Target[]> {
  const { rows } = await admin.query<Omit<Target, "bearer" | "digest"> & { organisation: string; person: string }>(
    `select place.organisation_id as organisation, place.owner_id as person, place.bot_id as bot,
       place.endpoints[1] as endpoint, memory.id as memory, run.id as run, delivery.id as delivery
     from (select * from public.places order by sha256(uuid_send(organisation_id)) limit ${askedOrganisations}) place
     cross join generate_series(1, ${askedRows} / least(${askedOrganisations}, (select count(*) from public.places))) nth
     cross join lateral (select uuidv7(-interval '43 days' * ((place.place * 8 + nth) * 7919 % 1000) / 1000) as moment) chosen
     cross join lateral (
       select id from app.memories held where held.organisation_id = place.organisation_id and held.id < moment
       order by id desc limit 1
     ) memory
     cross join lateral (
       select id from app.runs held where held.organisation_id = place.organisation_id and held.id < moment
       order by id desc limit 1
     ) run
     cross join lateral (
       select id from app.deliveries held where held.organisation_id = place.organisation_id and held.id < moment
       order by id desc limit 1
     ) delivery
     order by nth, sha256(uuid_send(place.organisation_id))`,
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

const at = ({ targets }: Place, nth: number) => targets[nth % targets.length] as Target;

async function handle(place: Place, nth: number, operation: string, input: object): Promise<string> {
  const writes = operation.startsWith("create") || operation.startsWith("start");
  const { rows } = await place.clients.server.query<{ answer: string }>({
    name: "handle",
    text: "select api.handle($1, $2, $3, null, $4, $5, $6, null) as answer",
    values: [
      ...[at(place, nth).digest, operation, JSON.stringify(input), randomUUID()],
      ...(writes ? [randomBytes(32), randomBytes(32)] : [null, null]),
    ],
  });
  const answer = rows[0]?.answer ?? "";
  if (!answer.startsWith('{"status":2')) throw new Error(`${operation}: ${answer}`);
  return answer;
}

const page = { list: "00000000", limit: 50 };
type Input = (target: Target, place: Place) => object;

const call = (label: string, operation: string, input: Input, times = 60): Operation => ({
  label,
  by: "server",
  times,
  ask: (place, nth) => handle(place, nth, operation, input(at(place, nth), place)),
});

/** Rows that are asked for once: of those chosen, behind the 200 at most that the other calls ask for in each round. */
const neverAgain = 100;

type Claimed = { organisationId: string; runId: string; leaseId: string };

export const operations: Operation[] = [
  call("GET a memory", "get_memory", ({ memory }) => ({ id: memory }), 200),
  {
    label: "GET a memory that was not read before",
    by: "server",
    times: neverAgain,
    ask: (place, nth, round) => {
      const other = 200 + round * neverAgain + nth;
      return handle(place, other, "get_memory", { id: at(place, other).memory });
    },
  },
  call("GET a run", "get_run", ({ run }) => ({ id: run }), 200),
  call("GET a delivery", "get_delivery", ({ delivery }) => ({ id: delivery }), 200),
  call("list 50 memories", "list_memories", () => page),
  call("list 50 memories, a later page", "list_memories", ({ memory }) => ({ ...page, after: memory })),
  call("list 50 runs", "list_runs", () => page),
  call("list the steps of a run", "list_run_steps", ({ run }) => ({ ...page, id: run }), 100),
  call("list 50 deliveries of an endpoint", "list_deliveries", ({ endpoint }) => ({ ...page, id: endpoint })),
  call("list 50 events from the oldest on", "list_events", () => page),
  call("list 50 entries of the trail", "list_audit", () => page),
  call("POST a memory", "create_memory", () => ({
    ...{ scope: "organisation", kind: "fact", subject: "We", value: "We are here to be measured." },
    ...{ subjectKind: "organisation", confidence: 1, lawfulBasis: "legitimate_interests" },
  })),
  call("POST a run", "start_run", ({ bot }) => ({ botId: bot, message: "Hello?", untrusted: false })),
  // Of those that were started just before.
  {
    label: "claim of a run",
    by: "runner",
    times: 60,
    ask: async ({ clients }) => {
      const { rows } = await clients.runner.query({
        name: "claim",
        text: "select runner.claim($1) as run",
        values: [executor],
      });
      if (!rows[0]?.run) throw new Error("There was no run to claim.");
      return rows[0].run;
    },
    after: ({ clients }, run) => {
      const { organisationId, runId, leaseId } = run as Claimed;
      return clients.runner.query("select runner.finish($1, $2, $3, 'Done.')", [organisationId, runId, leaseId]);
    },
  },
  call("search for a rare word", "list_memories", (_, { words }) => ({ ...page, q: words.rare }), 40),
  call("search for a word of one claim in eight", "list_memories", (_, { words }) => ({ ...page, q: words.common }), 8),
  call("stats of an endpoint", "get_webhook_stats", ({ endpoint }) => ({ id: endpoint }), 20),
  {
    label: "sweep",
    by: "worker",
    times: 20,
    ask: ({ clients }) => clients.worker.query("select * from jobs.sweep()"),
  },
  {
    label: "retention that finds nothing",
    by: "worker",
    times: 20,
    ask: ({ clients }) => clients.worker.query("select jobs.empty_day(), jobs.drop_partition()"),
  },
];
