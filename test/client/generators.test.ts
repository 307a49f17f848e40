/** The document as other generators take it: no warnings, types that compile, and calls of the real API. And the Postman collection. */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { generators, installGenerators } from "../../tools/generators/install.ts";
import type { PostmanCollection } from "../../tools/generators/postman.ts";
import { installPackages } from "../../tools/packages.ts";
import { compiler } from "../../tools/typescript/compiler.ts";
import { makeKey, makeOrganisation } from "../support/database.ts";
import { unlessMissing } from "../support/machine.ts";
import { ownOfficeOfFile } from "../support/post-office.ts";
import { consumers } from "./generated-clients.ts";
import { collectionFaults, collectionVariables, newman } from "./postman-run.ts";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../../", import.meta.url));
const office = ownOfficeOfFile();
const testGenerator = unlessMissing(
  installed() ? "" : "tools/generators/node_modules",
  "npm ci --prefix tools/generators",
);
let folder: string;

beforeAll(() => {
  mkdirSync(`${generators}dist`, { recursive: true });
  folder = mkdtempSync(`${generators}dist/test-`); // where its packages are found
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function installed(): boolean {
  try {
    installGenerators();
    installPackages(join(project, "tools/schema-types"));
    return true;
  } catch {
    return false; // no network
  }
}

const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

/** What each generator prints without a warning. */
const commands = [
  {
    name: "hey-api",
    command: [join(generators, "node_modules/.bin/openapi-ts"), "--file", "openapi-ts.config.js", "--no-log-file"],
    expected: [
      /^@hey-api\/openapi-ts v/,
      /^\[Job 1\] ~ Generating/,
      /^\[Job 1\] {3}\[1\] .*openapi\.json$/,
      /^\[Job 1\] ✓ /,
    ],
  },
  {
    name: "orval",
    command: [join(generators, "node_modules/.bin/orval"), "--config", "orval.config.js", "--fail-on-warnings"],
    expected: [/^🍻 orval v/, /^botstead - 🎉 /],
  },
  {
    name: "openapi-typescript",
    command: [
      join(project, "tools/schema-types/node_modules/.bin/openapi-typescript"),
      join(project, "docs/openapi.json"),
      "--output",
      "openapi-typescript.ts",
    ],
    expected: [/^✨ openapi-typescript /, /^🚀 /],
  },
];

testGenerator("generators print no warning, and their clients compile and call the API", async () => {
  const apiUrl = `${office.api.url}/api/v1`;
  const env = { ...process.env, FOLDER: folder, API_URL: apiUrl };
  for (const { name, command, expected } of commands) {
    const [program = "", ...options] = command.map((part) => (part.endsWith(".config.js") ? generators + part : part));
    const { stdout, stderr } = await run(program, options, { cwd: folder, env });
    const lines = (stdout + stderr)
      .replaceAll(colours, "")
      .split("\n")
      .filter((line) => line.trim() !== "");
    expect({ name, others: lines.filter((line) => !expected.some((part) => part.test(line))) }).toEqual({
      name,
      others: [],
    });
  }
  for (const [name, text] of Object.entries(consumers)) writeFileSync(join(folder, `use-${name}.ts`), text);
  expect(await compile()).toBe("");

  const organisation = await makeOrganisation(office.db);
  const key = await makeKey(office.db, organisation.id, organisation.ownerId, "write");
  const outcomes = await Promise.all(
    Object.keys(consumers).map(async (name) => {
      const { stdout } = await run(process.execPath, [`use-${name}.ts`], {
        cwd: folder,
        env: { ...env, KEY: key.text, NAME: name },
      });
      return JSON.parse(stdout);
    }),
  );
  expect(outcomes).toEqual(
    Object.keys(consumers).map((name) => ({
      made: 201,
      value: name,
      isListed: true,
      code: "not_found",
      status: 404,
    })),
  );
});

/** @returns what the compiler reports */
async function compile(): Promise<string> {
  const options = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--skipLibCheck",
    "--target",
    "es2024",
    "--lib",
    "es2024,dom,dom.iterable",
  ];
  const modules = ["--module", "nodenext", "--allowImportingTsExtensions", "--types", ""];
  const files = Object.keys(consumers).map((name) => `use-${name}.ts`);
  return run(process.execPath, [compiler(), ...options, ...modules, ...files], { cwd: folder }).then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
}

testGenerator(
  "newman runs each request of the Postman collection, and each responds with the status of the document",
  async () => {
    const { file, definition } = collection();
    expect(collectionFaults(definition)).toEqual([]);
    expect(collectionFaults({ ...definition, item: [{ request: 1 }] })).not.toEqual([]);
    const { failures, executions, stats } = (await newman(file, await collectionVariables(office))).run;
    const names = definition.item.flatMap(({ item = [] }) => item.map(({ name }) => name));
    expect(names).toHaveLength(countOperations());
    expect(failures.map(({ source, error }) => [source.name, error.message])).toEqual([]);
    expect(executions.map(({ item }) => item.name)).toEqual(names);
    expect(stats.assertions).toMatchObject({ total: names.length, failed: 0 });
  },
);

testGenerator("the Postman collection takes the server's address, with or without /api/v1", async () => {
  const { file } = collection();
  const { key = "" } = await collectionVariables(office);
  for (const ending of ["", "/", "/api/v1", "/api/v1/"]) {
    const { failures } = (await newman(file, { baseUrl: office.api.url + ending, key }, "--folder", "Me")).run;
    expect([ending, failures.map(({ error }) => error.message)]).toEqual([ending, []]);
  }
});

testGenerator("newman fails if a request responds with another status", async () => {
  const values = { baseUrl: `${office.api.url}/api/v1`, key: "unknown" };
  const { failures } = (await newman(collection().file, values, "--folder", "Me")).run;
  expect(failures.map(({ source }) => source.name)).toEqual(["Retrieve caller and limits"]);
});

function collection(): { file: string; definition: PostmanCollection } {
  const file = join(folder, "postman.json");
  execFileSync("npm", ["run", "client:build:postman", "--", file], { cwd: project });
  return { file, definition: JSON.parse(readFileSync(file, "utf8")) };
}

function countOperations(): number {
  const document: { paths: object } = JSON.parse(readFileSync(join(project, "docs/openapi.json"), "utf8"));
  return Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length;
}
