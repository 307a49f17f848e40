/**
 * pgbench calls the dispatcher directly: the time of PostgreSQL without HTTP and Node. The embedded PostgreSQL does not
 * contain pgbench, so it is used only if it is installed.
 */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { environmentWith } from "../src/config.ts";
import { urlAs } from "../src/database/urls.ts";
import type { Data } from "./data.ts";
import type { Measured } from "./load.ts";

const run = promisify(execFile);

/** pgbench opens new connections, and the first calls fill the caches of their backends. */
const warmUpSeconds = 2;
export const installPgbench = "apt-get install postgresql-contrib";

/** The newest installed version; undefined if there is none. */
export function findPgbench(): string | undefined {
  const onPath = (environmentWith({}).PATH ?? "").split(delimiter);
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  return [...versions.map((version) => join(debian, version, "bin")), ...onPath]
    .map((folder) => join(folder, "pgbench"))
    .find((file) => existsSync(file));
}

export async function pgbenchVersion(pgbench: string): Promise<string> {
  return (await run(pgbench, ["--version"])).stdout.trim().replace(/\s*\(PostgreSQL\)/, "");
}

/** One operation, with an input for each of `data.targets`. `keyed`: with an Idempotency-Key. */
export type Call = { operation: string; inputs: object[]; keyed: boolean };

export async function runPgbench(
  pgbench: string,
  data: Data,
  { operation, inputs, keyed }: Call,
  { folder, seconds, connections }: { folder: string; seconds: number; connections: number },
): Promise<Measured> {
  const digests = data.targets.map(({ digest }) => `'\\x${digest.toString("hex")}'`).join(", ");
  const texts = inputs.map((input) => `'${JSON.stringify(input)}'`).join(", ");
  // One statement for all callers, as in the API. The arrays are constants in the prepared statement.
  const idempotencyArguments = keyed ? "sha256(int8send(:fresh)), sha256(int8send(:fresh))" : "null, null";
  const script = join(folder, `${operation}.pgbench`);
  writeFileSync(
    script,
    `\\set n random(1, ${data.targets.length})
\\set fresh random(1, 9000000000000000000)
select api.handle((array[${digests}]::bytea[])[:n], '${operation}', (array[${texts}]::jsonb[])[:n], null, gen_random_uuid(), ${idempotencyArguments}, null, false);
`,
  );
  const url = urlAs("server", data.adminUrl, data.key);
  const time = warmUpSeconds + Math.ceil(seconds);
  const { stdout, stderr } = await run(pgbench, [
    ...["-n", "-M", "prepared", "-c", String(connections), "-j", "1", "-T", String(time), "-P", "1", "-f", script],
    url,
  ]);
  const everySecond = [...stderr.matchAll(/^progress: .*? ([\d.]+) tps/gm)].map(([, tps]) => Number(tps));
  const counted = everySecond.slice(warmUpSeconds);
  const served = Number(/transactions actually processed: (\d+)/.exec(stdout)?.[1]);
  if (counted.length === 0 || !(served > 0)) throw new Error(`The output of pgbench has an unknown format:\n${stdout}`);
  return { perSecond: counted.reduce((sum, tps) => sum + tps, 0) / counted.length, served };
}
