/** The command line for integrators, as a program against a real API. (docs/integrators.md) */
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { isTenantCommand } from "../../src/tenant/commands.ts";
import { completions } from "../../src/tenant/completion.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeEvents } from "../support/events.ts";
import { testWith } from "../support/machine.ts";
import { expectSigned } from "../support/post-office.ts";
import { cli, killPrograms, type Program, runProgram } from "../support/program.ts";
import { newEndpoint } from "../support/resources.ts";
import { eventually, longestWaitMs } from "../support/worker.ts";

const run = promisify(execFile);
const here = apiOfFile();
const folder = mkdtempSync(join(tmpdir(), "botstead-integrators-"));
afterAll(async () => {
  await killPrograms();
  rmSync(folder, { recursive: true, force: true });
});

const environment = (who: Member) => ({
  BOTSTEAD_URL: here.api.url,
  BOTSTEAD_KEY: who.key.text,
  XDG_CONFIG_HOME: join(folder, who.organisation.id),
});
const begin = (who: Member, ...args: string[]): Program => runProgram(args, { env: environment(who) });
const ended = async (who: Member, ...args: string[]) => (await begin(who, ...args).ending) as Json;

type Said = { code: number | null; stdout: string; stderr: string };

/** Runs a command with this standard input. */
function typed(input: string, args: string[], env: Record<string, string>): Promise<Said> {
  const child = spawn(process.execPath, [cli, ...args], { env: { PATH: process.env.PATH, ...env } });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name].on("data", (part) => (said[name] += part));
  child.stdin.end(input);
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...said })));
}

test("login stores an accepted key for its owner alone, and logout removes it", async () => {
  const ada = await here.owner();
  const env = { XDG_CONFIG_HOME: join(folder, "file"), PATH: "/nonexistent" }; // without the program of a keyring
  const file = join(env.XDG_CONFIG_HOME, "botstead", "login.json");
  const login = (key: string) => typed(`${key}\n`, ["login", "--url", here.api.url, "--json"], env);
  expect(await login("bsk_wrong")).toMatchObject({ code: 3, stdout: "" });
  const { code, stdout, stderr } = await login(ada.key.text);
  expect({ code, stderr, said: JSON.parse(stdout) }).toEqual({
    code: 0,
    stderr: "",
    said: { organisationId: ada.organisation.id, place: file },
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ url: here.api.url, key: ada.key.text });
  const me = await typed("", ["api", "GET", "/me"], env);
  expect(JSON.parse(me.stdout).organisation.id).toBe(ada.organisation.id);
  expect((await typed("", ["logout"], env)).code).toBe(0);
  expect(await typed("", ["api", "GET", "/me"], env)).toMatchObject({ code: 3, stdout: "" });
});

testWith(
  "libsecret-tools",
  "gnome-keyring",
  "dbus-daemon",
)("login puts the key into the keyring, where it can be unlocked, and logout removes it", async () => {
  const ada = await here.owner();
  const home = join(folder, "keyring");
  mkdirSync(home);
  const lookUp = `secret-tool lookup service botstead url ${here.api.url}`;
  const botstead = `${process.execPath} ${cli}`;
  const script = `printf password | gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null
      printf %s "$KEY" | ${botstead} login --url ${here.api.url} && cat .config/botstead/login.json && ${lookUp} && echo
      ${botstead} api GET /me
      PATH=/nonexistent ${botstead} api GET /me 2>&1
      ${botstead} logout; ${lookUp} || ${botstead} api GET /me || echo $?`;
  const env = { PATH: process.env.PATH, HOME: home, KEY: ada.key.text };
  const { stdout } = await run("dbus-run-session", ["--", "sh", "-c", script], { cwd: home, env });
  const [said, rest = ""] = stdout.split(/\n(.*)/s);
  expect(said).toContain("The key is in the keyring.");
  const [file, me, locked, ended] = rest.split("\n");
  expect(file).toBe(JSON.stringify({ url: here.api.url }) + ada.key.text);
  expect(JSON.parse(me ?? "").organisation.id).toBe(ada.organisation.id);
  expect(locked).toContain("The keyring does not return the key");
  expect(ended).toBe("3");
});

