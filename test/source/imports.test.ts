/** The rules of .dependency-cruiser.js find planted violations, of every way to import. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ICruiseResult } from "../../tools/imports/cruise.ts";
import { installPackages } from "../../tools/packages.ts";

const project = fileURLToPath(new URL("../../", import.meta.url));
installPackages(join(project, "tools/imports"));
const { cruise } = await import("../../tools/imports/cruise.ts");
const { default: rules } = await import(join(project, ".dependency-cruiser.js"));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "botstead-imports-"));
  symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** @param files content by path @returns the broken rules, each with the importing file */
async function broken(files: Record<string, string>): Promise<string[]> {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const options = { ...rules.options, baseDir: folder, validate: true, ruleSet: { forbidden: rules.forbidden } };
  const { output } = await cruise(["src"], options);
  const { violations } = (output as ICruiseResult).summary;
  return violations.map(({ rule, from }) => `${rule.name}: ${from}`).sort();
}

test.each<[rule: string, file: string, imports: string, text: string]>([
  [
    "contract-imports-parts-below",
    "contract/careless.ts",
    "api/operation.ts",
    'import { x } from "../api/operation.ts"; x;',
  ],
  [
    "delivery-imports-parts-below",
    "delivery/careless.ts",
    "database/pool.ts",
    'import type { X } from "../database/pool.ts";\nexport type Y = X;',
  ],
  [
    "api-imports-parts-below",
    "api/pages/careless.ts",
    "delivery/post.ts",
    'import {\n  x,\n} from "../../delivery/post.ts";\nx;',
  ],
  [
    "database-imports-parts-below",
    "database/careless.ts",
    "worker/worker.ts",
    'export { x } from "../worker/worker.ts";',
  ],
  ["tracing-imports-parts-below", "tracing/careless.ts", "log.ts", 'export const x = () => import("../log.ts");'],
])("%s: %s must not import %s", async (rule, file, imported, text) => {
  expect(
    await broken({ [`src/${file}`]: text, [`src/${imported}`]: "export const x = 1; export type X = 1;" }),
  ).toEqual([`${rule}: src/${file}`]);
});

test.each([
  ["api", "portal"],
  ["api", "mcp"],
  ["api", "cells"],
  ["worker", "transparency"],
  ["config", "transparency"],
  ["processes", "console"],
])("core-imports-no-extension: %s must not import %s", async (part, extension) => {
  const text = `export const x = () => import("../${extension}/${extension}.ts");`;
  const files = { [`src/${part}/careless.ts`]: text, [`src/${extension}/${extension}.ts`]: "export const x = 1;" };
  expect(await broken(files)).toContain(`core-imports-no-extension: src/${part}/careless.ts`);
});

test.each([
  ["a static import", 'import { two } from "./two.ts";\nexport const one = two;'],
  ["a type-only import", 'import type { two } from "./two.ts";\nexport type One = typeof two;'],
  ["await import()", 'export const one = async () => await import("./two.ts");'],
  ["a re-export", 'export { two as one } from "./two.ts";'],
])("no-cycle: %s closes a cycle", async (_way, text) => {
  const two = 'import { three } from "./three.ts";\nexport const two = three;';
  const three = 'import { one } from "./one.ts";\nexport const three = one;';
  const found = await broken({ "src/a/one.ts": text, "src/a/two.ts": two, "src/a/three.ts": three });
  expect(new Set(found.map((each) => each.split(":")[0]))).toEqual(new Set(["no-cycle"]));
  expect(found.length).toBeGreaterThan(0);
});

test.each([
  ["api-uses-pools", "api/careless.ts", 'import pg from "pg";\nexport const x = pg;'],
  ["api-uses-pools", "web/careless.ts", 'import { DatabaseError } from "pg";\nexport const x = DatabaseError;'],
  ["only-delivery-uses-undici", "worker/careless.ts", 'import { request } from "undici";\nexport const x = request;'],
])("%s: %s must not import the package", async (rule, file, text) => {
  expect(await broken({ [`src/${file}`]: text })).toEqual([`${rule}: src/${file}`]);
});

test("type-only imports of a package are allowed", async () => {
  expect(await broken({ "src/api/typed.ts": 'import type { Pool } from "pg";\nexport type X = Pool;' })).toEqual([]);
});
