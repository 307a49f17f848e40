/**
 * Makes src/client/generated/schema.ts, the types of docs/openapi.json, unless it is current. The commands that check or build the
 * client run this. Programs need no types: Node and Vite leave them out.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { installPackages } from "../packages.ts";

const document = new URL("../../docs/openapi.json", import.meta.url);
const types = new URL("../../src/client/generated/schema.ts", import.meta.url);

/** What determines the types. */
const sources = [document, new URL("schema-types.ts", import.meta.url), new URL("package-lock.json", import.meta.url)];

export async function makeSchemaTypes(file = types): Promise<void> {
  const hash = createHash("sha256");
  for (const source of sources) hash.update(readFileSync(source));
  const head = `// Made from docs/openapi.json. ${hash.digest("base64url").slice(0, 16)}\n`;
  if (existsSync(file) && readFileSync(file, "utf8").startsWith(head)) return;

  installPackages(fileURLToPath(new URL(".", import.meta.url)));
  const { schemaTypes } = await import("./schema-types.ts");
  mkdirSync(new URL(".", file), { recursive: true });
  const fresh = new URL(`.schema-${process.pid}.ts`, file); // another command may read the file meanwhile
  writeFileSync(fresh, `${head}\n${await schemaTypes(document)}`);
  renameSync(fresh, file);
}

if (import.meta.main) await makeSchemaTypes();
