/** Whether an operation must accept a value, and whether its response returns the value unchanged. */

import { descriptionFault, nameFault } from "../../src/contract/names.ts";
import type { ContractFixture } from "../contract/fixture.ts";
import type { Json, Reply } from "../support/api.ts";
import { nameOf, type Place, valueAt } from "./places.ts";

/** A text field whose only constraint is its length. */
function isPlainText({ schema }: Pick<Place, "schema">): boolean {
  return (
    schema.type === "string" && schema.maxLength !== undefined && !schema.format && !schema.enum && !schema.pattern
  );
}

/** Fields whose text must satisfy more than its schema states. */
const hasRulesOfItsOwn = ({ at }: Place): boolean => ["schedule", "timeZone", "model"].includes(at.at(-1) ?? "");

/** As specified: code points within the bounds, no U+0000, no lone surrogate. */
function isTextWithin(value: unknown, { minLength = 0, maxLength }: { minLength?: number; maxLength: number }) {
  if (typeof value !== "string" || !value.isWellFormed() || value.includes("\0")) return false;
  const { length } = [...value];
  return length >= minLength && length <= maxLength;
}

/** Whether this field accepts the text. */
function isTaken({ at, schema }: Place, sent: unknown): boolean {
  if (!isTextWithin(sent, schema)) return false;
  const field = at.at(-1) ?? "";
  if (["name", "displayName"].includes(field)) return nameFault(String(sent)) === undefined;
  return field !== "description" || descriptionFault(String(sent)) === undefined;
}

/** The operation that returns the field, if the response does not contain it. */
const readings: Record<string, (organisation: ContractFixture, answer: Json) => Promise<Json[]>> = {
  start_run: messagesOf,
  resume_run: messagesOf,
  import_memories: async (organisation, { results }) => {
    const { body } = await organisation.as("GET", `/memories/${results[0].id}`);
    return [{ memories: [body] }];
  },
};

async function messagesOf(organisation: ContractFixture, run: Json): Promise<Json[]> {
  const { body } = await organisation.as("GET", `/runs/${run.id}/messages?limit=200`);
  return body.data.map(({ text }: Json) => ({ message: text }));
}

/** Fields that no response returns, with the reason. */
const unread: Record<string, string> = {
  "erase_memories body.subject": "a receipt does not say who was forgotten",
  "erase_memories body.subjectKind": "a receipt does not say who was forgotten",
  "import_memories body.memories.0.id": "the memory gets an id of its own",
};

/** Describes the fault of the response; undefined if it is correct. */
export async function faultOfAcceptance(
  place: Place,
  sent: unknown,
  reply: Reply<Json>,
  organisation: ContractFixture,
): Promise<string | undefined> {
  const name = nameOf(place);
  const shown = JSON.stringify(sent).slice(0, 120);
  if (reply.status === 400 && isPlainText(place) && !hasRulesOfItsOwn(place) && isTaken(place, sent)) {
    return `${name}: refused ${shown}, which is within its bounds`;
  }
  if (reply.status >= 400 || place.operation.name === "batch") return undefined;
  if (reply.body?.results?.[0]?.outcome === "refused") return undefined; // a line of an import
  if (isPlainText(place) && !isTaken(place, sent) && sent !== null) return `${name}: accepted ${shown}`;
  if (sent === null || sent === undefined || name in unread) return undefined;
  const read = readings[place.operation.name];
  const rows = [reply.body, ...(read ? await read(organisation, reply.body) : [])];
  const answered = rows.map((row) => valueAt(row, place.at)).filter((value) => value !== undefined);
  if (answered.length === 0) return isShown(place) ? `${name}: nowhere to be read` : undefined;
  if (answered.some((value) => isSame(value, sent, place))) return undefined;
  return `${name}: ${shown} came back as ${JSON.stringify(answered).slice(0, 300)}`;
}

/** Stored texts are returned; options of a call, such as overlapHours, are not. */
const isShown = ({ schema }: Place): boolean => schema.type === "string" && !schema.enum && schema.format !== "uuid";

/** Equal, except for normalised times, ids, addresses and lists with duplicates. */
function isSame(answered: unknown, sent: unknown, { schema }: Place): boolean {
  if (schema.format === "date-time") return new Date(String(sent)).toISOString() === answered;
  if (schema.format === "uuid") return String(sent).toLowerCase() === answered;
  if (schema.format === "uri" && String(sent).replace(/^https/i, "https") === answered) return true;
  if (typeof sent === "number") return sent === answered; // treats -0 as 0
  return JSON.stringify(answered) === JSON.stringify(sent);
}
