/**
 * A service that speaks the Chat Completions protocol, through the SDK. What it does wrong is an outcome and not a throw;
 * the reasons are our own words, since a service's may repeat what it was told.
 */
import OpenAI, { APIError } from "openai";
import { z } from "zod";
import { politely } from "./politely.ts";
import { collect } from "./stream.ts";
import type { Outcome, Request, Tokens } from "./turn.ts";

export type ServiceSettings = {
  /** With the version, as https://api.openai.com/v1. */
  baseUrl: string;
  /** Undefined: none is sent. */
  apiKey: string | undefined;
};

export type Patience = {
  /** Until an answer begins, and between two parts of it. */
  silenceMs: number;
  /** For one turn, with the SDK's retries. */
  turnMs: number;
};

export type Service = {
  /** Never throws; what it answers is of no use when the signal has aborted, and yet it has cost its tokens. */
  ask(request: Request, signal: AbortSignal): Promise<Outcome & Tokens>;
  /** The names of its models; undefined when it keeps no list. @throws Error when it can't be asked */
  list(): Promise<string[] | undefined>;
};

const triesAfterTheFirst = 2;
const listMs = 5_000;

const Models = z.array(z.object({ id: z.string() })).transform((models) => models.map(({ id }) => id));
/** Some answer the bare array. */
const ModelList = z.union([z.object({ data: Models }).transform(({ data }) => data), Models]);

/** Statuses of a service that is there, and keeps no list, or none that this key may see. */
const withoutList = new Set([400, 403, 404, 405, 501]);

export function modelService({ baseUrl, apiKey }: ServiceSettings, patience: Patience): Service {
  const client = new OpenAI({
    baseURL: baseUrl,
    apiKey: apiKey ?? "none",
    ...(apiKey ? {} : { defaultHeaders: { authorization: null } }),
    // What it would take from the environment otherwise. That is read in config.ts alone.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: "off", // it would write what was said
    maxRetries: triesAfterTheFirst,
    timeout: patience.silenceMs,
    fetch: politely(fetch),
    fetchOptions: { redirect: "error" }, // what is said goes where the operator said, and nowhere else
  });

  return {
    async ask(request, signal) {
      const silence = new AbortController();
      const deadline = AbortSignal.timeout(patience.turnMs);
      const any = AbortSignal.any([signal, silence.signal, deadline]);
      let stillness: NodeJS.Timeout | undefined;
      const heard = () => {
        clearTimeout(stillness);
        stillness = setTimeout(() => silence.abort(), patience.silenceMs);
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
          heard();
          for await (const chunk of stream) {
            heard();
            if (!answer.add(chunk)) break;
          }
          if (any.aborted) return { kind: "broken", reason: "the model service fell silent amid an answer" };
          return answer.outcome();
        } catch (error) {
          return began ? { kind: "broken", reason: "the model service broke off its answer" } : failure(error);
        } finally {
          clearTimeout(stillness);
        }
      };
      const came = await outcome();
      return { ...came, ...(came.kind === "failed" ? { inputTokens: 0, outputTokens: 0 } : answer.tokens(request)) };
    },

    async list() {
      try {
        // Not by client.models: where the list has another shape, that answers an empty one.
        return ModelList.safeParse(await client.get("/models", { timeout: listMs, maxRetries: 0 })).data;
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
  return status === undefined ? "the model service gave no answer" : `the model service answered ${status}`;
}
