/** What stands around posts and engines: it holds nothing up, and tells of failures alone that something failed. */
import type { Pool } from "pg";
import { RunEnded, RunFailed } from "../../src/runner/engine.ts";
import type { Tracer } from "../../src/tracing/spans.ts";
import { originOf, traceEngines, tracePosts } from "../../src/tracing/work.ts";

type Told = { parent: string | undefined; error: string | undefined };

function recorder(): { tracer: Tracer; told: Told[] } {
  const told: Told[] = [];
  const tracer: Tracer = {
    begin: (_name, _kind, parent) => ({
      traceparent: "00-1-2-01",
      end: (_attributes, error) => void told.push({ parent, error }),
    }),
    stop: async () => {},
  };
  return { tracer, told };
}

/** A pool whose database answers so. */
const pool = (answer: () => Promise<unknown>) => ({ query: answer }) as unknown as Pool;
const away = pool(() => new Promise(() => {}));
const untraced = pool(async () => ({ rows: [{ parent: null }] }));
const post = {
  url: "https://receiver.example.test/hook",
  headers: {},
  body: JSON.stringify({ id: "d", event: "run.finished", organisationId: "o", data: { runId: "r" } }),
};
const sent = { statusCode: 200, failure: null };
const poster = { post: async () => sent, close: async () => {} };

test("a post does not wait for a database that is away, and begins a trace of its own", async () => {
  const { tracer, told } = recorder();
  expect(await tracePosts(tracer, originOf(away), poster).post(post)).toBe(sent);
  const broken = pool(async () => Promise.reject(new Error("connection lost")));
  expect(await tracePosts(tracer, originOf(broken), poster).post(post)).toBe(sent);
  const known = pool(async () => ({ rows: [{ parent: "00-3-4-01" }] }));
  expect(await tracePosts(tracer, originOf(known), poster).post(post)).toBe(sent);
  expect(told.map(({ parent }) => parent)).toEqual([undefined, undefined, "00-3-4-01"]);
}, 2_000);

test.each([
  ["its end", new RunEnded(), undefined],
  ["a failure", new RunFailed("refused", "the model refused"), "RunFailed"],
])("of a run whose work ends in %s", async (_what, thrown, error) => {
  const { tracer, told } = recorder();
  const assignment = { organisationId: "o", runId: "r", model: "recall", trigger: "api" };
  const engine = { answer: async (_run: typeof assignment, _hands: object) => Promise.reject(thrown) };
  const [traced] = traceEngines(tracer, originOf(untraced), [engine], (error) => error instanceof RunEnded);
  await expect(traced?.answer(assignment, {})).rejects.toBe(thrown);
  expect(told).toEqual([{ parent: undefined, error }]);
});
