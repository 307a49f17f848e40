/** Bots whose models are served by a local service, and the built-in executor with the engine for models. */
import { randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import { pino } from "pino";
import { urlAs } from "../../src/database/urls.ts";
import { modelEngine } from "../../src/runner/engines/models/engine.ts";
import type { ServiceTimeouts } from "../../src/runner/engines/models/service.ts";
import { type Executor, startExecutor } from "../../src/runner/executor.ts";
import type { Json } from "./api.ts";
import type { TestDatabase } from "./database.ts";
import { type ModelRequest, type ModelServer, startModelServer, type Turn } from "./model-server.ts";
import { type Customer, customer, openPostOffice, type PostOffice } from "./post-office.ts";
import { runState } from "./stored.ts";
import { eventually } from "./worker.ts";

export const apiKey = "sk-test-9f8e7d6c";

export type ModelBot = {
  model: string;
  who: Customer;
  requests(): ModelRequest[];
  /** Starts an executor that serves the model. */
  executor(timeouts?: ServiceTimeouts): Promise<Executor>;
  /** Waits until the run has one of these states. Returns it. */
  until(run: string, ...states: string[]): Promise<Json>;
  /** Starts a run and waits until it ends or waits. Returns it. */
  worked(message?: string, timeouts?: ServiceTimeouts, untrusted?: boolean): Promise<Json>;
  steps(run: string): Promise<Json[]>;
  answer(run: string): Promise<Json>;
};

/** Of a million tokens, in micro-cents. */
export type Prices = { input: number; output: number };

export const priceModel = (
  db: Pick<TestDatabase, "sql">,
  model: string,
  { input, output }: Prices = { input: 1, output: 1 },
): Promise<unknown> => db.sql("select operator.set_model_price($1, $2, $3, 'A test')", [model, input, output]);

/** Log of the executors of a test file. */
export const logged: string[] = [];
export const log = pino(
  { level: "trace" },
  new Writable({ write: (line, _encoding, done) => done(void logged.push(String(line))) }),
);

/** Enough for a busy machine. */
export const usual: ServiceTimeouts = { idleTimeoutMs: 10_000, turnTimeoutMs: 20_000 };
/** For services that stop responding. */
export const short: ServiceTimeouts = { idleTimeoutMs: 1_000, turnTimeoutMs: 2_500 };

/** The post office and the model service of a test file or block. Each test checks that its requests kept the protocol. */
export function withModelServer() {
  const at = {
    bot: (turns: Turn[], prices?: Partial<Prices>) => modelBot(at.office, at.server, turns, prices),
  } as { office: PostOffice; server: ModelServer; bot(turns: Turn[], prices?: Partial<Prices>): Promise<ModelBot> };
  beforeAll(async () => {
    at.office = await openPostOffice({ worker: false });
    at.server = await startModelServer();
  });
  afterAll(async () => {
    await at.server.close();
    await at.office.close();
  });
  afterEach(() => expect(at.server.faults).toEqual([]));
  return at;
}

async function modelBot(
  office: PostOffice,
  server: ModelServer,
  turns: Turn[],
  { input = 3_000_000, output = 15_000_000 }: Partial<Prices> = {},
): Promise<ModelBot> {
  const model = `model-${randomUUID()}`;
  server.scripts.set(model, turns);
  await priceModel(office.db, model, { input, output });
  const who = await customer(office, model);
  const until: ModelBot["until"] = async (run, ...states) => {
    await eventually(async () => states.includes((await runState(office.db, run)) ?? ""));
    return (await who.ask("GET", `/runs/${run}`)).body;
  };
  const executor = (timeouts = usual) =>
    startExecutor({
      connectionString: urlAs("runner", office.db.adminUrl, office.db.key),
      engines: [modelEngine({ service: { baseUrl: server.url, apiKey }, log, timeouts })],
      log,
    });
  return {
    model,
    who,
    requests: () => server.requests(model),
    executor,
    until,
    async worked(message = "When is the harbour office open?", timeouts = usual, untrusted = false) {
      const working = await executor(timeouts);
      try {
        const started = await who.ask("POST", "/runs", { botId: who.bot, message, untrusted });
        return await until(started.body.id, "completed", "failed", "waiting_approval", "paused_limit");
      } finally {
        await working.stop();
      }
    },
    steps: (run) =>
      office.db.sql(
        `select kind, input_tokens as input, output_tokens as output, spend_micro_cents::integer as spend
         from app.steps where run_id = $1 order by number`,
        [run],
      ),
    answer: async (run) => (await who.ask("GET", `/runs/${run}/messages?limit=1`)).body.data[0],
  };
}
