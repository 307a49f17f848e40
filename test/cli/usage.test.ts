/** What the command line says of itself, and its exit codes: 0 done, 1 could not be done, 2 not understood. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command, killPrograms } from "../support/program.ts";

let cwd: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "botstead-cli-"));
});
afterEach(async () => {
  await killPrograms();
  rmSync(cwd, { recursive: true });
});

test("it tells all of its commands", async () => {
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
    "migrate",
    "database-url",
    "platform-key",
    "key",
    "operator",
    "executor",
    "model-price",
    "audit",
    "master-key",
    "help",
  ]);
  expect(stdout).toContain("Exit codes: 0 done, 1 could not be done (a sentence says why), 2 not understood.");
});

test("each command's help tells its options and their bounds", async () => {
  const { code, stdout } = await command(["key", "mint", "--help"], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatchInlineSnapshot(`
   "Usage: botstead key mint [options]

   make a key for an owner or admin of an organisation and print it, once

   Options:
     --organisation <id or name>  the organisation
     --person <id or e-mail>      the owner or admin whom the key is bound to
     --name <name>                what it is for, 1 to 60 characters
     --scope <scope>              what it reaches (choices: "read", "write",
                                  "admin", default: "read")
     --expires-days <1..365>      its life in days (default: 90)
     -h, --help                   display help for command
   "
  `);
});

test("the version is that of the package", async () => {
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
  [["model-price", "set", "gpt", "--input", "1", "--reason", "r"], "required option '--output <euros>'"],
  [["model-price", "set", "recall", "--input", "1", "--output", "1", "--reason", "r"], "recall is built in"],
  [["model-price", "set", "gpt", "--input", "10000", "--output", "1", "--reason", "r"], "below 10000"],
  [["model-price", "set", "gpt", "--input", "-1", "--output", "1", "--reason", "r"], "below 10000"],
  [["model-price", "set", "gpt", "--input", "1.123456789", "--output", "1", "--reason", "r"], "below 10000"],
  [["model-price", "set", "gpt", "--input", "1", "--output", "1", "--reason", ""], "It must have 1 to 500 characters."],
  [["start", "--port", "1"], "unknown option '--port'"],
])("%j is not understood: 2, a word on standard error, and nothing is touched", async (args, words) => {
  const { code, stdout, stderr } = await command(args, { cwd });
  expect(code).toBe(2);
  expect(stdout).toBe("");
  expect(stderr).toContain(words);
  expect(readdirSync(cwd)).toEqual([]);
});

test("faults of the settings are told all together, one sentence each, and nothing is started", async () => {
  const env = {
    PORT: "99999",
    CONSOLE_PORT: "many",
    CONSOLE_BASE_URL: "ftp://console.example.test",
    BASE_URL: "ftp://example.test",
    DATABASE_URL: "mysql://example.test",
    DATABASE_DIRECT_URL: "mysql://direct.example.test",
    DATABASE_READ_URL: "mysql://read.example.test",
    MASTER_KEY: "short",
    SMTP_URL: "http://example.test",
    WEBHOOK_ALLOW_RANGES: "10.0.0.1/8",
    WEBHOOK_CA_FILE: "/not/there.pem",
    WEBHOOK_PROXY: "socks5://bots:geheim@proxy.example.test",
    MODEL_BASE_URL: "ftp://models.example.test",
    MODEL_API_KEY: "geheim mit Leerzeichen",
    LOG_LEVEL: "loud",
  };
  const { code, stdout, stderr } = await command(["start"], { cwd, env });
  expect([code, stdout]).toEqual([1, ""]);
  const [head, ...faults] = stderr.trimEnd().split("\n");
  expect(head).toBe("The settings can't be used:");
  expect(faults.map((fault) => fault.trim().match(/^[A-Z_]+/)?.[0]).sort()).toEqual(Object.keys(env).sort());
  for (const fault of faults) expect(fault).toMatch(/^ {2}.*\.$/);
  expect(stderr).not.toMatch(/short|geheim/); // what was given is not repeated: it may be a secret
  expect(readdirSync(cwd)).toEqual([]);
});

test("a file that can't be read is told by the name of its setting, and the other faults with it", async () => {
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

test("a database without the master key that its secrets are sealed under is refused", async () => {
  const { code, stderr } = await command(["start"], {
    cwd,
    env: { DATABASE_URL: "postgres://nobody@127.0.0.1:1/x" },
  });
  expect(code).toBe(1);
  expect(stderr).toContain("MASTER_KEY must be set when DATABASE_URL is");
});

test.each(["DATABASE_DIRECT_URL", "DATABASE_READ_URL"])(
  "%s without DATABASE_URL beside it is refused",
  async (name) => {
    const { code, stderr } = await command(["start"], { cwd, env: { [name]: "postgres://nobody@127.0.0.1:1/x" } });
    expect(code).toBe(1);
    expect(stderr).toContain(`DATABASE_URL must be set when ${name} is`);
  },
);

test.each(["start", "migrate", "platform-key list"])(
  "%s says in a sentence that the database can't be reached",
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

test.each(["api", "worker", "console", "database-url"])("%s without a database says how to have one", async (part) => {
  const { code, stderr } = await command([part], { cwd });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^No database runs on .*\. Start it with "botstead start", or set DATABASE_URL and MASTER_KEY\.\n$/,
  );
});
