/**
 * A temporary Botstead with its own database, ports and folder. It may deliver to this machine and trusts the tour's
 * certificate authority.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Config, environmentOf, readConfig } from "../../src/config.ts";
import { freePort } from "../../src/database/embedded/port.ts";
import { CannotRun } from "./report.ts";

export type Service = {
  config: Config;
  /** The admin key of its demo. */
  key: string;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
};

const botstead = fileURLToPath(new URL("../../src/botstead.js", import.meta.url));

/** @param authority of the receiver's certificate, in PEM @throws CannotRun if the server does not start */
export async function startService(authority: string): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), "botstead-tour-"));
  const caFile = join(folder, "ca.pem");
  writeFileSync(caFile, authority);
  const settings = {
    DATA_DIR: join(folder, "data"),
    PORT: String(await freePort()),
    CONSOLE_PORT: String(await freePort()),
    WEBHOOK_ALLOW_RANGES: "127.0.0.0/8,::1/128",
    WEBHOOK_CA_FILE: caFile,
  };
  // The server stops when the IPC channel closes, so it never outlives the tour.
  const server = spawn(process.execPath, [botstead, "start"], {
    env: environmentOf(settings),
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const stop = async () => {
    if (server.exitCode === null && server.signalCode === null) {
      server.kill("SIGTERM");
      await once(server, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { config: readConfig(settings), key: await printedKey(server), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The key that the first start prints once the server is ready. */
function printedKey(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    for (const stream of [server.stdout, server.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        const key = /^ +(bsk_\w+)$[\s\S]*Botstead is ready\./m.exec(output)?.[1];
        if (key !== undefined) resolve(key);
      });
    }
    server.once("error", reject);
    server.once("close", () => reject(new CannotRun(`The temporary Botstead did not start:\n${output}`)));
  });
}
