/**
 * Lints the document with two independent linters, Redocly and Stoplight's Spectral. Both are called as libraries, because
 * their command-line packages add telemetry and about a hundred dependencies.
 */
import { createConfig, lintFromString } from "@redocly/openapi-core";
import spectral, { type RulesetDefinition } from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

/** @returns one line for each finding of any severity */
export async function lint(text: string): Promise<string[]> {
  const [redocly, stoplight] = await Promise.all([lintWithRedocly(text), lintWithSpectral(text)]);
  return [...redocly, ...stoplight];
}

async function lintWithRedocly(text: string): Promise<string[]> {
  const config = await createConfig({
    extends: ["recommended-strict"],
    rules: {
      // GET of the document itself takes neither a credential nor parameters, so it has no 4xx answer.
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
      "openapi-tags-alphabetical": "off", // tags are in reading order
      "contact-properties": "off", // the operator of an installation is not known at build time
    },
  });
  const problems = await linter.run(JSON.parse(text));
  return problems.map(({ code, message, path }) => `spectral ${code}: ${message} (#/${path.join("/")})`);
}