test("listen posts new events in order, signed as deliveries are, and logs each", async () => {
  const received: { headers: Json; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += part));
    request.on("end", () => {
      received.push({ headers: request.headers, body });
      response.writeHead(received.length === 1 ? 500 : 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const ada = await here.owner();
  const webhook = (await ada.post("/webhooks", newEndpoint)).body.id;
  const listening = begin(ada, "listen", "--forward-to", url, "--events", "run.finished,webhook.test", "--json");
  const [, secret = ""] = await listening.says(/"secret":"(whsec_[^"]+)"/);
  // The stream may open after the first of them: each attempt writes one more.
  await eventually(async () => {
    if (received.length === 0) await makeEvents(here.db, { organisationId: ada.organisation.id });
    return received.length > 0;
  });
  const { id } = (await ada.post(`/webhooks/${webhook}/test`)).body;
  await eventually(async () => received.some(({ headers }) => headers["x-botstead-delivery"] === id));
  const [first] = received;
  expect(JSON.parse(first?.body ?? "")).toMatchObject({ event: "run.finished", organisationId: ada.organisation.id });
  for (const post of received) expectSigned(post as never, secret);
  await listening.says(new RegExp(`"id":"${id}","statusCode":200`));
  expect(listening.stdout()).toMatch(/"event":"run.finished",.*"statusCode":500/);
  await listening.kill("SIGTERM");
  await new Promise((resolve) => server.close(resolve));
});

test("listen keeps its secret between starts, for its user alone, and prefers the secret of --secret", async () => {
  const ada = await here.owner();
  const secretOf = async (...more: string[]) => {
    const listening = begin(ada, "listen", "--forward-to", "http://127.0.0.1:1", "--json", ...more);
    const [, secret = ""] = await listening.says(/"secret":"(whsec_[^"]+)"/);
    await listening.kill("SIGTERM");
    return secret;
  };
  const kept = await secretOf();
  expect(await secretOf("--secret", "whsec_b3RoZXI=")).toBe("whsec_b3RoZXI=");
  expect(await secretOf()).toBe(kept);
  const file = join(folder, ada.organisation.id, "botstead", "listen-secret");
  expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual([`${kept}\n`, 0o600]);
  writeFileSync(file, "");
  const { code, stderr } = await ended(ada, "listen", "--forward-to", "http://127.0.0.1:1");
  expect([code, stderr]).toEqual([1, `${file} has no signing secret. Delete the file.\n`]);
});

test("listen says which events no endpoint subscribes to, and shows one that trigger makes", async () => {
  const ada = await here.owner();
  const to = ["--forward-to", "http://127.0.0.1:1", "--events", "memory.created,run.finished"];
  const listening = begin(ada, "listen", ...to);
  await listening.says(/Signing secret: whsec_/);
  expect(listening.stderr()).toMatch(/^No endpoint subscribes to memory\.created\. It is written only while one does/);
  await eventually(async () => {
    expect((await ended(ada, "trigger", "memory.created")).code).toBe(0);
    return listening.stdout().includes("memory.created"); // the stream may open after the first of them
  });
  await listening.kill("SIGTERM");
});

test("an unknown event is refused with the nearest name", async () => {
  const ada = await here.owner();
  for (const args of [
    ["listen", "--forward-to", "http://127.0.0.1:1", "--events", "webhook.test,run.finsihed"],
    ["events", "tail", "--event", "run.finish"],
    ["trigger", "run.finised"],
  ]) {
    const { code, stdout, stderr } = await ended(ada, ...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("Did you mean run.finished?");
  }
  expect((await ended(ada, "trigger")).stderr).toMatch(/^Name an event: approval\.needed, /);
});

test("events tail prints events after a cursor, and then live", async () => {
  const ada = await here.owner();
  const start = (await ada.get("/events")).body.position;
  const [id] = await makeEvents(here.db, { organisationId: ada.organisation.id });
  const tail = begin(ada, "events", "tail", "--after", start, "--json");
  await tail.says(new RegExp(`"id":"${id}"`));
  const [later] = await makeEvents(here.db, { organisationId: ada.organisation.id, kind: "webhook.test" } as never);
  await tail.says(new RegExp(`"id":"${later}"`));
  await tail.kill("SIGTERM");
});

test("runs start prints an id, and runs watch ends with the run: 4 unless it completed", async () => {
  const ada = await here.owner();
  const bot = (await ada.post("/bots", { name: "Ada" })).body.id;
  const { code, stdout } = await ended(ada, "runs", "start", "--bot", bot, "--message", "Hello");
  expect(code).toBe(0);
  const id = stdout.trim();
  const watching = begin(ada, "runs", "watch", id);
  await watching.says(/1 {2}state {2}queued/);
  await here.db.sql(
    `insert into app.messages (organisation_id, conversation_id, run_id, author, text)
     select organisation_id, conversation_id, id, 'bot', $2 from app.runs where id = $1`,
    [id, "\u001b]52;c;ZXZpbA==\u0007done\n9  end  completed"],
  );
  await watching.says(/message {2}\ufffd\]52;c;ZXZpbA==\ufffddone\n {4}9 {2}end/);
  await ada.post(`/runs/${id}/cancel`);
  expect(await watching.ending).toMatchObject({ code: 4, stdout: expect.stringContaining("end  cancelled") });
});

