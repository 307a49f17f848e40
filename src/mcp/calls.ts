/** Performs a call of a tool. It checks the parameters itself: the SDK answers wrong types with an internal error. (docs/mcp.md) */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { match } from "../api/stages/match.ts";
import type { Operation } from "../contract/operation.ts";
import type { Detail } from "../contract/refusals.ts";
import { type MetaTool, metaTools } from "./meta-tools.ts";
import { didYouMean, nearest } from "./nearest.ts";
import { isWithin, onlyReads, toolOperations } from "./offered.ts";
import { failed, resultOf, shown } from "./results.ts";
import type { Session } from "./session.ts";
import { type Arguments, described, lineOf, type OperationTool, toolFor } from "./tools.ts";

export async function callTool(session: Session, params: Record<string, unknown>): Promise<CallToolResult> {
  const { name } = params;
  const given = argumentsOf(params.arguments);
  if (typeof name !== "string") return invalid("tools/call needs the name of a tool, as text.");
  if (!given) return invalid("The arguments of a tool must be an object, or JSON text of an object.");
  const tool = metaTools.find((each) => each.name === name);
  if (!tool) return callOperation(session, name, given);
  const details = wrongArguments(tool, given);
  if (details.length > 0) return invalid(`These are not the arguments of ${name}.`, details);
  if (name === "search_operations") return shown(found(session, textOf(given.query)));
  const operation = textOf(given.name);
  if (name === "describe_operation") return describe(session, operation);
  const more = argumentsOf(given.arguments);
  if (!more) return invalid(`${name} takes the arguments of the operation as an object, or as JSON text of an object.`);
  const called = toolOperations.get(operation);
  if (name === "call_read_operation" && called && !onlyReads(called))
    return invalid(`${operation} changes data. Call it with \`call_write_operation\`.`);
  return callOperation(session, operation, more);
}

/** Some clients send the arguments as JSON text, or null for none. Returns undefined for anything else than an object. */
function argumentsOf(given: unknown): Arguments | undefined {
  if (given === undefined || given === null || given === "") return {};
  if (typeof given !== "string") return isObject(given) ? given : undefined;
  try {
    const parsed: unknown = JSON.parse(given);
    return isObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

const invalid = (message: string, details?: Detail[]) =>
  failed({ code: "invalid_request", message, ...(details ? { details } : {}) });

/** An ignored argument would change the meaning of a call: `args` instead of `arguments` would list everything. */
function wrongArguments({ name, inputSchema }: MetaTool, given: Arguments): Detail[] {
  const names = Object.keys(inputSchema.properties);
  const unknown = Object.keys(given).filter((each) => !names.includes(each));
  const missing = inputSchema.required.filter((each) => (given[each] ?? "") === "");
  const texts = names.filter((each) => inputSchema.properties[each]?.type === "string" && !missing.includes(each));
  const takes = `${name} takes ${names.map((each) => `\`${each}\``).join(" and ")}.`;
  const ofOperation = names.includes("arguments") ? " Those of the operation belong into `arguments`." : "";
  const say = (path: string) => didYouMean(nearest(path, names)) || ` ${takes}${ofOperation}`;
  return [
    ...unknown.map((path) => ({ path, message: `is not an argument.${say(path)}` })),
    ...missing.map((path) => ({ path, message: "is required, as text" })),
    ...texts
      .filter((each) => typeof (given[each] ?? "") !== "string")
      .map((path) => ({ path, message: "must be text, not an object or a list" })),
  ];
}

function found({ search, tools, scope }: Session, query: string): object {
  const isQuery = query.trim() !== "";
  const all = isQuery ? search(query) : [...tools.values()];
  const [best] = all;
  const allowed = all.filter(({ operation }) => isWithin(scope, operation));
  const operations = allowed.slice(0, isQuery ? maxFound : undefined).map((tool) => {
    const { operation } = tool;
    return { name: operation.name, summary: lineOf(tool), tool: toolFor(operation) };
  });
  const isHidden = isQuery && best !== undefined && best !== allowed[0];
  return { operations, ...(isHidden ? { note: scopeHint(best.operation, scope) } : {}) };
}

const maxFound = 8;

function describe(session: Session, name: string): CallToolResult {
  const tool = session.tools.get(name);
  if (!tool) return unknownOperation(session, name);
  const { operation } = tool;
  if (!isWithin(session.scope, operation))
    return failed({ code: "unauthenticated", message: scopeHint(operation, session.scope) });
  return shown(described(tool));
}

async function callOperation(session: Session, name: string, given: Arguments): Promise<CallToolResult> {
  const tool = session.tools.get(name);
  if (!tool) return unknownOperation(session, name);
  const { operation } = tool;
  const called = await session.call(operation, given);
  if (called.status === 400) return resultOf(operation, called, argumentsHint(tool));
  return resultOf(
    operation,
    called,
    isWithin(session.scope, operation) ? undefined : scopeHint(operation, session.scope),
  );
}

function argumentsHint({ operation, inputSchema: { properties, required } }: OperationTool): string {
  const quoted = (names: string[]) => names.map((each) => `\`${each}\``).join(", ");
  const optional = Object.keys(properties).filter((each) => !required.includes(each));
  const parts = [
    required.length > 0 ? `requires ${quoted(required)}` : "",
    optional.length > 0 ? `accepts ${quoted(optional)}` : "",
  ].filter(Boolean);
  const sources = Object.keys(properties).flatMap((name) =>
    idsFrom[name] ? [`\`${idsFrom[name]}\` has values of \`${name}\`.`] : [],
  );
  return [`${operation.name} ${parts.join(" and ") || "takes no arguments"}.`, ...sources].join(" ");
}

/** Operations that list the ids of an argument. Agents pass names, such as the name of a bot. */
const idsFrom: Record<string, string> = {
  botId: "list_bots",
  botIds: "list_bots",
  runId: "list_runs",
  userId: "list_members",
  personId: "list_members",
};

const scopeHint = ({ name, scope }: Operation, own: string) =>
  `${name} needs a key of scope \`${scope}\`. This key has scope \`${own}\`.`;

/** Some agents know the API by its paths, as `GET /bots`. */
function operationAt(name: string): string | undefined {
  const [, method = "", path = ""] = /^(get|post|patch|delete) +(\/\S*)$/i.exec(name) ?? [];
  const matched = match(method.toUpperCase(), path);
  return matched.found === "operation" && toolOperations.has(matched.operation.name)
    ? matched.operation.name
    : undefined;
}

function unknownOperation({ tools, search }: Session, name: string): CallToolResult {
  const names = [...tools.keys(), ...metaTools.map((each) => each.name)];
  const suggestion = operationAt(name) ?? nearest(name, names) ?? search(name)[0]?.operation.name;
  return failed({
    code: "not_found",
    message: `There is no operation ${name.slice(0, 64)}.${didYouMean(suggestion)} Find one with \`search_operations\`.`,
  });
}
