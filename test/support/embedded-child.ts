// A process with the embedded database: `node embedded-child.ts <data folder> <password>`. Prints the result of the
// start as a line of JSON, stops on SIGTERM, and exits without stopping the server on SIGUSR2.
import { startEmbedded } from "../../src/database/embedded.ts";

const [dataDir = "", password = ""] = process.argv.slice(2);

try {
  const server = await startEmbedded({ dataDir, password });
  process.once("SIGTERM", () => void server.stop());
  process.once("SIGUSR2", () => process.exit(1));
  console.log(JSON.stringify({ url: server.url }));
} catch (error) {
  console.log(JSON.stringify({ refusal: (error as Error).message }));
}
