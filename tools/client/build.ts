/**
 * `npm run client:build`: compiles src/client and src/tenant, its command line, to JavaScript with declarations, in dist/. dist/ is also a package of its own,
 * with the same name and the same import, `botstead/client`. Of the service's dependencies it has only eventsource-parser and, for its command line, leven: a
 * client of the API installs 74 KB (`npm pack ./dist`), these two and no database. REPOSITORY_URL becomes the address of the
 * repository, which npm compares when it publishes with provenance.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { makeSchemaTypes } from "../schema-types/main.ts";
import { compiler } from "../typescript/compiler.ts";

const project = new URL("../../", import.meta.url);

await makeSchemaTypes();
rmSync(new URL("dist", project), { recursive: true, force: true });
execFileSync(process.execPath, [compiler(), "-p", fileURLToPath(new URL("tsconfig.client.json", project))], {
  stdio: "inherit",
});

const { REPOSITORY_URL } = process.env;
const { name, version, license, dependencies } = JSON.parse(readFileSync(new URL("package.json", project), "utf8"));
const manifest = {
  name,
  version,
  description: "The client of Botstead's organisation API, and the verification of its webhook deliveries.",
  license,
  keywords: ["api", "bots", "webhooks"],
  ...(REPOSITORY_URL ? { repository: { type: "git", url: REPOSITORY_URL } } : {}),
  publishConfig: { access: "public", provenance: true },
  type: "module",
  engines: { node: ">=20.3" },
  bin: { botstead: "./tenant/bin.js" },
  dependencies: { "eventsource-parser": dependencies["eventsource-parser"], leven: dependencies.leven },
  exports: { "./client": { types: "./client/index.d.ts", default: "./client/index.js" } },
};
writeFileSync(new URL("dist/package.json", project), `${JSON.stringify(manifest, null, 2)}\n`);
copyFileSync(new URL("LICENSE", project), new URL("dist/LICENSE", project));
copyFileSync(new URL("tools/client/README.md", project), new URL("dist/README.md", project));
