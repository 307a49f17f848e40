/** The built-in executor with an engine of one step, for the bots of the benchmark. */
import { urlAs } from "../../src/database/urls.ts";
import { makeLog } from "../../src/log.ts";
import type { Engine } from "../../src/runner/engine.ts";
import { startExecutor } from "../../src/runner/executor.ts";
import { receivedKey } from "./key.ts";
import { system } from "./system.ts";

const engine: Engine = {
  models: async () => ["bench"],
  async answer({ message }, context) {
    await context.step({ kind: "answer" });
    return { text: `Done: ${message.length}.`, memoryIds: [] };
  },
};

system(async ({ adminUrl, masterKey, poolSize }) => {
  const connectionString = urlAs("runner", adminUrl, receivedKey(masterKey));
  await startExecutor({ connectionString, engines: [engine], log: makeLog("warn", "executor"), slots: poolSize });
  return "";
});
