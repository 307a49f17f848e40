/**
 * Blocks of the documentation beside a PostgreSQL of one's own, as printed except for addresses, passwords and files: settings
 * of single processes, the first organisation, and the installation on a machine. (block-ways.ts)
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { freePort } from "../../src/database/embedded/port.ts";
import { urlAs, urlOfDatabase, withoutLogin } from "../../src/database/urls.ts";
import { startCluster, stopCluster } from "../support/cluster.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { begin, docBlocks, likeTheRepository, runBlock, runUntil } from "../support/doc-blocks.ts";
import { testWith, testWithMounts } from "../support/machine.ts";
import { answersAt } from "../support/program.ts";
import { eventually } from "../support/worker.ts";
import { wayOf } from "./block-ways.ts";

const folder = mkdtempSync(join(tmpdir(), "botstead-blocks-server-"));
const shell = testWith("bash", "curl");
const pages = docBlocks();
let db: TestDatabase;
let port: number;
let metrics: number;

beforeAll(async () => {
  await startCluster(); // the logins of a machine change their passwords
  db = await testDatabase();
  [port, metrics] = [await freePort(), await freePort()];
  likeTheRepository(folder);
});
afterAll(async () => {
  await db?.drop();
  await stopCluster();
  rmSync(folder, { recursive: true, force: true });
});

const there = () => ({
  cwd: folder,
  env: {
    ...{ DATABASE_URL: db.adminUrl, MASTER_KEY: db.masterKey, DATA_DIR: join(folder, "data") },
    ...{ PORT: String(port), METRICS_PORT: String(metrics) },
  },
});
const block = (page: string, first: string): string =>
  pages.find((each) => each.page === page && each.text.startsWith(first))?.text ?? "";

for (const { page, text } of pages) {
  const way = wayOf(page, text);
  if (!way || !("at" in way) || way.at !== "server") continue;
  shell(`${page}: ${text.split("\n")[0]} runs beside a PostgreSQL of one's own`, async () => {
    let script = text;
    for (const [from, to] of Object.entries(way.replace ?? {})) script = script.replaceAll(from, to);
    const works = {
      api: () => answersAt(`http://127.0.0.1:${port}`),
      worker: async () => (await fetch(`http://127.0.0.1:${metrics}/metrics`).catch(() => undefined))?.ok === true,
    };
    if (way.until) await runUntil(script, there(), works[way.until]);
    else await runBlock(script, there());
  });
}

shell("docs/database.md: migrate and api run, and the first organisation gets its first key", async () => {
  const [migrate = "", api = ""] = block("docs/database.md", "DATABASE_URL=postgres://postgres")
    .replace("postgres://postgres:secret@db:5432/botstead", `'${db.adminUrl}'`)
    .replace("postgres://db:5432/botstead", `'${withoutLogin(db.adminUrl)}'`)
    .split("\n");
  await runBlock(migrate, there());
  const serving = begin(api, there());
  try {
    await eventually(() => answersAt(`http://127.0.0.1:${port}`));
    const first = block("docs/database.md", "npx botstead platform-key").replaceAll(":3000", `:${port}`);
    const [mint = "", ...rest] = first.split("\n");
    const { stdout } = await runBlock(mint, there());
    expect(stdout).toMatch(/^bsp_\w+\n$/);
    const said = await runBlock(rest.join("\n").replace("bsp_…", stdout.trim()), there());
    expect(said.stdout).toMatch(/"name":"Acme"[\s\S]*\nbsk_\w+\n$|^\{[\s\S]*bsk_\w+\n$/);
  } finally {
    await serving.stop();
  }
});

test("docs/database.md: the lines of pg_hba.conf admit Botstead's logins to its own database only", async () => {
  const file = join(db.dataDir, "postgres", "pg_hba.conf");
  const own = new URL(db.adminUrl).pathname.slice(1);
  const ofWorker = urlAs("worker", db.adminUrl, db.key);
  const refusal = async (url: string) => {
    const client = new Client({ connectionString: url });
    client.on("error", () => {});
    const refused = await client.connect().then(
      () => undefined,
      ({ code }) => code,
    );
    await client.end().catch(() => {});
    return refused;
  };
  await db.sql("create database shop");
  expect(await refusal(urlOfDatabase("shop", ofWorker))).toBeUndefined(); // open to PUBLIC
  const lines = block("docs/database.md", "host  botstead").replace("host  botstead", `host  ${own}`);
  writeFileSync(file, `${lines}\n${readFileSync(file, "utf8")}`);
  await db.sql("select pg_reload_conf()");
  await eventually(async () => (await refusal(urlOfDatabase("shop", ofWorker))) === "28000");
  expect([await refusal(ofWorker), await refusal(urlOfDatabase("shop", db.adminUrl))]).toEqual([undefined, undefined]);
});

/** /etc is a copy that ends with the shell, and there is no systemd. */
const ownMachine = [
  "unshare",
  "--mount",
  "bash",
  "-euc",
  `mkdir upper work && mount -t tmpfs tmpfs upper && mkdir upper/etc upper/work
   mount -t overlay overlay -o lowerdir=/etc,upperdir=upper/etc,workdir=upper/work /etc
   exec "$@"`,
  "machine",
];

testWithMounts()(
  "docs/deploying.md: the commands for systemd make users, files and secrets, without systemctl",
  async () => {
    const printed = block("docs/deploying.md", "useradd");
    const left = printed.split("\n").filter((line) => line.startsWith("systemctl"));
    expect(left).toHaveLength(1); // nothing here runs systemd; test/ops checks the units
    const script = printed
      .replace(/npm ci && (.*) && npm prune --omit=dev --no-save/, "$1") // test/ops/pruned.test.ts installs
      .replace(left[0] ?? "", "")
      .replace("$(openssl rand -base64 32)", db.masterKey)
      .replace("postgres://postgres:password@db.internal:5432/botstead", db.adminUrl);
    writeFileSync(join(folder, ".env"), "BASE_URL=https://botstead.example.com\n");
    const look = `id botstead; stat -c '%a %n' /etc/botstead /etc/botstead/*; cut -d = -f 1 /etc/botstead/*.env; ls /etc/systemd/system`;
    const { stdout } = await runBlock(`${script}\n${look}`, { cwd: folder, through: ownMachine });
    expect(stdout).toContain("(botstead)");
    for (const name of ["administrator", "api", "worker", "console", "botstead"]) {
      expect(stdout).toContain(`600 /etc/botstead/${name}.env`);
    }
    for (const name of ["BASE_URL", "MASTER_KEY", "DATABASE_PASSWORD", "SMTP_URL", "botstead-worker.service"]) {
      expect(stdout).toContain(name);
    }
  },
);
