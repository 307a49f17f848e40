/** Parses server-sent events of the API. */
import { createParser } from "eventsource-parser";
import type { Json } from "./api.ts";

export type StreamEvent = { id: number; event: string; data: Json };

/** @returns a function that takes the next part of the stream @param onEvent called for each complete event with a name */
export function eventParser(onEvent: (event: StreamEvent) => void): (part: string) => void {
  const parser = createParser({
    onEvent: ({ id, event, data }) => {
      if (event) onEvent({ id: Number(id), event, data: JSON.parse(data) });
    },
  });
  return (part) => parser.feed(part);
}

/** The complete events in a text. */
export function eventsIn(text: string): StreamEvent[] {
  const events: StreamEvent[] = [];
  eventParser((event) => events.push(event))(text);
  return events;
}
