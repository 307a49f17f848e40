// A process of its own that runs the embedded database: `node embedded-child.ts <data folder> <password>`.
// Tells in one line of JSON how the start went, stops on SIGTERM, exits without stopping on SIGUSR2.
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
