/** Lints the document with Redocly, called as a library: its command line adds telemetry and a hundred packages. */
import { createConfig, lintFromString } from "@redocly/openapi-core";

/** @returns one line for each finding of any severity */
export async function lint(text: string): Promise<string[]> {
  const config = await createConfig({
    extends: ["recommended-strict"],
    rules: {
      "operation-description": "error",
      "operation-tag-defined": "error",
      "tag-description": "error",
      // GET of the document itself takes neither a credential nor parameters, so it has no 4xx answer.
      "operation-4xx-response": "off",
    },
  });
  const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
  return problems.map(({ ruleId, message, location: [place] }) => `${ruleId}: ${message} (${place?.pointer ?? "#"})`);
}
