/** What each try of a client was answered, also of those that the client makes again by itself. */
import { refusalIn } from "./calls.ts";

/**
 * One answer to one try, or its failing: then `status` is 0. `code` is the envelope's, undefined for a success, and
 * `unreadable` for what is neither.
 */
export type Answer = { at: number; tookMs: number; status: number; code: string | undefined };

/** A fetch for `createClient`, which notes. */
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

const toBeAskedAgain = new Set<unknown>(["unavailable", "idempotency_in_progress"]);

/** What nobody should be told who asks again, whatever happens: what is neither a success nor, in our envelope, to come later. */
export const oddAnswers = (answers: Answer[]): Answer[] =>
  answers.filter(({ code }) => code !== undefined && !toBeAskedAgain.has(code));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
