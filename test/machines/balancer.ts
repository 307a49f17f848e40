/** Debian's HAProxy with ops/haproxy/haproxy.cfg. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../src/database/embedded/port.ts";
import { closing } from "../support/closing.ts";
import { type Daemon, daemon } from "./daemon.ts";
import { opsFile } from "./ops.ts";

export type Balancer = { process: Daemon; url: string; remove(): Promise<void> };

/** @param urls URLs of two API processes @param more further replacements in the file, for example time-outs */
export async function startBalancer(
  [first, second]: [string, string],
  more: Record<string, string> = {},
): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), "botstead-balancer-"));
  const port = await freePort();
  const file = join(folder, "haproxy.cfg");
  writeFileSync(
    file,
    opsFile("haproxy/haproxy.cfg", {
      "bind 127.0.0.1:8080": `bind 127.0.0.1:${port}`,
      "api1 127.0.0.1:3000": `api1 ${new URL(first).host}`,
      "api2 127.0.0.1:3010": `api2 ${new URL(second).host}`,
      ...more,
    }),
  );
  const args = ["-db", "-f", file]; // in the foreground
  const process = daemon({ program: "haproxy", args, port, cwd: folder, account: undefined });
  const remove = closing(async () => {
    await process.kill();
    rmSync(folder, { recursive: true });
  });
  await process.start();
  return { process, url: `http://127.0.0.1:${port}`, remove };
}
