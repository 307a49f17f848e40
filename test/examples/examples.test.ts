/**
 * The examples, as they stand, against a real API and worker: the same stories in each language, each in an
 * organisation of its own.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, extname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { freePort } from "../../src/database/embedded/port.ts";
import { makeKey } from "../support/database.ts";
import { makeDeliveries, makeEvents, minutesAgo } from "../support/events.ts";
import { testWith } from "../support/machine.ts";
import { type Customer, customer, openPostOffice, type PostOffice, status } from "../support/post-office.ts";
import { killPrograms, runProgram } from "../support/program.ts";
import type { Received } from "../support/receiver.ts";
import { eventually } from "../support/worker.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const examples = join(root, "examples");
let office: PostOffice;
let ada: Customer;
let key: string;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  office = await openPostOffice();
});
beforeEach(async () => {
  ada = await customer(office);
  key = (await makeKey(office.db, ada.organisation.id, ada.organisation.ownerId, "admin")).text;
});
afterAll(async () => {
  for (const child of children) child.kill();
  await killPrograms();
  await office.close();
});

// TypeScript is not built for this: the condition leads "botstead/client" to its source. What is built is tried in test/client.
const interpreters: Record<string, string[]> = {
  ".ts": [process.execPath, "--conditions=botstead-source"],
  ".py": ["python3", "-B"],
  ".sh": ["bash"],
};

type Story = "run" | "memories" | "hook" | "webhook" | "recover" | "keys" | "people";
type Language = { name: string; command: string[]; needs: string[]; files: Record<Story, string> };

const languages: Language[] = [
  {
    name: "TypeScript",
    command: interpreters[".ts"] ?? [],
    needs: [],
    files: {
      run: "typescript/start-a-run.ts",
      memories: "typescript/memories.ts",
      hook: "typescript/hook.ts",
      webhook: "typescript/webhook.ts",
      recover: "typescript/recover.ts",
      keys: "typescript/keys.ts",
      people: "typescript/people.ts",
    },
  },
  {
    name: "Python",
    command: interpreters[".py"] ?? [],
    needs: ["python3"],
    files: {
      run: "python/start_a_run.py",
      memories: "python/memories.py",
      hook: "python/hook.py",
      webhook: "python/webhook.py",
      recover: "python/recover.py",
      keys: "python/keys.py",
      people: "python/people.py",
    },
  },
  {
    name: "curl",
    command: interpreters[".sh"] ?? [],
    needs: ["bash", "curl", "openssl"],
    files: {
      run: "curl/start-a-run.sh",
      memories: "curl/memories.sh",
      hook: "curl/hook.sh",
      webhook: "curl/webhook.sh",
      recover: "curl/recover.sh",
      keys: "curl/keys.sh",
      people: "curl/people.sh",
    },
  },
];

/** Returns the output. @throws Error with the whole output if the program fails unexpectedly */
async function run(
  command: string[],
  args: string[],
  env: Record<string, string> = {},
  mayFail?: "mayFail",
  cwd = examples,
): Promise<string> {
  const { PATH = "", HOME = "" } = process.env;
  const [program = "", ...first] = command;
  const child = spawn(program, [...first, ...args], {
    cwd,
    env: { PATH, HOME, BOTSTEAD_URL: office.api.url, BOTSTEAD_KEY: key, PYTHONIOENCODING: "utf-8", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [said, complained, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  children.delete(child);
  if (code !== 0 && !mayFail) throw new Error(`${[...command, ...args].join(" ")}: ${code}\n${said}\n${complained}`);
  return said;
}

/** Passes a request on to a program that listens behind the receiver, as a reverse proxy does. Answers its status. */
function passOn({ headers, body }: Received, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const onwards = forward({ host: "127.0.0.1", port, method: "POST", headers }, (answer) => {
      answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
    });
    onwards.once("error", reject).end(body);
  });
}

describe.each(languages)("in $name", ({ name, command, needs, files }) => {
  const testHere = testWith(...needs);

  testHere("start-a-run starts a run and prints its answer", async () => {
    const value = "Version 2 ships on 12 December.";
    await ada.ask("POST", "/memories", { scope: "organisation", kind: "milestone", subject: "Next release", value });
    const question = 'When does the next release ship?","botId":"\\\n\tIn C:\\new, that is.';
    expect(await run(command, [files.run, question])).toContain(value);
    const runs = (await ada.ask("GET", "/runs")).body.data;
    expect(runs).toEqual([expect.objectContaining({ state: "completed", trigger: "api", botId: ada.bot })]);
    const said = (await ada.ask("GET", `/runs/${runs[0].id}/messages`)).body.data;
    expect(said.map((each: { text: string }) => each.text)).toContain(question);
  });

  testHere("hook creates a hook and posts to it, which starts a run", async () => {
    const said = await run(command, [files.hook, "The crane stands still."]);
    const [, id = ""] = /^started: ([0-9a-f-]{36}), trigger webhook\n$/.exec(said) ?? [];
    expect((await ada.ask("GET", `/runs/${id}`)).body).toMatchObject({ botId: ada.bot, taint: true });
    const words = (await ada.ask("GET", `/runs/${id}/messages`)).body.data.map((each: { text: string }) => each.text);
    expect(words).toContain("The crane stands still.");
    expect((await ada.ask("GET", "/hooks")).body.data).toEqual([]);
  });

  testHere("memories creates memories and lists them over several pages", async () => {
    const earlier = { scope: "organisation", kind: "fact", subject: "Harbour", value: "Two cranes" };
    await ada.ask("POST", "/memories", earlier);
    const said = await run(command, [files.memories]);
    const places = ["nine to noon", "Tuesday", "Monday", "Two cranes"].map((part) => said.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    if (name === "curl") expect(said.match(/"nextCursor"/g)).toHaveLength(2);
    else expect(said).toContain("refused: invalid_request body.kind");
    expect((await ada.ask("GET", "/memories")).body.data).toHaveLength(4);
  });

  testHere("keys creates, uses, rotates and revokes a key, and prints none", async () => {
    const said = await run(command, [files.keys]);
    expect(said).toMatch(/^made: bsk_\w{8}….*\nrotated: bsk_\w{8}….*\nrevoked: .*\n$/);
    expect(said).not.toMatch(/bsk_\w{9}/);
    const made = (await ada.ask("GET", "/keys")).body.data.filter((row: { name: string }) => row.name !== "test");
    expect(made).toEqual([
      expect.objectContaining({ revokedAt: null, lastUsedAt: expect.any(String) }),
      expect.objectContaining({ revokedAt: expect.any(String), lastUsedAt: expect.any(String) }),
    ]);
  });

  testHere("people invites one person, and two more in a batch", async () => {
    const people = ["ada", "bob", "cyd"].map((person) => `${person}.${name.toLowerCase()}@example.test`);
    const said = await run(command, [files.people, ...people]);
    for (const email of people) expect(said).toContain(email);
    const open = (await ada.ask("GET", "/invitations")).body.data;
    const invited = open.map(({ email, role }: { email: string; role: string }) => [email, role]);
    expect(invited.sort()).toEqual(people.map((email, index) => [email, index === 0 ? "admin" : "member"]));
  });

  testHere("recover redelivers what an endpoint missed, and reads the event feed to its end", async () => {
    const hook = office.hook();
    const endpoint = await ada.subscribe(hook);
    await ada.ask("PATCH", `/webhooks/${endpoint.id}`, { state: "paused" });
    const organisationId = ada.organisation.id;
    const [failed = "", missing = ""] = await makeEvents(office.db, { organisationId }, { count: 2 });
    const [delivery] = await makeDeliveries(office.db, { organisationId, endpointId: endpoint.id, eventId: failed });
    await ada.ask("PATCH", `/webhooks/${endpoint.id}`, { state: "active" });
    const said = await run(command, [files.recover, endpoint.id, minutesAgo(10)]);
    await eventually(async () => hook.posts().length === 2);
    const ids = hook.posts().map(({ body }) => JSON.parse(body).id);
    expect(ids).toContain(delivery);
    if (name === "curl") expect(said.match(/"recovered":1,"hasMore":false/g)).toHaveLength(2);
    else expect(said).toMatch(/^recovered: 1 failed\nrecovered: 1 missing\n/);
    expect(said.indexOf(failed)).toBeLessThan(said.indexOf(missing));
    expect(said).toMatch(/\ncontinue after: [0-9a-f]{56}\n$/);
  });

  if (name === "curl") {
    testHere("webhook creates and tests an endpoint, and verifies the delivery", async () => {
      const hook = office.hook(status(200));
      const said = await run(command, [files.webhook, hook.url]);
      const [, secret = ""] = /^secret: (whsec_\S+)\ndelivered: [0-9a-f-]{36}\n$/.exec(said) ?? [];
      const [post] = hook.posts();
      const folder = mkdtempSync(join(tmpdir(), "botstead-delivery-"));
      const verify = (body: string, more = {}) => {
        const file = join(folder, "body.json");
        writeFileSync(file, body);
        const TIMESTAMP = String(post?.headers["x-botstead-timestamp"]);
        const SIGNATURE = String(post?.headers["x-botstead-signature"]);
        const env = { SECRET: secret, TIMESTAMP, SIGNATURE, ...more };
        return run(command, ["curl/verify-delivery.sh", file], env, "mayFail");
      };
      const body = post?.body ?? "";
      expect(await verify(body)).toBe("verified: webhook.test\n");
      expect(await verify(`${body} `)).toBe("refused: signature\n");
      expect(await verify(body, { SECRET: "whsec_other" })).toBe("refused: signature\n");
      expect(await verify(body, { TIMESTAMP: "1700000000" })).toBe("refused: timestamp\n");
      rmSync(folder, { recursive: true });
    });
  } else {
    testHere("webhook creates an endpoint, whose receiver accepts signed deliveries and refuses others", async () => {
      const port = await freePort();
      const statuses: number[] = [];
      const hook = office.hook(async (_request, response) => {
        const post = hook.posts().at(-1) as Received;
        // First a modified delivery, then the original.
        const forged = post.body.replace("webhook.test", "run.finished");
        const changed = { ...post.headers, "content-length": String(Buffer.byteLength(forged)) };
        statuses.push(await passOn({ ...post, headers: changed, body: forged }, port));
        statuses.push(await passOn(post, port));
        response.writeHead(statuses.at(-1) ?? 500).end();
      });
      const said = await run(command, [files.webhook], { PUBLIC_URL: hook.url, PORT: String(port) });
      expect(said).toMatch(/^refused: signature\nverified: webhook\.test, delivery [0-9a-f-]{36}\n$/);
      expect(statuses).toEqual([401, 200]);
      expect((await ada.ask("GET", "/webhooks")).body.data).toEqual([]);
    });
  }
});

/** Modules that examples import, and no programs. */
const modules = ["botstead.py", "botstead.sh", "usage.ts"];
const programs = globSync("{typescript,python,curl}/*.{ts,py,sh}", { cwd: examples }).filter(
  (file) => !modules.includes(basename(file)),
);

testWith("python3", "bash")("each example prints one line of usage without a key and arguments", async () => {
  expect(programs.length).toBeGreaterThan(20);
  for (const file of programs) {
    const [program = "", ...first] = interpreters[extname(file)] ?? [];
    const env = { PATH: process.env.PATH ?? "", PYTHONIOENCODING: "utf-8" };
    const { status, stdout, stderr } = spawnSync(program, [...first, file], { cwd: examples, env, encoding: "utf8" });
    const [name] = basename(file).split(".");
    expect([file, status, stdout, stderr]).toEqual([file, 2, "", expect.stringMatching(`^usage: .*${name}.*\n$`)]);
  }
});

test.each([
  ["TypeScript", "typescript/webhook.ts"],
  ["Python", "python/webhook.py"],
])("in %s the receiver verifies what botstead listen posts, with its secret", async (_name, file) => {
  const [program = "", ...first] = interpreters[extname(file)] ?? [];
  const port = await freePort();
  const config = mkdtempSync(join(tmpdir(), "botstead-listen-"));
  const login = { BOTSTEAD_URL: office.api.url, BOTSTEAD_KEY: key, XDG_CONFIG_HOME: config };
  const listening = runProgram(["listen", "--forward-to", `http://127.0.0.1:${port}`], { env: login });
  const [, secret = ""] = await listening.says(/Signing secret: (whsec_\S+)/);
  const env = { PATH: process.env.PATH ?? "", SECRET: secret, PORT: String(port), PYTHONIOENCODING: "utf-8" };
  const receiver = spawn(program, [...first, file], { cwd: examples, env, stdio: ["ignore", "pipe", "inherit"] });
  children.add(receiver);
  let said = "";
  receiver.stdout.on("data", (part) => (said += part));
  await eventually(async () => {
    await runProgram(["trigger", "run.finished", "--bot", ada.bot], { env: login }).ending;
    return said.startsWith("verified: run.finished, delivery "); // the receiver may start after the first of them
  });
  receiver.kill();
  children.delete(receiver);
  await listening.kill("SIGTERM");
  rmSync(config, { recursive: true });
});

testWith(
  "python3",
  "bash",
  "curl",
  "openssl",
)("the commands of examples/README.md run as printed, on the machine's own Node", async () => {
  const value = "Version 2 ships on 12 December.";
  await ada.ask("POST", "/memories", { scope: "organisation", kind: "milestone", subject: "Next release", value });
  const [, block = ""] = /```bash\n([\s\S]*?)```/.exec(readFileSync(join(examples, "README.md"), "utf8")) ?? [];
  const commands = block.split("\n").filter((line) => line !== "" && !line.startsWith("export "));
  expect(commands).toHaveLength(languages.length);
  // npm put the Node that Botstead brings in front.
  const path = (process.env.PATH ?? "").split(":").filter((folder) => !folder.includes("node_modules"));
  for (const line of commands) {
    expect(await run(["bash", "-c", line], [], { PATH: path.join(":") }, undefined, root)).toContain(value);
  }
});

testWith("bash", "curl")("the functions of the curl examples repeat a 503, and a 429 after its window", async () => {
  const error = (code: string) => `{"error":{"code":"${code}"}}`;
  const window = '"key";r=0;t=1, "organisation";r=40;t=1';
  const answers: [status: number, body: string, headers?: Record<string, string>][] = [
    [503, error("unavailable")],
    [429, error("rate_limited"), { "Retry-After": "60", RateLimit: window }],
    [200, "first;"],
    [429, error("quota_exceeded")],
  ];
  const times: number[] = [];
  const server = createServer((_request, response) => {
    const [status, body, headers = {}] = answers.shift() ?? [500, "too many"];
    times.push(performance.now());
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const source = `. "${join(examples, "curl/botstead.sh")}"; get /bots; get /bots`;
  const child = spawn("bash", ["-c", source], {
    env: { ...process.env, BOTSTEAD_KEY: "bsk_none", BOTSTEAD_URL: `http://127.0.0.1:${port}` },
    stdio: ["ignore", "pipe", "ignore"],
  });
  children.add(child);
  expect(await text(child.stdout)).toBe(`first;${error("quota_exceeded")}`);
  server.close();
  const [, limited = 0, repeated = 0] = times;
  expect(repeated - limited).toBeGreaterThan(950);
  expect(times).toHaveLength(4);
});
