/**
 * `npm run bench -- neighbours`: the time of runs of one organisation while another organisation has more runs of a hanging
 * model than its share allows to execute. The worker is the production one; the model service is a stub in this process.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { pino } from "pino";
import { readConfig } from "../src/config.ts";
import { startWorker } from "../src/worker/worker.ts";
import type { Data } from "./data.ts";
import { raiseLimit } from "./limits.ts";
import { ownDatabase } from "./own-database.ts";

/** Runs of the busy organisation, each in a conversation of its own. */
const busyRuns = 100;
const runsEach = 100;
/** Models of the measured runs. */
const kinds = { "`recall`": "recall", "a model that answers immediately": "prompt" } as const;

export async function measureNeighbours(data: Data, folder: string): Promise<string> {
  const service = await startService();
  const { url, admin } = await ownDatabase(data, "neighbours");
  const config = readConfig({ DATA_DIR: folder, MODEL_BASE_URL: service.url, MODEL_API_KEY: "sk-bench" });
  await fill(admin);
  const worker = await startWorker(config, url, data.key, pino({ level: "silent" }));
  try {
    const quiet = await measureAll(admin);
    const { rowCount } = await start(admin, "slow", busyRuns);
    while (service.waiting() === 0) await sleep(10);
    const withBusy = await measureAll(admin);
    const lines = Object.keys(kinds).map((kind, row) => `| ${kind} | ${quiet[row]} | ${withBusy[row]} |`);
    return [
      `Time from start to end of a run in ms, p50 / p95 of ${runsEach} sequential runs; ` +
        `another organisation has ${rowCount} runs of a hanging model, ${service.waiting()} of them executing.`,
      ["| Model | quiet | with the busy organisation |", "|---|--:|--:|", ...lines].join("\n"),
    ].join("\n\n");
  } finally {
    await admin.query("update app.runs set state = 'cancelled' where state in ('queued', 'running')");
    await worker.stop();
    await admin.end();
    service.close();
  }
}

async function measureAll(admin: Client): Promise<string[]> {
  const measured: string[] = [];
  for (const model of Object.values(kinds)) {
    const times: number[] = [];
    for (let run = 0; run < runsEach; run += 1) times.push(await timed(admin, model));
    times.sort((a, b) => a - b);
    const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0);
    measured.push(`${at(0.5)} / ${at(0.95)}`);
  }
  return measured;
}

/** From the insert of the run to its completed state, polled every ms. */
async function timed(admin: Client, model: string): Promise<number> {
  const began = performance.now();
  const { rows } = await start(admin, model, 1);
  for (;;) {
    const { rowCount } = await admin.query("select from app.runs where id = $1 and state = 'completed'", [rows[0]?.id]);
    if (rowCount) return performance.now() - began;
    await sleep(1);
  }
}

const start = (admin: Client, model: string, count: number) =>
  admin.query<{ id: string }>(
    `with run as (
       insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger)
       select conversation.organisation_id, conversation.bot_id, conversation.id, conversation.person_id, 'api'
       from app.conversations conversation join app.bots bot on bot.id = conversation.bot_id
       where bot.model = $1 limit $2
       returning organisation_id, conversation_id, id
     ), message as (
       insert into app.messages (organisation_id, conversation_id, run_id, author, text)
       select organisation_id, conversation_id, id, 'person', 'Hello' from run
     )
     select id from run`,
    [model, count],
  );

async function fill(admin: Client): Promise<void> {
  await admin.query(`
    with owner as (
      insert into app.people (email) values ('neighbours' || random() || '@example.test') returning id
    ), organisation as (
      insert into app.organisations (name, billing_state)
      select name, 'active' from unnest(array['Busy', 'Other']) name returning id, name
    ), bot as (
      insert into app.bots (organisation_id, name, owner_id, model)
      select organisation.id, 'Ada', owner.id, model.model
      from organisation
      join (
        select 'Busy' as name, 'slow' as model from generate_series(1, ${busyRuns})
        union all
        select 'Other', unnest(array['recall', 'prompt'])
      ) model using (name), owner
      returning organisation_id, id, owner_id
    )
    insert into app.conversations (organisation_id, bot_id, person_id) select organisation_id, id, owner_id from bot`);
  await raiseLimit(admin, "runStartsPerHour");
  for (const model of ["slow", "prompt"]) {
    await admin.query("select operator.set_model_price($1, 1, 1, 'The benchmark')", [model]);
  }
}

/** A stub that answers immediately, except for the model `slow`, which it never answers. */
async function startService() {
  let waiting = 0;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    if (request.method === "GET") return response.writeHead(404).end();
    if (JSON.parse(body).model === "slow") {
      waiting += 1;
      return response.once("close", () => {
        waiting -= 1;
      });
    }
    const event = (fields: object) => response.write(`data: ${JSON.stringify(fields)}\n\n`);
    response.writeHead(200, { "content-type": "text/event-stream" });
    event({ choices: [{ index: 0, delta: { content: "Hello." }, finish_reason: "stop" }] });
    return response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    waiting: () => waiting,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
