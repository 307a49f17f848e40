/** Reads an answer from a response: events, or one JSON document from services that do not stream. */
import { createParser } from "eventsource-parser";
import type { Collected } from "./stream.ts";

const endMark = "[DONE]";

/**
 * Returns at the end of the answer, or once the answer is too long.
 *
 * @param received is called for each chunk of bytes, also for comments that keep the connection alive
 * @throws ServiceError, SyntaxError or ZodError for the content; other errors for the connection
 */
export async function readAnswer(response: Response, answer: Collected, received: () => void): Promise<void> {
  if (/^application\/json\b/i.test(response.headers.get("content-type") ?? "")) {
    answer.add(JSON.parse(await response.text()));
    return;
  }
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  /** Returns whether more of the answer is wanted. */
  const handle = (text: string): boolean => {
    parser.feed(text);
    for (const data of events.splice(0)) {
      if (data.trim() === endMark) {
        answer.done();
        return false;
      }
      if (!answer.add(JSON.parse(data))) return false;
    }
    return true;
  };
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    received();
    if (!handle(text)) return;
  }
  handle("\n\n"); // the last event of some services has no blank line after it
}
