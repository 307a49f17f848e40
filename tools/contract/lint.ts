/**
 * What two independent linters find in the document: Redocly's and Stoplight's Spectral. Both are called as libraries,
 * since their command lines bring telemetry and a hundred packages more.
 */
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral, { type RulesetDefinition } from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

/** @returns one line for each finding, of whatever severity; none when both are content */
export async function lint(text: string): Promise<string[]> {
  const [redocly, stoplight] = await Promise.all([lintWithRedocly(text), lintWithSpectral(text)]);
  return [...redocly, ...stoplight];
}

async function lintWithRedocly(text: string): Promise<string[]> {
  const config = await createConfig({
    extends: ["recommended-strict"],
    rules: {
      // Reading the document itself takes no credential, no parameters to get wrong, and so has nothing to refuse.
      "operation-4xx-response": "off",
    },
  });
  const problems = await lintFromString({ source: text, absoluteRef: "openapi.json", config });
  return problems.map(
    ({ ruleId, message, location: [place] }) => `redocly ${ruleId}: ${message} (${place?.pointer ?? "#"})`,
  );
}

async function lintWithSpectral(text: string): Promise<string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({
    extends: [[rulesets.oas as RulesetDefinition, "all"]],
    rules: {
      "openapi-tags-alphabetical": "off", // they stand in the order in which one reads
      "contact-properties": "off", // who operates a Botstead, and how to reach them, is not known here
    },
  });
  const problems = await linter.run(JSON.parse(text));
  return problems.map(({ code, message, path }) => `spectral ${code}: ${message} (#/${path.join("/")})`);
}
