// The built-in executor for models, as a process that a test can kill: `node model-executor-child.ts <url> <model service> <slots>`.
import { pino } from "pino";
import { modelEngine } from "../../src/runner/engines/models/engine.ts";
import { startExecutor } from "../../src/runner/executor.ts";

const [connectionString = "", baseUrl = "", slots = ""] = process.argv.slice(2);
const log = pino({ level: "warn" }, pino.destination(2));
const timeouts = { idleTimeoutMs: 60_000, turnTimeoutMs: 120_000 };
const engine = modelEngine({ service: { baseUrl, apiKey: undefined }, log, timeouts });
await startExecutor({ connectionString, engines: [engine], log, slots: Number(slots) });
