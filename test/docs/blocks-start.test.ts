/**
 * Blocks of the documentation in the folder of an `npm start`, as printed except for addresses, folders and ids: commands
 * that need a running server, its backups and their restoration. (block-ways.ts)
 */
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../src/database/embedded/port.ts";
import { callerOf } from "../support/api.ts";
import {
  type Block,
  begin,
  docBlocks,
  inProject,
  likeTheRepository,
  runBlock,
  runUntil,
} from "../support/doc-blocks.ts";
import { copyMigratedFolder, keyIn } from "../support/installation.ts";
import { areThere, testWith } from "../support/machine.ts";
import { killPrograms } from "../support/program.ts";
import { newEndpoint } from "../support/resources.ts";
import { startScriptedServer } from "../support/scripted-server.ts";
import { eventually } from "../support/worker.ts";
import { wayOf } from "./block-ways.ts";

const folder = mkdtempSync(join(tmpdir(), "botstead-blocks-"));
const shell = testWith("bash", "curl", "postgresql-client");
const pages = docBlocks();
const block = (page: string, first: string): Block => {
  const found = pages.find((each) => each.page === page && each.text.startsWith(first));
  if (!found) throw new Error(`${page} has no block that begins with ${first}.`);
  return found;
};
const isReady = async ({ stdout }: { stdout: string }) => /Botstead is ready\.[\s\S]*Log /.test(stdout);

let ports: Record<"PORT" | "CONSOLE_PORT", string>;
let server: ReturnType<typeof begin>;
let key: string;
let bot: string;
let url: string;

/** Addresses and folders of this test, put in at once: a port that was put in may begin with one that is still sought. */
const placed = (text: string, more: Record<string, string> = {}): string => {
  const places: Record<string, string> = {
    ...more,
    "127.0.0.1:3000": `127.0.0.1:${ports.PORT}`,
    "127.0.0.1:3001": `127.0.0.1:${ports.CONSOLE_PORT}`,
    "https://botstead.example.com": url,
    "/mnt/backups/": `${folder}/`,
    "/opt/botstead": folder,
    "/srv/": `${folder}/restored/`,
  };
  const sought = Object.keys(places).map((each) => each.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return text.replaceAll(new RegExp(sought.join("|"), "g"), (found) => places[found] ?? found);
};

/** Another shell in the folder: without the settings of the server, which its commands find. */
const there = (env: Record<string, string> = {}) => ({ cwd: folder, env });

beforeAll(async () => {
  if (!areThere("bash", "curl", "postgresql-client")) return;
  ports = { PORT: String(await freePort()), CONSOLE_PORT: String(await freePort()) };
  url = `http://127.0.0.1:${ports.PORT}`;
  chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user
  likeTheRepository(folder);
  await copyMigratedFolder(join(folder, ".botstead"));
  server = begin(placed(block("docs/backups.md", "BACKUP_DIR=").text), there(ports));
  await eventually(async () => server.said.code !== null || (await isReady(server.said)));
  if (server.said.code !== null) throw new Error(`${server.said.stdout}\n${server.said.stderr}`);
  key = keyIn(server.said.stdout);
  [, bot = ""] = /"botId":"([^"]+)"/.exec(server.said.stdout) ?? [];
});
afterAll(async () => {
  await server?.stop();
  await killPrograms();
  rmSync(folder, { recursive: true, force: true });
});

const runs = pages.flatMap((each) => {
  const way = wayOf(each.page, each.text);
  return way && "at" in way && way.at === "start"
    ? [{ ...each, way, name: `${each.page}: ${each.text.split("\n")[0]}` }]
    : [];
});

for (const { name, language, text, way } of runs) {
  shell(`${name} runs beside npm start`, async () => {
    const command =
      language === "sql" ? `psql "$(npx botstead database-url --role administrator)" <<'SQL'\n${text}\nSQL` : text;
    const env = { DATA_DIR: join(folder, ".botstead") };
    const script = placed(command, way.replace);
    const { code, stdout, stderr } = await begin(
      script.replaceAll("psql ", "psql -v ON_ERROR_STOP=1 "), // else psql ends with 0 after a failed statement
      there(env),
    ).ending;
    if (code !== 0 && code !== way.orEndsWith) throw new Error(`${code}\n${stdout}\n${stderr}`);
  });
}

