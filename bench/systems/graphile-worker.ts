/** graphile-worker by itself: a job is added by POST and executed in this process. No process executes the jobs of `/kept`. */
import { Logger, run } from "graphile-worker";
import { databaseOf, listenForStarts } from "./starts.ts";
import { system } from "./system.ts";

system(async ({ adminUrl, poolSize }) => {
  const { addJob } = await run({
    connectionString: await databaseOf("graphile_worker", adminUrl),
    maxPoolSize: poolSize,
    concurrency: poolSize,
    noHandleSignals: true,
    logger: new Logger(() => () => {}),
    taskList: { run: async () => {} },
  });
  const start = (task: string) => async (_id: string, message: string) => void (await addJob(task, { message }));
  return listenForStarts({ "/executed": start("run"), "/kept": start("kept") });
});