test("api prints the answer of any call; refusals and wrong usage have their exit codes", async () => {
  const ada = await here.owner();
  const made = await ended(ada, "api", "post", "/bots", "--data", '{"name":"Eve"}');
  expect([made.code, JSON.parse(made.stdout).name]).toEqual([0, "Eve"]);
  expect(await ended(ada, "api", "GET", "/runs/5")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/ \(not_found, request [0-9a-f-]{36}\)\n$/),
  });
  const { id } = (await ada.post("/bots", { name: "Ada" })).body;
  const run = (await ada.post("/runs", { botId: id, message: "Hi" })).body;
  expect((await ended(ada, "api", "POST", `/runs/${run.id}/resume`)).stderr).toContain("(conflict, run_not_blocked, ");
  const wrong = [
    ["api", "PUT", "/me"],
    ["api", "GET", "/me", "--data", "{"],
    ["listen"],
    ["listen", "--forward-to", "localhost:3000"],
    ["login", "--url", "localhost:3000"],
    ["completion", "tcsh"],
    ["completion", "constructor"],
    ["runs", "x"],
  ];
  for (const args of wrong) expect([args, (await ended(ada, ...args)).code]).toEqual([args, 2]);
});

testWith("zsh")("an interactive zsh without set-up of its own completes commands", async () => {
  const script = join(folder, "completion.zsh");
  writeFileSync(script, completions.zsh ?? "");
  const program = `zmodload zsh/zpty
    zpty shell zsh -f -i
    zpty -w shell "source ${script}; echo loaded"
    zpty -r shell seen $'*\\nloaded*'
    zpty -w -n shell $'botstead ru\\tw\\t'
    zpty -r shell seen '*runs*watch*'`;
  const env = { PATH: process.env.PATH, HOME: folder, TERM: "dumb" };
  await run("zsh", ["-f", "-c", program], { env, timeout: longestWaitMs }); // waits for the words
});

testWith("fish")("fish completes commands", async () => {
  const script = join(folder, "completion.fish");
  writeFileSync(script, completions.fish ?? "");
  const words = async (line: string) =>
    (await run("fish", ["-c", `source ${script}; complete -C "${line}"`], { env: { ...process.env, HOME: folder } }))
      .stdout;
  expect(await words("botstead ru")).toBe("runs\n");
  expect((await words("botstead runs ")).trim().split("\n").slice(0, 2)).toEqual(["start", "watch"]);
});

test("completion scripts name every command", async () => {
  expect(Object.keys(completions)).toEqual(["bash", "zsh", "fish"]);
  for (const script of Object.values(completions)) {
    for (const name of ["login", "listen", "trigger", "events", "runs", "api"]) {
      expect(script).toContain(name);
      expect(isTenantCommand([name, "x"])).toBe(true);
    }
  }
  expect(isTenantCommand(["api"])).toBe(false); // the process
  const bash = `${completions.bash}\nCOMP_WORDS=(botstead ru); COMP_CWORD=1; _botstead; echo "\${COMPREPLY[*]}"
    COMP_WORDS=(botstead runs ""); COMP_CWORD=2; _botstead; echo "\${COMPREPLY[*]}"`;
  const { stdout } = await new Promise<Said>((resolve) => {
    const child = spawn("bash", ["-c", bash]);
    let stdout = "";
    child.stdout.on("data", (part) => (stdout += part));
    child.once("close", (code) => resolve({ code, stdout, stderr: "" }));
  });
  expect(stdout).toBe("runs\nstart watch --bot --message --json\n");
});
