/**
 * `npm run client:build`: src/client as JavaScript with declarations, in dist/. dist/ is also a package by itself, with
 * the same name and the same import, `botstead/client`, and without the dependencies of the service: who only calls the
 * API installs 40 KB (`npm pack ./dist`) and not a database.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const project = new URL("../../", import.meta.url);
const compiler = fileURLToPath(new URL("node_modules/typescript/lib/tsc.js", project));

rmSync(new URL("dist", project), { recursive: true, force: true });
execFileSync(process.execPath, [compiler, "-p", fileURLToPath(new URL("tsconfig.client.json", project))], {
  stdio: "inherit",
});

const { name, version, license } = JSON.parse(readFileSync(new URL("package.json", project), "utf8"));
const manifest = {
  name,
  version,
  description: "The client of Botstead's organisation API, and the check of what its webhooks deliver.",
  license,
  private: true,
  type: "module",
  engines: { node: ">=20.3" },
  exports: { "./client": { types: "./client/index.d.ts", default: "./client/index.js" } },
};
writeFileSync(new URL("dist/package.json", project), `${JSON.stringify(manifest, null, 2)}\n`);
