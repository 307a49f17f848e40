/**
 * `npm run bench -- starts`: starts and completions of runs with one step, beside libraries that start work durably on the
 * same PostgreSQL. bench/README.md says what is compared; bench/systems has the setup.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { urlOfDatabase } from "../src/database/urls.ts";
import { postgresCpuMs } from "./cpu.ts";
import type { Data, Target } from "./data.ts";
import type { Request } from "./load.ts";
import { connections, load, measureLoad, type Round } from "./measure.ts";
import { median } from "./median.ts";
import type { Options } from "./options.ts";
import { runRequest, writeHeaders } from "./rows.ts";
import { type System, type SystemName, startSystem } from "./systems.ts";
import { versionOf } from "./version-of.ts";

type Contender = {
  label: string;
  system: SystemName;
  /** Requests that start work, which nothing executes meanwhile. Undefined if the system executes it at once. */
  kept?: Request[];
  /** Requests that start work, which is executed. */
  executed: Request[];
  /** Executes the work, if `system` does not. */
  executor?: SystemName;
  database: string;
  /** Selects the work of `executed` that is not completed. */
  pending: string;
  /** Removes the work of `kept`, except what the last requests start. */
  cancel: string;
};

const post = (path: string): Request[] => [
  { method: "POST", path, headers: writeHeaders, body: runRequest({ botId: "" }) },
];

const dbos = {
  system: "dbos",
  database: "dbos",
  pending: `
    select from dbos.workflow_status
    where status in ('ENQUEUED', 'PENDING') and queue_name is distinct from 'kept' limit 1`,
  cancel: "update dbos.workflow_status set status = 'CANCELLED' where status in ('ENQUEUED', 'PENDING')",
} as const;

function contenders(targets: Target[], database: string): Contender[] {
  const runs = targets.map(
    (to): Request => ({
      method: "POST",
      path: "/api/v1/runs",
      headers: { ...writeHeaders, authorization: `Bearer ${to.bearer}` },
      body: runRequest(to),
    }),
  );
  return [
    {
      label: "**run, Botstead**",
      system: "botstead",
      kept: runs,
      executed: runs,
      executor: "executor",
      database,
      pending: "select from app.runs where state in ('queued', 'running') limit 1",
      cancel: `
        set session_replication_role = replica;
        update app.runs set state = 'cancelled', finished_at = now() where state = 'queued';
        update app.conversations set next_run_id = null, next_model = null, next_since = null;
        reset session_replication_role`,
    },
    { label: "workflow, DBOS, in the starting process", executed: post("/executed"), ...dbos },
    { label: "workflow, DBOS, through a queue", kept: post("/kept"), executed: post("/queued"), ...dbos },
    {
      label: "job, graphile-worker",
      system: "graphile-worker",
      kept: post("/kept"),
      executed: post("/executed"),
      database: "graphile_worker",
      pending: `
        select from graphile_worker._private_jobs
        where task_id = (select id from graphile_worker._private_tasks where identifier = 'run') limit 1`,
      cancel: "delete from graphile_worker._private_jobs",
    },
  ];
}

