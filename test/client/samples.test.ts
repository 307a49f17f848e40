/** The samples of the document run as they stand, with ids of real rows: in shell with curl, and with both clients. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { ids } from "../../src/contract/examples.ts";
import { readDocument } from "../contract/document.ts";
import { makeContractFixture } from "../contract/fixture.ts";
import { apiOfFile } from "../support/callers.ts";
import { testWith } from "../support/machine.ts";
import { python, pythonSources } from "./python-driver.ts";

const run = promisify(execFile);
const project = fileURLToPath(new URL("../../", import.meta.url));
const here = apiOfFile();
const { operations, document } = readDocument(openApiDocument("http://127.0.0.1:3000"));
const folder = mkdtempSync(join(tmpdir(), "botstead-samples-"));

beforeAll(() => {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(project, join(folder, "node_modules", "botstead"));
  writeFileSync(join(folder, ".curlrc"), "fail-with-body\nmax-time = 20\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Language = "Shell" | "TypeScript" | "Python";

/** How one process runs all samples and prints the names of the failed ones. `files` are their names and keys. */
const runners: Record<Language, { extension: string; program: string; main: string; env: Record<string, string> }> = {
  Shell: {
    extension: "sh",
    program: "bash",
    main: 'while read -r name key; do BOTSTEAD_KEY=$key bash "$name.sh" >/dev/null 2>&1 || echo "$name"; done <files',
    env: { CURL_HOME: folder },
  },
  TypeScript: {
    extension: "ts",
    program: process.execPath,
    main: `import { readFileSync } from "node:fs";
const { log } = console;
console.log = () => {};
for (const line of readFileSync("files", "utf8").trim().split("\\n")) {
  const [name, key] = line.split(" ");
  process.env.BOTSTEAD_KEY = key;
  await import(\`./\${name}.ts\`).catch(({ message }) => log(name, message));
}`,
    env: { NODE_OPTIONS: "--conditions=botstead-source" },
  },
  Python: {
    extension: "py",
    program: python,
    main: `import contextlib, io, os
for line in open("files"):
    name, os.environ["BOTSTEAD_KEY"] = line.split()
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(open(name + ".py").read(), name, "exec"), {})
    except Exception as error:
        print(name, error)`,
    env: { PYTHONPATH: pythonSources(), PYTHONDONTWRITEBYTECODE: "1" },
  },
};

/** Samples that change or remove rows follow samples that read them. */
const methods = ["GET", "POST", "PATCH", "DELETE"];
const last = ["rotate_key", "revoke_key", "cancel_run", "retry_run", "watch_run", "delete_bot"];
/** No id names the stream, so only its creation makes it. */
const methodOf = ({ id, method }: { id: string; method: string }) => (id === "get_audit_stream" ? "PATCH" : method);
const orderOf = (operation: { id: string; method: string }): number =>
  last.includes(operation.id) ? methods.length + last.indexOf(operation.id) : methods.indexOf(methodOf(operation));

/** One needs a blocked run. The document itself has no sample, and a post to a hook has a signature of its own. */
const apart = ["resume_run", "get_contract", "receive_hook"];
const inOrder = operations.filter(({ id }) => !apart.includes(id)).toSorted((a, b) => orderOf(a) - orderOf(b));

testWith("curl", "python3-httpx")(
  "the samples of all operations but one run in shell, TypeScript and Python",
  async () => {
    expect(inOrder.length).toBeGreaterThan(70);
    for (const language of Object.keys(runners) as Language[]) {
      const { extension, program, main, env } = runners[language];
      const fixture = await makeContractFixture(here.db, here.api);
      const files: string[] = [];
      for (const operation of inOrder) {
        let source = sampleOf(operation.id, language).replaceAll("http://127.0.0.1:3000", here.api.url);
        for (const [name, id] of Object.entries(ids))
          if (source.includes(id)) source = source.replaceAll(id, await fixture.row(name as keyof typeof ids));
        writeFileSync(join(folder, `${operation.id}.${extension}`), source);
        files.push(`${operation.id} ${fixture.keyFor(operation)}\n`);
      }
      writeFileSync(join(folder, "files"), files.join(""));
      const file = `main.${extension === "ts" ? "mjs" : extension}`;
      writeFileSync(join(folder, file), main);
      const { stdout } = await run(program, [file], { cwd: folder, env: { PATH: process.env.PATH, ...env } });
      expect({ language, failed: stdout }).toEqual({ language, failed: "" });
    }
  },
);

function sampleOf(operation: string, language: Language): string {
  const all = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const samples = all.find(({ operationId }) => operationId === operation)?.["x-codeSamples"] ?? [];
  const sample = samples.find(({ lang }) => lang === language);
  if (!sample) throw new Error(`${operation} has no sample in ${language}.`);
  return sample.source;
}
