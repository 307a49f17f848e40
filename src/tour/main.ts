/**
 * `npm run tour [-- --key bsk_…]`: tells the whole way against the server that runs here, with a receiver of its own.
 * Exit code 0 when every step went as told, 1 when one did not or something is missing.
 */
import { parseArgs } from "node:util";
import { readConfig } from "../config.ts";
import { type KeptAuthority, keptAuthority } from "./authority.ts";
import { makeCaller, requireServer } from "./caller.ts";
import { mintDemoKey } from "./key.ts";
import { startReceiver } from "./receiver.ts";
import { makeTeller, type Teller } from "./teller.ts";
import { goTheWay } from "./way.ts";

async function tour(given: string | undefined, tell: Teller): Promise<void> {
  const config = readConfig();
  await requireServer(config.baseUrl);
  const authority = await keptAuthority(config.dataDir);
  const receiver = await startReceiver({ authority });
  const apiUrl = `${config.baseUrl}/api/v1`;
  try {
    tell.step(given ? "The key that was given is taken" : "A key is minted for the owner of the demo, for a day");
    const key = given ?? (await mintDemoKey());
    tell.found(`${key.slice(0, 12)}…`);
    const api = makeCaller(apiUrl, key);
    try {
      await goTheWay({ api, receiver, tell, howToStart: howToStart(authority) });
    } finally {
      if (!given) {
        tell.step("The key is revoked, by itself");
        const { body: me } = await api.expect(200, "GET", "/me");
        await api.expect(200, "DELETE", `/keys/${me.key.id}`);
        const { body } = await api.expect(401, "GET", "/me");
        tell.found(`From now on it is answered with 401: ${body.error.message}`);
      }
    }
  } finally {
    await receiver.close();
  }
}

function howToStart({ file }: KeptAuthority): string {
  const quoted = /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`;
  return [
    "Stop it, start it with these two settings beside its own, and take the tour again:",
    "",
    `  WEBHOOK_ALLOW_RANGES=127.0.0.0/8,::1/128 WEBHOOK_CA_FILE=${quoted} npm start`,
  ].join("\n");
}

const write = (text: string) => void process.stdout.write(text);
try {
  const { values } = parseArgs({ options: { key: { type: "string" } } });
  write("Botstead's tour\n");
  await tour(values.key, makeTeller(write));
  write("\nEvery step went as told.\n");
} catch (error) {
  process.stderr.write(`\n${(error as Error).message}\n`);
  process.exitCode = 1;
}
