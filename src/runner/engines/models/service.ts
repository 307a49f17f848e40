/**
 * Client of a service with the Chat Completions protocol. Failures of the service are outcomes, not errors. The reasons are our
 * own texts, because a service's error may quote the conversation.
 */
import { z } from "zod";
import { fetch } from "../../../delivery/fetch.ts";
import { bounded } from "./bounded.ts";
import { readAnswer } from "./events.ts";
import { type Begun, sendWithRetries } from "./send.ts";
import { type Collected, collect } from "./stream.ts";
import { chargedTokens } from "./tokens.ts";
import type { Outcome, Request, Tokens } from "./turn.ts";

export type ServiceSettings = {
  /** Includes the version: https://api.openai.com/v1. */
  baseUrl: string;
  /** Undefined: no Authorization header. */
  apiKey: string | undefined;
};

export type ServiceTimeouts = {
  /** Until the answer begins, and between two chunks. A comment that keeps the connection alive counts as a chunk. */
  idleTimeoutMs: number;
  /** For one turn, including retries. */
  turnTimeoutMs: number;
};

export type Service = {
  /**
   * Never throws. After an abort the outcome is useless, but its tokens are charged.
   * @param onText gets the whole text so far, with thoughts, as it arrives
   */
  complete(request: Request, signal: AbortSignal, onText?: (text: string) => void): Promise<Outcome & Tokens>;
  /** The models' names; undefined if the service has no list. @throws Error if the service is unreachable */
  list(): Promise<string[] | undefined>;
};

/** For the whole list. */
const listTimeoutMs = 5_000;

/** Checked before the entries: a list of 4 MB could have a million. */
const maxListed = 10_000;

const Models = z
  .array(z.unknown())
  .max(maxListed)
  .pipe(z.array(z.object({ id: z.string() })))
  .transform((models) => models.map(({ id }) => id));
/** Some services return the bare array. */
const ModelList = z.union([z.object({ data: Models }).transform(({ data }) => data), Models]);

/** Statuses of a reachable service without a list, or without a list for this key. */
const withoutList = new Set([400, 403, 404, 405, 501]);

export function modelService({ baseUrl, apiKey }: ServiceSettings, timeouts: ServiceTimeouts): Service {
  const authorization = apiKey ? { authorization: `Bearer ${apiKey}` } : undefined;
  /** Asks for the counts of tokens. False once the service has refused the parameter. */
  let asksForUsage = true;

  async function begin(request: Request, signal: AbortSignal): Promise<Begun | Outcome> {
    const options = asksForUsage ? { stream_options: { include_usage: true } } : {};
    const begun = await sendWithRetries({
      url: `${baseUrl}/chat/completions`,
      init: {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "text/event-stream, application/json",
          ...authorization,
        },
        body: JSON.stringify({ ...request, stream: true, ...options }),
      },
      signal,
      idleTimeoutMs: timeouts.idleTimeoutMs,
    });
    if (begun?.response.ok) return begun;
    const error = (await begun?.response.text().catch(() => "")) ?? "";
    begun?.end();
    const status = begun?.response.status;
    if ((status === 400 || status === 422) && asksForUsage && /stream_options|include_usage/.test(error)) {
      asksForUsage = false;
      return begin(request, signal);
    }
    return isFilter(error) ? { kind: "refused" } : { kind: "failed", reason: reasonOf(status) };
  }

  return {
    async complete(request, signal, onText) {
      const any = AbortSignal.any([signal, AbortSignal.timeout(timeouts.turnTimeoutMs)]);
      const startedAt = performance.now();
      const begun = await begin(request, any);
      if (!("response" in begun)) return { ...begun, ...nothing };
      const answer = collect(onText);
      const outcome = await outcomeOf(begun, answer, any);
      if (outcome.kind === "unreadable" || (answer.received() === "" && !answer.usage()))
        return { ...outcome, ...nothing };
      const elapsedMs = performance.now() - startedAt;
      return { ...outcome, ...chargedTokens(answer.usage(), { request, received: answer.received(), elapsedMs }) };
    },

    async list() {
      const init = {
        headers: { ...authorization },
        redirect: "error",
        signal: AbortSignal.timeout(listTimeoutMs),
      } as const;
      const response = await bounded(fetch)(`${baseUrl}/models`, init).catch(() => undefined);
      const text = await response?.text().catch(() => undefined);
      if (response && withoutList.has(response.status)) return undefined;
      if (!response?.ok) throw new Error(reasonOf(response?.status));
      if (text === undefined) throw new Error(reasonOf(undefined));
      return ModelList.safeParse(parsed(text)).data;
    },
  };
}

/** For a turn without output, and for a turn that could not be read. */
const nothing: Tokens = { inputTokens: 0, outputTokens: 0, implausible: false };

async function outcomeOf({ response, received, end }: Begun, answer: Collected, signal: AbortSignal): Promise<Outcome> {
  try {
    await readAnswer(response, answer, received);
  } catch (error) {
    // After the reason for the end only the counts of tokens can be missing.
    if (answer.hasEnded()) return answer.outcome();
    if (error instanceof SyntaxError || error instanceof z.ZodError) {
      return { kind: "unreadable", reason: "the answer of the model service could not be read" };
    }
    const timedOut = signal.aborted || (error instanceof DOMException && error.name === "AbortError");
    return { kind: "broken", reason: `the model service ${timedOut ? "timed out during" : "broke off"} its answer` };
  } finally {
    end();
  }
  return answer.outcome();
}

function isFilter(error: string): boolean {
  const code = ErrorCode.safeParse(parsed(error)).data?.error.code;
  return /content_filter|content_policy|moderation/.test(String(code));
}

const ErrorCode = z.object({ error: z.object({ code: z.unknown() }) });

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const reasonOf = (status: number | undefined): string =>
  status === undefined ? "the model service did not respond" : `the model service answered ${status}`;
