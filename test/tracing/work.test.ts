/** Tracing of deliveries and engines does not delay them, and records failures without details. */
import type { Pool } from "pg";
import { RunEnded, RunFailed } from "../../src/runner/engine.ts";
import type { Tracer } from "../../src/tracing/spans.ts";
import { originOf, traceEngines, tracePosts } from "../../src/tracing/work.ts";

type Recorded = { parent: string | undefined; error: string | undefined };

function recorder(): { tracer: Tracer; recorded: Recorded[] } {
  const recorded: Recorded[] = [];
  const tracer: Tracer = {
    begin: (_name, _kind, parent) => ({
      traceparent: "00-1-2-01",
      end: (_attributes, error) => void recorded.push({ parent, error }),
    }),
    stop: async () => {},
  };
  return { tracer, recorded };
}

/** A pool with this answer. */
const pool = (answer: () => Promise<unknown>) => ({ query: answer }) as unknown as Pool;
const unreachable = pool(() => new Promise(() => {}));
const untraced = pool(async () => ({ rows: [{ parent: null }] }));
const post = {
  url: "https://receiver.example.test/hook",
  headers: {},
  body: JSON.stringify({ id: "d", event: "run.finished", organisationId: "o", data: { runId: "r" } }),
};
const sent = { statusCode: 200, failure: null };
const poster = { post: async () => sent, close: async () => {} };

test("a delivery does not wait for an unreachable database and starts its own trace", async () => {
  const { tracer, recorded } = recorder();
  expect(await tracePosts(tracer, originOf(unreachable), poster).post(post)).toBe(sent);
  const broken = pool(async () => Promise.reject(new Error("connection lost")));
  expect(await tracePosts(tracer, originOf(broken), poster).post(post)).toBe(sent);
  const known = pool(async () => ({ rows: [{ parent: "00-3-4-01" }] }));
  expect(await tracePosts(tracer, originOf(known), poster).post(post)).toBe(sent);
  expect(recorded.map(({ parent }) => parent)).toEqual([undefined, undefined, "00-3-4-01"]);
});

test.each([
  ["the end of the run", new RunEnded(), undefined],
  ["a failure", new RunFailed("refused", "the model refused"), "RunFailed"],
])("the span of an engine records %s", async (_what, thrown, error) => {
  const { tracer, recorded } = recorder();
  const assignment = { organisationId: "o", runId: "r", model: "recall", trigger: "api" };
  const engine = { answer: async (_run: typeof assignment, _context: object) => Promise.reject(thrown) };
  const [traced] = traceEngines(tracer, originOf(untraced), [engine], (error) => error instanceof RunEnded);
  await expect(traced?.answer(assignment, {})).rejects.toBe(thrown);
  expect(recorded).toEqual([{ parent: undefined, error }]);
});
