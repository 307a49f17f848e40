/** `npm run bench -- sizes`: bytes of a row and its indexes in each growing table, written by the service itself. */
import { randomBytes, randomUUID } from "node:crypto";
import { Client } from "pg";
import { urlAs } from "../src/database/urls.ts";
import type { Data, Target } from "./data.ts";

const memories = 500;
const runs = 300;
const stepsEach = 2;
const executor = "01890000-0000-7000-8000-0000000000ec"; // bench/data.ts
const memory = {
  ...{ scope: "organisation", kind: "decision", subject: "Release of spring", subjectKind: "organisation" },
  value: "The next release ships on the second Tuesday of the month, after the harbour office has confirmed.",
  ...{ confidence: 1, lawfulBasis: "legitimate_interests" },
};
const question = "Which of our customers have asked for a later date, and what did we answer them? ".repeat(2);
const answer = "This is what I know about the date, with the person who said it and the time. ".repeat(4);

/** Tables that grow with use. The others have one row for each person, bot or endpoint. */
const growing = [
  ...["memories", "idempotency_records", "runs", "messages", "steps", "run_events", "events", "deliveries"],
  ...["delivery_attempts", "audit_log"],
];

/** Returns a Markdown table. */
export async function measureSizes(data: Data): Promise<string> {
  const admin = new Client({ connectionString: data.adminUrl });
  const server = new Client({ connectionString: urlAs("server", data.adminUrl, data.key) });
  const runner = new Client({ connectionString: urlAs("runner", data.adminUrl, data.key) });
  await Promise.all([admin, server, runner].map((client) => client.connect()));
  try {
    const { rows: endpoints } = await admin.query<{ id: string }>(
      `insert into app.webhook_endpoints (organisation_id, url, events, secret_sealed)
       select distinct organisation_id, 'https://receiver.example/hooks', '{run.finished}'::text[]::app.event_kind[], ''::bytea
       from app.api_keys returning id`,
    );
    const post = (target: Target, operation: string, input: object) => call(server, target, operation, input);
    for (let number = 0; number < memories; number += 1) await post(at(data.targets, number), "create_memory", memory);
    for (let number = 0; number < runs; number += 1) {
      const target = at(data.targets, number);
      await post(target, "start_run", { botId: target.botId, message: question, untrusted: false });
      await execute(runner);
    }
    await admin.query(
      `insert into app.delivery_attempts
         (organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code)
       select organisation_id, id, endpoint_id, 1, 'scheduled', now(), 40, 200 from app.deliveries
       where endpoint_id = any ($1)`, // endpoints of an earlier run in the same folder have attempts already
      [endpoints.map(({ id }) => id)],
    );
    await admin.query("vacuum (analyze)");
    const { rows } = await admin.query<{ name: string; rows: string; heap: string; all: string }>(
      `select name, ((xpath('/row/rows/text()', query_to_xml(format('select count(*) as rows from app.%I', name), true, true, '')))[1])::text as rows,
         sum(pg_table_size(leaf.relid)) as heap, sum(pg_total_relation_size(leaf.relid)) as all
       from unnest($1::text[]) name,
         lateral (
           select coalesce(tree.relid, ('app.' || name)::regclass) as relid
           from (select 1) one left join pg_partition_tree(('app.' || name)::regclass) tree on tree.isleaf
         ) leaf
       where pg_table_size(leaf.relid) > 8192 or name not in (select relname from pg_class where relkind = 'p')
       group by name`,
      [growing],
    );
    const sizes = new Map(rows.map((row) => [row.name, row]));
    const whole = (value: number) => Math.round(value).toLocaleString("en");
    return [
      `${memories} memories and ${runs} runs of two steps through the API's own functions, beside ${whole(data.memories)} memories.`,
      [
        "| | bytes of a row | with its indexes |",
        "|---|--:|--:|",
        ...growing.map((name) => {
          const row = sizes.get(name);
          const each = (bytes: string | undefined) => whole(Number(bytes) / Number(row?.rows));
          return `| \`${name}\` | ${each(row?.heap)} | ${each(row?.all)} |`;
        }),
      ].join("\n"),
    ].join("\n\n");
  } finally {
    await Promise.all([admin, server, runner].map((client) => client.end()));
  }
}

const at = (targets: Target[], number: number) => targets[number % targets.length] as Target;

async function call(server: Client, { digest }: Target, operation: string, input: object): Promise<void> {
  const { rows } = await server.query<{ answer: string }>({
    name: "post",
    text: "select api.handle($1, $2, $3, null, $4, $5, $6, null) as answer",
    values: [digest, operation, JSON.stringify(input), randomUUID(), randomBytes(32), randomBytes(32)],
  });
  if (!rows[0]?.answer.startsWith('{"status":20')) throw new Error(`${operation} failed: ${rows[0]?.answer}`);
}

async function execute(runner: Client): Promise<void> {
  const { rows } = await runner.query("select runner.lease_run($1) as run", [executor]);
  const run = rows[0]?.run;
  const lease = [run.organisationId, run.runId, run.leaseId];
  for (let number = 0; number < stepsEach; number += 1) {
    await runner.query("select runner.step($1, $2, $3, 'think', 900, 200, 1500)", lease);
  }
  await runner.query("select runner.finish($1, $2, $3, $4, '{}')", [...lease, answer]);
}
