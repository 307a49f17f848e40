/** The client as it is published: packed, installed by npm in an empty folder with its two dependencies, and used there. */
import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { sign } from "../../src/delivery/signature.ts";
import { compiler } from "../../tools/typescript/compiler.ts";
import { apiOfFile } from "../support/callers.ts";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../../", import.meta.url));
const here = apiOfFile();
const folder = mkdtempSync(join(tmpdir(), "botstead-packed-"));
const repository = "https://git.example/botstead";
const installed = join(folder, "node_modules", "botstead");

/** Files of the package, as npm lists them. */
async function pack(what: string): Promise<{ filename: string; files: string[] }> {
  const { stdout } = await run("npm", ["pack", what, "--json", "--pack-destination", folder], {
    cwd: project,
    env: { ...process.env, REPOSITORY_URL: repository },
  });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
  return { filename: packed.filename, files: packed.files.map(({ path }: { path: string }) => path) };
}

/** The command line looks for the nearest name with `leven`. */
const dependencies = ["eventsource-parser", "leven"];
let whole: string[];
beforeAll(async () => {
  whole = (await pack(".")).files; // its prepack builds dist/, which is a package by itself
  const packed = await Promise.all(["./dist", ...dependencies.map((name) => `./node_modules/${name}`)].map(pack));
  const files = packed.map(({ filename }) => `./${filename}`);
  await run("npm", ["install", "--offline", "--no-audit", ...files], { cwd: folder });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a module of the consumer's. Answers what it printed. */
async function consume(name: string, text: string, env: Record<string, string> = {}): Promise<string> {
  writeFileSync(join(folder, name), text);
  const { stdout } = await run(process.execPath, [name], { cwd: folder, env });
  return stdout;
}

test("the package contains JavaScript with declarations, alone or inside botstead", () => {
  const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
  expect(files).toEqual(expect.arrayContaining(["client/index.js", "client/index.d.ts"]));
  expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([]);
  expect(whole).toEqual(
    expect.arrayContaining(["dist/client/index.js", "dist/client/index.d.ts", "docs/openapi.json"]),
  );
  const { exports } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
  expect(whole).toEqual(
    expect.arrayContaining([exports["./client"].default, exports["./client"].types].map((file) => file.slice(2))),
  );
});

test("the package can be published: it has a licence, a README and the address of its repository", () => {
  expect(readdirSync(installed)).toEqual(expect.arrayContaining(["LICENSE", "README.md"]));
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(manifest).toMatchObject({
    name: "botstead",
    license: "MIT",
    repository: { type: "git", url: repository },
    publishConfig: { access: "public", provenance: true },
  });
  expect(manifest).not.toHaveProperty("private");
});

test("the package depends only on eventsource-parser and leven, which have no dependencies", () => {
  const packages = readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."));
  expect(packages).toEqual(["botstead", ...dependencies]);
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  expect(Object.keys(manifest.dependencies)).toEqual(dependencies);
});

test("the package has the command line for integrators, and no part of the service", async () => {
  const ada = await here.owner("admin");
  const env = { PATH: process.env.PATH, BOTSTEAD_URL: here.api.url, BOTSTEAD_KEY: ada.key.text };
  const command = join(folder, "node_modules", ".bin", "botstead");
  const { stdout } = await run(command, ["api", "GET", "/me"], { cwd: folder, env });
  expect(JSON.parse(stdout).organisation.id).toBe(ada.organisation.id);
  const parts = readdirSync(installed, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(parts.map(({ name }) => name).toSorted()).toEqual(["client", "contract", "delivery", "tenant"]);
  const programsIn = (part: string) => readdirSync(join(installed, part)).filter((file) => file.endsWith(".js"));
  expect(programsIn("contract")).toEqual(["event-kinds.js", "export-chain.js", "export-files.js"]);
  expect(programsIn("delivery").toSorted()).toEqual(["headers.js", "signature.js"]);
});

test("a JavaScript program can use the package", async () => {
  const ada = await here.owner("write");
  const env = { URL_OF_API: here.api.url, KEY: ada.key.text };
  const said = await consume(
    "plain.mjs",
    `import { BotsteadError, createClient } from "botstead/client";
     const client = createClient({ baseUrl: process.env.URL_OF_API, key: process.env.KEY });
     for (const value of ["one", "two", "three"]) {
       await client.post("/memories", { body: { scope: "organisation", kind: "fact", subject: "Count", value } });
     }
     const values = [];
     for await (const memory of client.list("/memories", { query: { limit: 2 } })) values.push(memory.value);
     const refused = await client.get("/keys").catch((error) => error);
     console.log(JSON.stringify([values, refused instanceof BotsteadError, refused.code]));`,
    env,
  );
  expect(JSON.parse(said)).toEqual([["three", "two", "one"], true, "unauthenticated"]);
});

test("a CommonJS program can require the package", async () => {
  const ada = await here.owner("read");
  const said = await consume(
    "plain.cjs",
    `const { createClient } = require("botstead/client");
     createClient({ baseUrl: process.env.URL_OF_API, key: process.env.KEY }).get("/me").then((me) => console.log(me.organisation.id));`,
    { URL_OF_API: here.api.url, KEY: ada.key.text },
  );
  expect(said.trim()).toBe(ada.organisation.id);
});

const samples = Object.values(openApiDocument("http://127.0.0.1:3000").paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ operationId, "x-codeSamples": all = [] }) => all.map((sample) => ({ operationId, ...sample })))
  .filter(({ lang }) => lang === "TypeScript");

test("the package imports only its own files, its dependencies and Node", () => {
  const code = readdirSync(installed, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js"))
    .map((file) => readFileSync(join(installed, file), "utf8"));
  const imports = code.flatMap((text) =>
    [...text.matchAll(/\bfrom "([^"]+)"|\bimport\("([^"]+)"/g)].map(([, a, b]) => a ?? b),
  );
  expect(imports.length).toBeGreaterThan(5);
  expect(imports.filter((from) => !/^(node:|\.\.?\/|eventsource-parser$|leven$)/.test(from ?? ""))).toEqual([]);
});

test("a JavaScript receiver verifies a delivery", async () => {
  const rawBody = '{"id":"1","event":"webhook.test","data":{"webhookId":"2"}}';
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = {
    "x-botstead-timestamp": `${timestamp}`,
    "x-botstead-signature": sign("whsec_x", timestamp, rawBody),
  };
  const said = await consume(
    "receiver.mjs",
    `import { DeliveryRejected, verifyDelivery } from "botstead/client";
     const { rawBody, headers } = JSON.parse(process.env.DELIVERY);
     let reason;
     try { verifyDelivery(rawBody, headers, "whsec_y"); } catch (error) { if (error instanceof DeliveryRejected) reason = error.reason; }
     console.log(JSON.stringify([verifyDelivery(rawBody, headers, "whsec_x").event, reason]));`,
    { DELIVERY: JSON.stringify({ rawBody, headers }) },
  );
  expect(JSON.parse(said)).toEqual(["webhook.test", "signature"]);
});

describe("a program in TypeScript", () => {
  const check = (text: string, module = "nodenext", moduleResolution = module, file = "consumer.mts") => {
    writeFileSync(join(folder, file), text);
    const options = [
      "--noEmit",
      "--strict",
      "--exactOptionalPropertyTypes",
      "--target",
      "es2022",
      ...["--module", module, "--moduleResolution", moduleResolution],
      ...["--lib", "es2022,dom", "--types", ""],
    ];
    return run(process.execPath, [compiler(), ...options, file], { cwd: folder }).then(
      () => [] as string[],
      ({ stdout }: { stdout: string }) => [...stdout.matchAll(/error (TS\d+)/g)].map(([, code = ""]) => code),
    );
  };
  const program = (lines: string) => `
    import { BotsteadError, createClient, verifyDelivery } from "botstead/client";
    const client = createClient({ baseUrl: "https://botstead.example", key: "bsk_…" });
    ${lines}
    export {};`;

  test("gets types for requests and responses", async () => {
    const right = program(`
      const run = await client.post("/runs", { body: { botId: "…", message: "Hello" } });
      const state: "queued" | "completed" | string = run.state;
      for await (const { text, author } of client.list("/runs/{id}/messages", { path: { id: run.id } })) text.at(0)! + author;
      const { key } = await client.post("/keys", { body: { name: "CI", scope: "write" }, idempotencyKey: "ci" });
      const { status, body } = await client.request("get", "/me", { timeoutMs: 5_000 });
      const used: number = status + body.limits.liveKeys.used;
      await client.get("/runs", { query: { limit: 10, state: undefined } });
      const event = verifyDelivery("…", new Headers(), ["whsec_…"]);
      if (event.event === "run.finished") event.data.runId;
      const known = (error: unknown) => error instanceof BotsteadError && error.code === "quota_exceeded" && error.requestId;
      [state, key.at(0), used, known];`);
    expect(await check(right)).toEqual([]);
  });

  test("compiles the example of its README", async () => {
    const page = readFileSync(join(installed, "README.md"), "utf8");
    const [, shown = ""] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
    expect(shown).toContain("verifyDelivery(");
    const around = `
      declare const process: { env: Record<string, string | undefined> };
      declare const botId: string, rawBody: string, secret: string, baseUrl: string, organisationId: string, request: { headers: Record<string, string> };`;
    expect(await check(shown + around)).toEqual([]);
  });

  test.each([
    ["node16", "node16", "consumer.mts"],
    ["esnext", "bundler", "consumer.ts"],
    ["nodenext", "nodenext", "consumer.cts"],
  ])("compiles with module %s and moduleResolution %s as %s", async (module, resolution, file) => {
    const text = `
      import { createClient } from "botstead/client";
      export const name: Promise<string> = createClient({ baseUrl: "…", key: "…" }).get("/me").then(({ organisation }) => organisation.name);`;
    expect(await check(text, module, resolution, file)).toEqual([]);
    expect(await check(text.replace("<string>", "<number>"), module, resolution, file)).toEqual(["TS2322"]);
  });

  test("compiles the TypeScript samples of all operations", async () => {
    const blocks = samples
      .map(({ source }) => source.replace(/^import .*$/m, "").trim())
      .map((text) => `{\n${text}\n}`);
    expect(blocks.length).toBeGreaterThan(70);
    const around = `import { createClient } from "botstead/client";
      declare const process: { env: Record<string, string | undefined> }; declare const console: { log(...values: unknown[]): void };`;
    expect(await check([around, ...blocks].join("\n"))).toEqual([]);
  });

  test.each([
    ["a path that is not there", `await client.get("/robots");`],
    ["a method that a path has not", `await client.patch("/runs", {});`],
    ["a body that lacks a field", `await client.post("/runs", { body: { botId: "…" } });`],
    ["a call without its body", `await client.post("/runs");`],
    ["a value outside an enum", `await client.get("/runs", { query: { state: "done" } });`],
    ["a field of an answer that is not there", `(await client.get("/me")).colour;`],
    ["paging over what is no list", `client.list("/me");`],
    ["an Idempotency-Key where there is none", `await client.get("/me", { idempotencyKey: "x" });`],
  ])("reports %s", async (_what, line) => {
    expect(await check(program(line))).toHaveLength(1);
  });
});
