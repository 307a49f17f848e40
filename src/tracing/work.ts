/**
 * What a worker does for a run, in the trace of the request that started it: the work of an engine, and the deliveries that
 * tell of it. Told by standing around what does it.
 */
import type { Pool } from "pg";
import type { Tracer } from "./spans.ts";

/** Undefined where the run was not started in a trace. */
type Origin = (organisationId: string, runId: string) => Promise<string | undefined>;

/** @param pool of the worker */
export function originOf(pool: Pool): Origin {
  return async (organisationId, runId) => {
    const asked = {
      name: "traceparent",
      text: "select jobs.traceparent($1, $2) as parent",
      values: [organisationId, runId],
    };
    const { rows } = await pool.query<{ parent: string | null }>(asked);
    return rows[0]?.parent ?? undefined;
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
      // Where it can't be looked up, it is a trace of its own: the delivery does not wait for that.
      const parent = data.runId && (await origin(organisationId, data.runId).catch(() => undefined));
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

export function traceEngines<A extends Assignment, Hands, Answer, E extends Engine<A, Hands, Answer>>(
  tracer: Tracer,
  origin: Origin,
  engines: (E & Engine<A, Hands, Answer>)[],
): E[] {
  return engines.map((engine) => ({
    ...engine,
    async answer(assignment: A, hands: Hands) {
      const { organisationId, runId, model, trigger } = assignment;
      const parent = await origin(organisationId, runId).catch(() => undefined);
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
        span.end({}, (error as Error).constructor.name);
        throw error;
      }
    },
  }));
}