/** Returns a Markdown table. */
export async function measureStarts(data: Data, { rounds, seconds }: Options, folder: string): Promise<string> {
  const all = contenders(data.targets, new URL(data.adminUrl).pathname.slice(1));
  const started = new Map<string, Round[]>();
  const completed = new Map<string, Round[]>();
  const systems = new Map<SystemName, System>();
  const admins = new Map<string, Client>();
  const add = (rows: Map<string, Round[]>, label: string, round: Round) =>
    rows.set(label, [...(rows.get(label) ?? []), round]);
  try {
    for (const { system, database } of all) {
      if (!systems.has(system)) systems.set(system, await startSystem(system, data));
      if (admins.has(database)) continue;
      const admin = new Client({ connectionString: urlOfDatabase(database, data.adminUrl) });
      admins.set(database, admin);
      await admin.connect();
    }
    for (let round = 0; round <= rounds; round += 1) {
      for (const contender of all) {
        const [system, admin] = [systems.get(contender.system), admins.get(contender.database)];
        if (!system || !admin) continue;
        const row = round === 0 ? `warm-up of ${contender.label}` : contender.label;
        if (contender.kept) {
          add(started, row, await measureLoad(system, { requests: contender.kept, seconds, connections }, folder));
          await admin.query(contender.cancel);
        }
        const executor = contender.executor && (await startSystem(contender.executor, data));
        try {
          const processes = executor ? [system, executor] : [system];
          // Plans the statements of the executor's connections.
          if (executor) await measureCompletions(contender, processes, admin, 1, folder);
          add(completed, row, await measureCompletions(contender, processes, admin, seconds, folder));
        } finally {
          await executor?.stop();
        }
      }
    }
  } finally {
    for (const admin of admins.values()) await admin.end();
    for (const system of systems.values()) await system.stop();
  }
  const versions = ["@dbos-inc/dbos-sdk", "graphile-worker"].map((name) => `${name} ${versionOf(name)}`).join(", ");
  const conditions = `${rounds} interleaved rounds of ${seconds} s; ${connections} connections; ${versions}`;
  return table(all, started, completed, conditions);
}

/** Starts work for `seconds` and waits until all of it is completed. */
async function measureCompletions(
  { executed, pending }: Contender,
  processes: System[],
  admin: Client,
  seconds: number,
  folder: string,
): Promise<Round> {
  const cpuMs = async () => {
    const usages = await Promise.all(processes.map((system) => system.usage()));
    return { node: usages.reduce((sum, usage) => sum + usage.cpuMs, 0), postgres: postgresCpuMs(folder) ?? Number.NaN };
  };
  const before = await cpuMs();
  const { served, begunAt } = await load({ url: processes[0]?.url ?? "", requests: executed, seconds, connections });
  while ((await admin.query(pending)).rowCount) await sleep(50);
  const perSecond = served / ((Date.now() - begunAt) / 1000);
  const after = await cpuMs();
  const each = (ms: number) => (ms * 1000) / served;
  return {
    perSecond,
    served,
    nodeUs: each(after.node - before.node),
    postgresUs: each(after.postgres - before.postgres),
  };
}

function table(all: Contender[], started: Map<string, Round[]>, completed: Map<string, Round[]>, conditions: string) {
  const whole = (value: number) => Math.round(value).toLocaleString("en");
  const cells = (rounds: Round[] | undefined): string[] => {
    if (!rounds) return ["", "", "", "", ""];
    const rates = rounds.map(({ perSecond }) => perSecond).toSorted((a, b) => a - b);
    const [node, postgres] = (["nodeUs", "postgresUs"] as const).map((part) =>
      median(rounds.map((round) => round[part] ?? Number.NaN)),
    );
    const perCore = 1e6 / ((node ?? Number.NaN) + (postgres ?? Number.NaN));
    const range = `${whole(rates[0] ?? 0)} to ${whole(rates.at(-1) ?? 0)}`;
    return [whole(median(rates)), range, ...[node ?? Number.NaN, postgres ?? Number.NaN, perCore].map(whole)];
  };
  const rows = all.flatMap(({ label }) => [
    ...(started.has(label) ? [`| ${[`${label}: started`, ...cells(started.get(label))].join(" | ")} |`] : []),
    `| ${[`${label}: started and completed`, ...cells(completed.get(label))].join(" | ")} |`,
  ]);
  return [
    `Medians of ${conditions}.`,
    [
      "| | per second | lowest to highest | CPU of Node, µs each | CPU of PostgreSQL, µs each | per second of one core |",
      "|---|--:|--:|--:|--:|--:|",
      ...rows,
    ].join("\n"),
  ].join("\n\n");
}
