/** Traces a worker's part of a run, in the trace of its request: the engine's work, and the deliveries. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Tracer } from "./spans.ts";

/** The traceparent of a run's request. Undefined if it had none, or the database does not answer within 200 ms. */
type Origin = (organisationId: string, runId: string) => Promise<string | undefined>;

/** The worker's pool waits out outages. A span does not wait: it starts its own trace then. */
const originTimeoutMs = 200;

/** @param pool of the worker */
export function originOf(pool: Pick<Pool, "query">): Origin {
  return async (organisationId, runId) => {
    const statement = {
      name: "traceparent",
      text: "select jobs.traceparent($1, $2) as parent",
      values: [organisationId, runId],
    };
    const found = pool.query<{ parent: string | null }>(statement).then(
      ({ rows }) => rows[0]?.parent ?? undefined,
      () => undefined,
    );
    return Promise.race([found, sleep(originTimeoutMs, undefined, { ref: false })]);
  };
}

type Post = { url: string; headers: Record<string, string>; body: string };
type Outcome = { statusCode: number | null; failure: string | null };
type Poster<Made extends Outcome> = {
  post(request: Post, signal?: AbortSignal): Promise<Made>;
  close(): Promise<void>;
};

/** The endpoint receives the trace too, in the header `traceparent`. */
export function tracePosts<Made extends Outcome>(tracer: Tracer, origin: Origin, poster: Poster<Made>): Poster<Made> {
  return {
    async post(request, signal) {
      const { headers, body } = request;
      const { id, event, organisationId, data } = JSON.parse(body);
      const parent = data.runId && (await origin(organisationId, data.runId));
      const { hostname, port } = new URL(request.url);
      const span = tracer.begin(`deliver ${event}`, "client", parent, {
        "http.request.method": "POST",
        "server.address": hostname,
        "server.port": Number(port || 443),
        "botstead.delivery.id": id,
        "botstead.run.id": data.runId,
      });
      try {
        const made = await poster.post({ ...request, headers: { ...headers, traceparent: span.traceparent } }, signal);
        const { statusCode, failure } = made;
        const failed = failure ?? (statusCode !== null && statusCode >= 300 ? String(statusCode) : undefined);
        span.end({ "http.response.status_code": statusCode ?? undefined }, failed);
        return made;
      } catch (error) {
        span.end({}, (error as Error).name);
        throw error;
      }
    },
    close: () => poster.close(),
  };
}

type Assignment = { organisationId: string; runId: string; model: string; trigger: string };
type Engine<A extends Assignment, EngineContext, Answer> = {
  answer(assignment: A, context: EngineContext): Promise<Answer>;
};

/** @param isEnd whether an error of an engine means that the run ended or waits: approval, cancellation, budget */
export function traceEngines<A extends Assignment, EngineContext, Answer, E extends Engine<A, EngineContext, Answer>>(
  tracer: Tracer,
  origin: Origin,
  engines: (E & Engine<A, EngineContext, Answer>)[],
  isEnd: (error: unknown) => boolean,
): E[] {
  return engines.map((engine) => ({
    ...engine,
    async answer(assignment: A, context: EngineContext) {
      const { organisationId, runId, model, trigger } = assignment;
      const parent = await origin(organisationId, runId);
      const span = tracer.begin("run", "consumer", parent, {
        "botstead.run.id": runId,
        "botstead.run.trigger": trigger,
        "gen_ai.request.model": model,
      });
      try {
        const answer = await engine.answer(assignment, context);
        span.end({});
        return answer;
      } catch (error) {
        span.end({}, isEnd(error) ? undefined : (error as Error).constructor.name);
        throw error;
      }
    },
  }));
}
