/** The types of the TypeScript client are made when they are missing or out of date. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "botstead-types-"));
const file = join(folder, "made", "schema.ts");
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const program = new URL("../../tools/schema-types/main.ts", import.meta.url);
const call = `const { makeSchemaTypes } = await import(${JSON.stringify(program.href)});
await makeSchemaTypes(new URL(${JSON.stringify(pathToFileURL(file).href)}));`;

async function make(): Promise<{ text: string; made: number }> {
  await run(process.execPath, ["--input-type=module", "--eval", call]);
  return { text: readFileSync(file, "utf8"), made: statSync(file).mtimeMs };
}

test("makeSchemaTypes makes missing types, leaves current types, and replaces types of another contract", async () => {
  const first = await make();
  expect(first.text).toContain("export interface paths {");
  expect(await make()).toEqual(first);

  writeFileSync(file, first.text.replace(/^.*\n/, "// Made from docs/openapi.json. 0000000000000000\n"));
  expect((await make()).text).toBe(first.text);
});
