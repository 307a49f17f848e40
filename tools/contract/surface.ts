/**
 * The surface of a contract: what compareContracts compares, without texts and examples. tools/contract/released.jsonl has the surface
 * of the last release, with a line for each operation and component, so that a diff shows what a release changed.
 */
import type { Document } from "./changes.ts";
import { bounds } from "./schema-changes.ts";

/** Also the schemas' keywords that contain schemas. Headers are compared by name, so their schemas are left out. */
const keywords = new Set<string>([
  ...["security", "parameters", "requestBody", "responses", "headers", "content", "schema", "name", "in"],
  ...[
    "$ref",
    "type",
    "properties",
    "required",
    "items",
    "anyOf",
    "oneOf",
    "allOf",
    "enum",
    "const",
    "format",
    "pattern",
  ],
  ...bounds,
]);
const components = new Set(["schemas", "parameters", "responses"]);

export function surfaceOf({ paths, webhooks = {}, components: all = {} }: Document): Document {
  const kept = Object.entries(all as Record<string, Named>).filter(([kind]) => components.has(kind));
  return {
    paths: namedOf(paths, (methods) => namedOf(methods, partOf)),
    webhooks: namedOf(webhooks, (methods) => namedOf(methods, partOf)),
    components: Object.fromEntries(kept.map(([kind, parts]) => [kind, namedOf(parts, partOf)])),
  };
}

type Named = Record<string, unknown>;

const namedOf = <Value, Kept>(named: Record<string, Value>, keep: (value: Value) => Kept): Record<string, Kept> =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [name, keep(value)]));

function partOf(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(partOf);
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part).filter(([keyword]) => keywords.has(keyword));
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, memberOf(keyword, value)]));
}

/** The keys of these objects are names and not keywords; lists of values are data. */
function memberOf(keyword: string, value: unknown): unknown {
  if (keyword === "headers") return namedOf(value as Named, () => ({}));
  if (["properties", "responses", "content"].includes(keyword)) return namedOf(value as Named, partOf);
  return ["security", "enum", "const", "required"].includes(keyword) ? value : partOf(value);
}

type Line = [section: string, name: string, member: string, value: unknown];

export function writeSurface(surface: Document): string {
  const lines = Object.entries(surface).flatMap(([section, names]) =>
    Object.entries(names as Record<string, object>).flatMap(([name, members]) =>
      Object.entries(members).map(([member, value]): Line => [section, name, member, value]),
    ),
  );
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

export function readSurface(text: string): Document {
  const lines: Line[] = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const surface: Record<string, Record<string, Named>> = {};
  for (const [section, name, member, value] of lines) {
    surface[section] = { ...surface[section], [name]: { ...surface[section]?.[name], [member]: value } };
  }
  return surface as Document;
}
