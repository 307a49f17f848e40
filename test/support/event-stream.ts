/** Server-sent events, as they come. */
import type { Json } from "./api.ts";

export type StreamEvent = { id: number; event: string; data: Json };

/** All that are told in a text that ends where an event ends. */
export function eventsIn(text: string): StreamEvent[] {
  return text.split("\n\n").flatMap((block) => readBlock(block) ?? []);
}

/** Undefined for a comment, and for what tells how to come again. */
function readBlock(block: string): StreamEvent | undefined {
  const fields: Record<string, string> = {};
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    fields[line.slice(0, colon)] = line.slice(colon + 2);
  }
  return fields.event ? { id: Number(fields.id), event: fields.event, data: JSON.parse(fields.data ?? "") } : undefined;
}
