/** Records the response of each try of a client, including its automatic retries. */
import { refusalIn } from "./calls.ts";

/**
 * The response to one try; `status` is 0 if the try failed. `code` is the envelope's code, undefined for a success, and
 * `unreadable` for any other response.
 */
export type Answer = { at: number; tookMs: number; status: number; code: string | undefined };

/** Returns a `fetch` for `createClient` that records each try. */
export function notedFetch(answers: Answer[]): typeof fetch {
  return async (url, init) => {
    const began = performance.now();
    const note = (status: number, code?: string) =>
      answers.push({ at: began, tookMs: performance.now() - began, status, code });
    try {
      const response = await fetch(url, init);
      const text = await response.clone().text();
      const isSuccess = response.ok && isJson(text);
      note(response.status, isSuccess ? undefined : (refusalIn(response.status, text)?.code ?? "unreadable"));
      return response;
    } catch (error) {
      note(0);
      throw error;
    }
  };
}

const retryableCodes = new Set<unknown>(["unavailable", "idempotency_in_progress"]);

/** Responses that a retrying client must never see: neither a success nor an envelope with a retryable code. */
export const oddAnswers = (answers: Answer[]): Answer[] =>
  answers.filter(({ code }) => code !== undefined && !retryableCodes.has(code));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
