/**
 * Client of a service with the Chat Completions protocol. Failures of the service are outcomes, not errors. The reasons are our
 * own texts, because a service's error may quote the conversation.
 */
import OpenAI, { APIError } from "openai";
import { z } from "zod";
import { withRetryAfterLimit } from "./backoff.ts";
import { bounded } from "./bounded.ts";
import { collect } from "./stream.ts";
import { chargedTokens } from "./tokens.ts";
import type { Outcome, Request, Tokens } from "./turn.ts";

export type ServiceSettings = {
  /** Includes the version: https://api.openai.com/v1. */
  baseUrl: string;
  /** Undefined: no Authorization header. */
  apiKey: string | undefined;
};

export type ServiceTimeouts = {
  /** Until the answer begins, and between two chunks. */
  idleTimeoutMs: number;
  /** For one turn, including the SDK's retries. */
  turnTimeoutMs: number;
};

export type Service = {
  /** Never throws. After an abort the outcome is useless, but its tokens are charged. */
  complete(request: Request, signal: AbortSignal): Promise<Outcome & Tokens>;
  /** The models' names; undefined if the service has no list. @throws Error if the service is unreachable */
  list(): Promise<string[] | undefined>;
};

const maxRetries = 2;
/** For the whole list: the SDK's own time-out ends with the headers of the response. */
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
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? "none",
    ...(apiKey ? {} : { defaultHeaders: { authorization: null } }),
    // Set, because the SDK reads missing values from the environment. Only the configuration may do that.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: "off", // its log would contain the conversation
    maxRetries,
    timeout: timeouts.idleTimeoutMs,
    fetch: withRetryAfterLimit(bounded(fetch)),
    fetchOptions: { redirect: "error" }, // the conversation goes only to the operator's URL
  });

  return {
    async complete(request, signal) {
      const idle = new AbortController();
      const deadline = AbortSignal.timeout(timeouts.turnTimeoutMs);
      const any = AbortSignal.any([signal, idle.signal, deadline]);
      let idleTimer: NodeJS.Timeout | undefined;
      const resetIdleTimer = () => {
        clearTimeout(idleTimer);
        idleTimer = setTimeout(() => idle.abort(), timeouts.idleTimeoutMs);
      };
      let began = false;
      const answer = collect();
      const outcome = async (): Promise<Outcome> => {
        try {
          const stream = await client.chat.completions.create(
            { ...request, stream: true, stream_options: { include_usage: true } },
            { signal: any },
          );
          began = true;
          resetIdleTimer();
          for await (const chunk of stream) {
            resetIdleTimer();
            if (!answer.add(chunk)) break;
          }
          if (any.aborted) return { kind: "broken", reason: "the model service timed out during an answer" };
          return answer.outcome();
        } catch (error) {
          return began ? { kind: "broken", reason: "the model service broke off its answer" } : failure(error);
        } finally {
          clearTimeout(idleTimer);
        }
      };
      const startedAt = performance.now();
      const result = await outcome();
      if (result.kind === "failed") return { ...result, inputTokens: 0, outputTokens: 0, implausible: false };
      const elapsedMs = performance.now() - startedAt;
      return { ...result, ...chargedTokens(answer.usage(), { request, received: answer.received(), elapsedMs }) };
    },

    async list() {
      try {
        // Not client.models, which returns an empty list for a response of another shape.
        const options = { signal: AbortSignal.timeout(listTimeoutMs), maxRetries: 0 };
        return ModelList.safeParse(await client.get("/models", options)).data;
      } catch (error) {
        const status = error instanceof APIError ? error.status : undefined;
        if (status !== undefined && withoutList.has(status)) return undefined;
        throw new Error(reasonOf(error));
      }
    },
  };
}

function failure(error: unknown): Outcome {
  const code = error instanceof APIError ? String(error.code) : "";
  if (/content_filter|content_policy|moderation/.test(code)) return { kind: "refused" };
  return { kind: "failed", reason: reasonOf(error) };
}

function reasonOf(error: unknown): string {
  const status = error instanceof APIError ? error.status : undefined;
  return status === undefined ? "the model service did not respond" : `the model service answered ${status}`;
}
