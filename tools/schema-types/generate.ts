/**
 * `npm run client:check [-- --update]`: whether src/client/schema.ts is what docs/openapi.json says in TypeScript. With
 * --update it is written again. It depends on the checked-in document alone. Exit code 1 when it is not.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import openapiTypescript, { astToString } from "openapi-typescript";

const document = new URL("../../docs/openapi.json", import.meta.url);
const file = new URL("../../src/client/schema.ts", import.meta.url);

const head = `// Written by "npm run client:check -- --update" from docs/openapi.json. Not to be changed by hand.\n\n`;

const nodes = await openapiTypescript(document, {
  // A field with a default may be left out of a request, and is there in every answer.
  defaultNonNullable: false,
  alphabetize: false,
  // The document may name its responses, headers and examples; the client needs none of those by name.
  exportType: false,
  silent: true,
});
const text = head + astToString(nodes);

if (process.argv.includes("--update")) {
  writeFileSync(file, text);
  console.log("src/client/schema.ts is what docs/openapi.json says.");
} else if (!existsSync(file) || readFileSync(file, "utf8") !== text) {
  console.error(
    "src/client/schema.ts is not what docs/openapi.json says: npm run client:check -- --update writes it again.",
  );
  process.exitCode = 1;
} else {
  console.log("src/client/schema.ts is what docs/openapi.json says.");
}
