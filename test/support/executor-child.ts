// An executor process that leases a run and stops in the middle, to be killed there: `node executor-child.ts <url>
// <executor> <model> <lease> <stand>`. Prints a line of JSON when it has stopped.
import { Client } from "pg";

const [url = "", executor = "", model = "", lease = "", stand = ""] = process.argv.slice(2);
const client = new Client({ connectionString: url });
await client.connect();

const ask = async (call: string, values: unknown[]) =>
  (await client.query(`select runner.${call} as answer`, values)).rows[0]?.answer;
await ask("heartbeat($1, 'child', $2)", [executor, [model]]);
const run = await ask("lease_run($1, $2)", [executor, lease]);
const leaseOf = [run.organisationId, run.runId, run.leaseId];
const step = () => ask("step($1, $2, $3, 'think', 10, 20, 5)", leaseOf);
const say = () => process.stdout.write(`${JSON.stringify(run)}\n`);
const standStill = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);

switch (stand) {
  case "leased":
    break;
  case "mid step":
    await client.query("begin");
    await step();
    break;
  case "between steps":
    await step();
    break;
  case "before finish":
    await step();
    await step();
    await ask("search_memories($1, $2, $3, 'harbour')", leaseOf);
    break;
  case "mid finish":
    await step();
    await client.query("begin");
    await ask("finish($1, $2, $3, 'Done.')", leaseOf);
    break;
  case "waiting for an approval":
    await step();
    await ask("ask_approval($1, $2, $3, 'May I?', 'It costs.')", leaseOf);
    break;
  case "blocked":
    await step();
    await ask("block($1, $2, $3, 'Which of the two?')", leaseOf);
    break;
  case "finished, unacknowledged":
    await step();
    void client.query("select runner.finish($1, $2, $3, 'Done.')", leaseOf); // sent; the result is never read
    break;
  default:
    throw new Error(`There is no stand "${stand}".`);
}
say();
standStill();
