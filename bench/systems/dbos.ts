/**
 * DBOS Transact: workflows of one step. `/executed` executes them in this process at once, `/queued` through a queue. `/kept`
 * puts them into a queue that no process serves. A repeated Idempotency-Key starts no second workflow.
 */
import { DBOS } from "@dbos-inc/dbos-sdk";
import { databaseOf, listenForStarts } from "./starts.ts";
import { system } from "./system.ts";

system(async ({ adminUrl, poolSize }) => {
  DBOS.setConfig({
    name: "bench",
    applicationVersion: "1",
    systemDatabaseUrl: await databaseOf("dbos", adminUrl),
    systemDatabasePoolSize: poolSize,
    listenQueues: ["queued"],
    logLevel: "warn",
  });
  const answer = (message: string) => DBOS.runStep(async () => `Done: ${message.length}.`, { name: "answer" });
  const workflow = DBOS.registerWorkflow(answer, { name: "run" });
  await DBOS.launch();
  for (const queue of ["queued", "kept"]) await DBOS.registerQueue(queue);
  const start = (queueName?: string) => async (workflowID: string, message: string) => {
    await DBOS.startWorkflow(workflow, { workflowID, ...(queueName && { queueName }) })(message);
  };
  return listenForStarts({ "/executed": start(), "/queued": start("queued"), "/kept": start("kept") });
});
