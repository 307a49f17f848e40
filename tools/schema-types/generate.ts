/**
 * `npm run client:check [-- --update]`: checks that src/client/generated/schema.ts matches docs/openapi.json. The exit
 * code is 1 when it does not. With --update the file is generated from the checked-in document.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import openapiTypescript, { astToString } from "openapi-typescript";

const document = new URL("../../docs/openapi.json", import.meta.url);
const file = new URL("../../src/client/generated/schema.ts", import.meta.url);

const head = `// Written by "npm run client:check -- --update" from docs/openapi.json. Not to be changed by hand.\n\n`;

const nodes = await openapiTypescript(document, {
  alphabetize: false,
  // Named types of responses, headers and examples are left out: the client does not use them.
  exportType: false,
  silent: true,
});
const text = head + astToString(nodes);

if (process.argv.includes("--update")) {
  writeFileSync(file, text);
  console.log("src/client/generated/schema.ts matches docs/openapi.json.");
} else if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
  console.error(
    "src/client/generated/schema.ts does not match docs/openapi.json: run npm run client:check -- --update.",
  );
  process.exitCode = 1;
} else {
  console.log("src/client/generated/schema.ts matches docs/openapi.json.");
}
