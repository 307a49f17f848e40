/** Help texts and exit codes of the command line: 0 done, 1 failed, 2 wrong usage. */
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { everyCommand } from "../support/commands.ts";
import { command, killPrograms } from "../support/program.ts";

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "botstead-cli-"));
});
afterEach(async () => {
  await killPrograms();
  rmSync(cwd, { recursive: true });
});

test("--help lists every command", async () => {
  const { code, stdout, stderr } = await command(["--help"], { cwd });
  expect([code, stderr]).toEqual([0, ""]);
  const lines = stdout.split("\n");
  expect(lines[0]).toBe("Usage: botstead [options] [command]");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  const commands = lines
    .slice(lines.indexOf("Commands:") + 1)
    .map((line) => line.match(/^ {2}([a-z-]+)/)?.[1])
    .filter(Boolean);
  expect(commands).toEqual([
    "start",
    "api",
    "worker",
    "console",
    "build",
    "migrate",
    "secrets",
    "database-url",
    "platform-key",
    "key",
    "operator",
    "executor",
    "model-price",
    "audit",
    "status",
    "doctor",
    "queue",
    "request",
    "run",
    "delivery",
    "master-key",
    "signing-key",
    "backup",
    "restore",
    "organisation",
    "directory",
    "cell",
    "witness",
    "help",
  ]);
  expect(stdout).toContain("Exit codes: 0 done, 1 failed (a sentence says why), 2 wrong usage.");
});