const flows = pages.filter(
  ({ text }) => text.includes("botstead listen --forward-to") && text.includes("botstead login"),
);

for (const { page, text } of flows) {
  shell(`${page}: login, listen and trigger deliver an event to a local receiver`, async () => {
    const receiver = await startScriptedServer();
    receiver.script.push((_request, response) => response.writeHead(200).end());
    const [login = "", listen = "", trigger = ""] = placed(text, {
      "http://localhost:8080": receiver.url,
      BOT_ID: bot,
    }).split("\n");
    writeFileSync(join(folder, "key.txt"), `${key}\n`);
    await runBlock(login, { ...there(), input: `${key}\n` });
    await runUntil(listen, there(), async () => {
      await runBlock(trigger, there());
      return receiver.seen.length > 0; // the stream may open after the first of them
    });
    expect(receiver.seen[0]?.headers["x-botstead-event"]).toBe("run.finished");
    await receiver.close();
  });
}

shell("docs/receiving-webhooks.md: the call that recovers deliveries succeeds", async () => {
  const call = callerOf(url);
  const { body } = await call<{ id: string }>("POST", "/webhooks", { key, body: newEndpoint });
  const env = { API: `${url}/api/v1`, ID: body.id, KEY: key };
  const { stdout } = await runBlock(block("docs/receiving-webhooks.md", "curl -s").text, there(env));
  expect(JSON.parse(stdout)).toMatchObject({ recovered: 0 });
});

shell("docs/audit-stream.md: the call that creates the stream succeeds", async () => {
  const env = { BOTSTEAD_URL: url, BOTSTEAD_KEY: key };
  const { stdout } = await runBlock(block("docs/audit-stream.md", "curl -sS").text, there(env));
  expect(JSON.parse(stdout)).toMatchObject({ format: "ocsf", secret: expect.stringMatching(/^whsec_/) });
});

shell("docs/specification/events.md: the stream opens and shows an event", async () => {
  const env = { BOTSTEAD_URL: url, BOTSTEAD_KEY: key };
  const trigger = `npx botstead trigger run.finished --bot ${bot}`;
  await runUntil(block("docs/specification/events.md", "curl -N").text, there(env), async ({ stdout }) => {
    await runBlock(trigger, there(env));
    return stdout.includes("event: run.finished");
  });
});

shell("docs/settings.md: a file of settings is loaded by the shell", async () => {
  const home = join(folder, "settings");
  mkdirSync(home);
  likeTheRepository(home);
  await copyMigratedFolder(join(home, ".botstead"));
  const [port, consolePort] = [await freePort(), await freePort()];
  const example = readFileSync(inProject(".env.example"), "utf8");
  writeFileSync(join(home, ".env"), `${example}\nPORT=${port}\nCONSOLE_PORT=${consolePort}\n`);
  const { stdout } = await runUntil(block("docs/settings.md", "set -a").text, { cwd: home }, isReady);
  expect(stdout).toContain(`http://127.0.0.1:${port}/api/v1`);
});

shell("docs/backups.md: the nightly line, the list, the restoration and the packed folder work", async () => {
  const line = placed(block("docs/backups.md", "15 3").text).replace(/^(\S+ ){5}/, "");
  await runBlock(line, there());
  const listed = await runBlock(block("docs/backups.md", "npx botstead backup list").text, there());
  expect(listed.stdout).toContain("Z");
  await server.stop();

  // As a disk that was lost: the key was kept elsewhere, and all of the archive is restored.
  copyFileSync(join(folder, ".botstead", "master.key"), join(folder, "master.key"));
  const restore = placed(block("docs/backups.md", "install -D").text).replace(/ --to-time \S+/, "");
  const { stdout } = await runUntil(restore, there(ports), isReady);
  expect(stdout).toContain(`Data      ${join(folder, "restored", "botstead")}`);

  await runBlock(block("docs/backups.md", "tar --create").text, there());
  rmSync(join(folder, ".botstead"), { recursive: true });
  await runBlock(block("docs/backups.md", "tar --extract").text, there());
  expect(existsSync(join(folder, ".botstead", "master.key"))).toBe(true);
});
