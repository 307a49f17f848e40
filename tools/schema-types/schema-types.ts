/** The types of the TypeScript client. openapi-typescript resolves here only: it needs TypeScript 5, and the project uses 7. */
import openapiTypescript, { astToString } from "openapi-typescript";

/** @returns the text of src/client/generated/schema.ts */
export async function schemaTypes(document: URL): Promise<string> {
  const nodes = await openapiTypescript(document, {
    alphabetize: false,
    // Named types of responses, headers and examples are left out: the client does not use them.
    exportType: false,
    silent: true,
  });
  return astToString(nodes);
}