test("a command's --help lists its options and their bounds", async () => {
  const { code, stdout } = await command(["key", "mint", "--help"], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
   "Usage: botstead key mint [options]

   create a key for an owner or admin of an organisation and print it once

   Options:
     --json                       as JSON, with times in ISO 8601
     --organisation <id or name>  the organisation
     --person <id or e-mail>      the owner or admin whose key it is
     --name <name>                its purpose, 1 to 60 characters
     --scope <scope>              what it may do (choices: "read", "write",
                                  "admin", default: "read")
     --expires-days <1..365>      its lifetime in days (default: 90)
     --by <name>                  who does this, for the operators' log, 1 to 60
                                  characters (default: your login)
     --reason <text>              for the operators' log, 1 to 500 characters
     -h, --help                   display help for command
   "
  `);
});

test("--version prints the version of the package", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const { code, stdout } = await command(["--version"], { cwd });
  expect([code, stdout]).toEqual([0, `${version}\n`]);
});

test.each([
  [[], "Usage: botstead"],
  [["nonsense"], "unknown command 'nonsense'"],
  [["platform-key"], "Usage: botstead platform-key"],
  [["platform-key", "mint"], "required option '--name <name>' not specified"],
  [["platform-key", "mint", "--name", ""], "It must have 1 to 60 characters."],
  [["platform-key", "mint", "--name", "n".repeat(61)], "It must have 1 to 60 characters."],
  [["platform-key", "mint", "--name", "n", "--expires-days", "0"], "It must be 1 to 365."],
  [["platform-key", "mint", "--name", "n", "--expires-days", "366"], "It must be 1 to 365."],
  [["platform-key", "mint", "--name", "n", "--expires-days", "1.5"], "It must be 1 to 365."],
  [["platform-key", "revoke"], "missing required argument 'key'"],
  [["key", "mint", "--name", "n", "--organisation", "o"], "required option '--person"],
  [["key", "mint", "--name", "n", "--organisation", "o", "--person", "p", "--scope", "all"], "read, write, admin"],
  [["operator", "mint"], "required option '--name <name>' not specified"],
  [["signing-key", "rotate", "--overlap-hours", "721"], "It must be 0 to 720."],
  [["model-price", "set", "gpt", "--input", "1"], "required option '--output <euros>'"],
  [["model-price", "set", "recall", "--input", "1", "--output", "1"], "recall is built in"],
  [["model-price", "set", "gpt", "--input", "10000", "--output", "1"], "below 10000"],
  [["model-price", "set", "gpt", "--input", "-1", "--output", "1"], "below 10000"],
  [["model-price", "set", "gpt", "--input", "1.123456789", "--output", "1"], "below 10000"],
  [["model-price", "set", "gpt", "--input", "1", "--output", "1", "--reason", ""], "It must have 1 to 500 characters."],
  [["key", "revoke", "k", "--by", ""], "It must have 1 to 60 characters."],
  [["start", "--port", "1"], "unknown option '--port'"],
])("%j is wrong usage: exit code 2, a message on standard error, and no file is created", async (args, words) => {
  const { code, stdout, stderr } = await command(args, { cwd });
  expect(code).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toContain(words);
  expect(readdirSync(cwd)).toEqual([]);
});

test("faults of the settings are reported together, a sentence each, and nothing starts", async () => {
  const env = {
    PORT: "99999",
    CONSOLE_PORT: "geheim",
    METRICS_PORT: "-777",
    MAX_CONNECTIONS: "0.777",
    KEEP_ALIVE_SECONDS: "4",
    RESPONSE_TIMEOUT_SECONDS: "31",
    OTEL_TRACES_SAMPLER_ARG: "777",
    MAIL_FROM: "§§",
    TRUSTED_PROXIES: "geheim",
    CONSOLE_BASE_URL: "ftp://console.example.test",
    BASE_URL: "ftp://example.test",
    DATABASE_URL: "mysql://example.test",
    DATABASE_DIRECT_URL: "mysql://direct.example.test",
    DATABASE_READ_URL: "mysql://read.example.test",
    MASTER_KEY: "short",
    SMTP_URL: "http://example.test",
    WEBHOOK_ALLOW_RANGES: "geheim",
    WEBHOOK_ALLOW_HOSTS: "geheim..corp",
    WEBHOOK_CA_FILE: "/geheim.pem",
    WEBHOOK_PROXY: "socks5://bots:geheim@proxy.example.test",
    MODEL_BASE_URL: "ftp://models.example.test",
    MODEL_API_KEY: "geheim mit Leerzeichen",
    MODEL_IDLE_TIMEOUT_SECONDS: "0",
    MODEL_TURN_TIMEOUT_SECONDS: "601",
    LOG_LEVEL: "geheim",
  };
  const { code, stdout, stderr } = await command(["start"], { cwd, env });
  expect([code, stdout]).toEqual([1, ""]);
  const [head, ...faults] = stderr.trimEnd().split("\n");
  expect(head).toBe("The settings can't be used:");
  expect(faults.map((fault) => fault.trim().match(/^[A-Z_]+/)?.[0]).sort()).toEqual(Object.keys(env).sort());
  for (const fault of faults) expect(fault).toMatch(/^ {2}.*\.$/);
  expect(stderr).not.toMatch(/short|geheim|99999|777|§|example\.test/); // values may be secrets
  expect(readdirSync(cwd)).toEqual([]);
});

test("a variable with a name similar to a setting is reported as a warning with that setting", async () => {
  const env = {
    WEBHOOK_ALOW_RANGES: "10.0.0.0/8",
    log_level: "debug",
    DATABSE_URL: "postgres://a:geheim@b/c",
    HOSTS: "x",
    PATH_X: "y",
  };
  const { code, stderr } = await command(["platform-key", "list"], { cwd, env });
  expect(code).toBe(1);
  expect(stderr.trim().split("\n").slice(0, -1)).toEqual([
    "Warning: WEBHOOK_ALOW_RANGES is not a setting and has no effect. Did you mean WEBHOOK_ALLOW_RANGES?",
    "Warning: log_level is not a setting and has no effect. Did you mean LOG_LEVEL?",
    "Warning: DATABSE_URL is not a setting and has no effect. Did you mean DATABASE_URL?",
  ]);
});

test.each([
  [
    "a file in the way",
    (folder: string) => writeFileSync(join(folder, "data"), ""),
    "data",
    "a part of the path is a file, not a folder",
  ],
  [
    "a file above it",
    (folder: string) => writeFileSync(join(folder, "file"), ""),
    "file/data",
    "a part of the path is a file, not a folder",
  ],
])("start with a data folder that can't be: %s", async (_name, prepare, dataDir, reason) => {
  prepare(cwd);
  const { PORT, CONSOLE_PORT } = { PORT: "0", CONSOLE_PORT: "0" };
  const { code, stderr } = await command(["start"], { cwd, env: { DATA_DIR: join(cwd, dataDir), PORT, CONSOLE_PORT } });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^\S+ can't be used: .*\. Correct that, or choose another folder with DATA_DIR\.\n$/);
  expect(stderr).toContain(reason);
});

test("an unreadable file is reported with the name of its setting, together with other faults", async () => {
  const env = { PORT: "99999", WEBHOOK_CA_FILE: cwd };
  const { code, stderr } = await command(["start"], { cwd, env });
  expect(code).toBe(1);
  expect(
    stderr
      .match(/^ {2}[A-Z_]+/gm)
      ?.map((name) => name.trim())
      .sort(),
  ).toEqual(Object.keys(env));
});

test("DATABASE_URL without MASTER_KEY is refused", async () => {
  const { code, stderr } = await command(["start"], {
    cwd,
    env: { DATABASE_URL: "postgres://nobody@127.0.0.1:1/x" },
  });
  expect(code).toBe(1);
  expect(stderr).toContain("MASTER_KEY must be set when DATABASE_URL is");
});

test.each(["DATABASE_DIRECT_URL", "DATABASE_READ_URL"])("%s without DATABASE_URL is refused", async (name) => {
  const { code, stderr } = await command(["start"], { cwd, env: { [name]: "postgres://nobody@127.0.0.1:1/x" } });
  expect(code).toBe(1);
  expect(stderr).toContain(`DATABASE_URL must be set when ${name} is`);
});

test.each(["start", "migrate", "platform-key list"])(
  "%s reports an unreachable database in a sentence",
  async (line) => {
    const env = {
      DATABASE_URL: "postgres://nobody@localhost:1/x",
      MASTER_KEY: Buffer.alloc(32).toString("base64"),
    };
    const { code, stderr } = await command(line.split(" "), { cwd, env });
    expect(code).toBe(1);
    expect(stderr.trim()).toMatch(/^The database can't be reached: .*ECONNREFUSED.*\.$/);
  },
);

test.each([
  ["platform-key mint --name x"],
  ["platform-key list"],
  ["platform-key revoke x"],
  ["key mint --organisation x --person x --name x"],
  ["operator mint --name x"],
  ["operator list"],
  ["operator revoke x"],
  ["executor mint --name x"],
  ["executor list"],
  ["executor revoke x"],
  ["model-price list"],
  ["signing-key list"],
  ["master-key rotate"],
])("%s without a database fails with a sentence and creates nothing", async (line) => {
  expect(await command(line.split(" "), { cwd })).toMatchObject({
    code: 1,
    stdout: "",
    stderr: `There is no database in ${join(realpathSync(cwd), ".botstead")}. "botstead start" creates one; if yours is elsewhere, set DATA_DIR or DATABASE_URL.\n`,
  });
  expect(readdirSync(cwd)).toEqual([]);
});

test.each(["api", "worker", "console", "database-url", "audit"])(
  "%s without a database says how to get one",
  async (part) => {
    const { code, stderr } = await command([part], { cwd });
    expect(code).toBe(part === "audit" ? 3 : 1);
    expect(readdirSync(cwd)).toEqual([]);
    expect(stderr).toMatch(
      /^No database runs on .*\. Start it with "botstead start", or set DATABASE_URL and MASTER_KEY\.\n$/,
    );
  },
);

test("every command has --json, except the commands that docs/commands.md names", async () => {
  const documented = readFileSync(new URL("../../docs/commands.md", import.meta.url), "utf8");
  const [, sentence = ""] = /All have `--json`, except:\n\n((?:- .*\n)+)/.exec(documented) ?? [];
  const without = [...(await everyCommand())].filter(
    ([, { options }]) => !options.some(({ long }) => long === "--json"),
  );
  expect(without.map(([words]) => words).sort()).toEqual(
    [...sentence.matchAll(/`([^`]+)`/g)].map(([, words]) => words).sort(),
  );
});
