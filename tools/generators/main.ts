/** `npm run client:build:postman [-- <file>]`: writes the Postman collection, by default to dist/ of this folder. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { generators, installGenerators } from "./install.ts";
import { postmanCollection } from "./postman.ts";

const file = resolve(process.argv[2] ?? `${generators}dist/botstead.postman_collection.json`);
installGenerators();
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${JSON.stringify(await postmanCollection(), null, 2)}\n`);
console.log(file);
