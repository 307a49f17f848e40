/**
 * `npm run client:check [-- --update]`: checks that the generated files of both clients match docs/openapi.json. The exit code is 1
 * when one does not. With --update the files are generated.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { schemaTypes } from "../schema-types/schema-types.ts";
import { pythonPackage } from "./python/package.ts";

const document = new URL("../../docs/openapi.json", import.meta.url);
const python = new URL("../../clients/python/src/botstead/", import.meta.url);

const parsed = JSON.parse(readFileSync(document, "utf8"));

const files: [file: URL, text: string][] = [
  [new URL("../../src/client/generated/schema.ts", import.meta.url), await schemaTypes(document)],
  ...Object.entries(pythonPackage(parsed)).map(([name, text]): [URL, string] => [new URL(name, python), text]),
];

for (const [file, text] of files) {
  if (process.argv.includes("--update")) writeFileSync(file, text);
  const name = file.pathname.slice(new URL("../../", import.meta.url).pathname.length);
  if (existsSync(file) && readFileSync(file, "utf8") === text) console.log(`${name} matches the contract.`);
  else {
    console.error(`${name} does not match the contract: run npm run client:check -- --update.`);
    process.exitCode = 1;
  }
}
