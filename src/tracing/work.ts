/**
 * What a worker does for a run, in the trace of the request that started it: the work of an engine, and the deliveries that
 * tell of it. Told by standing around what does it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Tracer } from "./spans.ts";

/** Undefined where the run was not started in a trace, or the database does not say so at once. */
type Origin = (organisationId: string, runId: string) => Promise<string | undefined>;

/** The worker's pool waits out whatever happens to the database. What is to be told of does not: it is a trace of its own then. */
const patienceMs = 200;

/** @param pool of the worker */
export function originOf(pool: Pick<Pool, "query">): Origin {
  return async (organisationId, runId) => {
    const asked = {
      name: "traceparent",
      text: "select jobs.traceparent($1, $2) as parent",
      values: [organisationId, runId],
    };
    const told = pool.query<{ parent: string | null }>(asked).then(
      ({ rows }) => rows[0]?.parent ?? undefined,
      () => undefined,
    );
    return Promise.race([told, sleep(patienceMs, undefined, { ref: false })]);
  };
}

type Post = { url: string; headers: Record<string, string>; body: string };
type Outcome = { statusCode: number | null; failure: string | null };
type Poster<Made extends Outcome> = {
  post(request: Post, signal?: AbortSignal): Promise<Made>;
  close(): Promise<void>;
};

/** The receiver is given the trace too: `traceparent` is a header of each post. */
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
type Engine<A extends Assignment, Hands, Answer> = { answer(assignment: A, hands: Hands): Promise<Answer> };

/** @param isEnd whether what an engine threw says that the run was over: waits for its person, was cancelled, has no budget left */
export function traceEngines<A extends Assignment, Hands, Answer, E extends Engine<A, Hands, Answer>>(
  tracer: Tracer,
  origin: Origin,
  engines: (E & Engine<A, Hands, Answer>)[],
  isEnd: (error: unknown) => boolean,
): E[] {
  return engines.map((engine) => ({
    ...engine,
    async answer(assignment: A, hands: Hands) {
      const { organisationId, runId, model, trigger } = assignment;
      const parent = await origin(organisationId, runId);
      const span = tracer.begin("run", "consumer", parent, {
        "botstead.run.id": runId,
        "botstead.run.trigger": trigger,
        "gen_ai.request.model": model,
      });
      try {
        const answer = await engine.answer(assignment, hands);
        span.end({});
        return answer;
      } catch (error) {
        span.end({}, isEnd(error) ? undefined : (error as Error).constructor.name);
        throw error;
      }
    },
  }));
}
