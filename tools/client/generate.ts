/**
 * `npm run client:check [-- --update]`: checks that the generated files of both clients match docs/openapi.json and the event
 * kinds of the contract. The exit code is 1 when one does not. With --update the files are generated.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { events } from "../../src/contract/events.ts";
import { optInEvents } from "../../src/contract/opt-in-events.ts";
import { schemaTypes } from "../schema-types/schema-types.ts";
import { pythonPackage } from "./python/package.ts";

const document = new URL("../../docs/openapi.json", import.meta.url);
const python = new URL("../../clients/python/src/botstead/", import.meta.url);

/** The kinds as data, for the command line and the pages, which do not load the contract. */
function eventKinds(): string {
  const optIn = new Set<string>(optInEvents.map(({ kind }) => kind));
  const lines = events
    .map(({ kind, summary, isSubscribable }) => ({ kind, summary, isSubscribable, isOptIn: optIn.has(kind) }))
    .toSorted((one, other) => (one.kind < other.kind ? -1 : 1))
    .map(({ kind, ...rest }) => `  ${JSON.stringify(kind)}: ${JSON.stringify(rest)},`);
  return `/** Event kinds by name, from src/contract/events.ts. \`isOptIn\`: written only while an endpoint subscribes to it. */
export const eventKinds = {
${lines.join("\n")}
} as const;
`;
}

/** The body of a delivery of each kind, as an example. */
function eventExamples(): string {
  const lines = events
    .toSorted((one, other) => (one.kind < other.kind ? -1 : 1))
    .map(
      ({ kind, body }) =>
        `  ${JSON.stringify(kind)}: ${JSON.stringify((body.meta() as { examples: unknown[] }).examples[0])},`,
    );
  return `/** An example of a delivered body by event kind, from src/contract/events.ts. */
export const eventExamples = {
${lines.join("\n")}
};
`;
}

type Document = { components: { schemas: Record<string, { enum?: string[] }> } };

/** The values of each enumeration of the document, for the pages. */
function enumerations({ components }: Document): string {
  const lines = Object.entries(components.schemas)
    .filter(([, schema]) => schema.enum !== undefined)
    .map(([name, schema]) => `  ${name}: ${JSON.stringify(schema.enum)},`);
  return `/** Values of the enumerations in docs/openapi.json, by the names of their schemas. */
export const enumerations = {
${lines.join("\n")}
} as const;
`;
}

const parsed = JSON.parse(readFileSync(document, "utf8"));

const files: [file: URL, text: string][] = [
  [new URL("../../src/client/generated/event-kinds.ts", import.meta.url), eventKinds()],
  [new URL("../../src/client/generated/event-examples.ts", import.meta.url), eventExamples()],
  [new URL("../../src/client/generated/enumerations.ts", import.meta.url), enumerations(parsed)],
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
