/** One trace contains the call, its SQL, the run and its deliveries; without an endpoint there are no traces. */
import { randomBytes } from "node:crypto";
import { callerOf, type TestApi } from "../support/api.ts";
import { type Collected, type Collector, startCollector } from "../support/collector.ts";
import { makeKey, makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { type Hook, type Hooks, startHooks, status } from "../support/hooks.ts";
import { type Installation, makeInstallation } from "../support/installation.ts";
import { killPrograms } from "../support/program.ts";
import { readSource } from "../support/source-rules.ts";
import { eventually } from "../support/worker.ts";

let db: TestDatabase;
let hooks: Hooks;
let collector: Collector;
let home: Installation;
let key: string;
let call: TestApi["call"];
let good: Hook;

const traceId = randomBytes(16).toString("hex");
const callersSpan = randomBytes(8).toString("hex");
const message = "canary-of-a-message";
const token = "canary-of-a-token";

const inTrace = (id: string) => collector.spans.filter((span) => span.traceId === id);
const named = (name: string, id = traceId): Collected | undefined => inTrace(id).find((span) => span.name === name);

beforeAll(async () => {
  db = await testDatabase();
  hooks = await startHooks();
  collector = await startCollector();
  home = await makeInstallation(hooks.receiver.ca, {
    DATABASE_URL: db.adminUrl,
    MASTER_KEY: db.masterKey,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  await home.start();
  call = callerOf(home.api.replace("/api/v1", ""));
  const organisation = await makeOrganisation(db);
  key = (await makeKey(db, organisation.id, organisation.ownerId)).text;
  good = hooks.hook();
  const bot = (await call("POST", "/bots", { key, body: { name: "Ada" } })).body;
  for (const url of [good.url, `${good.url}?token=${token}`, hooks.hook(status(500)).url]) {
    await call("POST", "/webhooks", { key, body: { url, events: ["run.finished"] } });
  }
  const headers = { traceparent: `00-${traceId}-${callersSpan}-01` };
  await call("POST", "/runs", { key, body: { botId: bot.id, message, traceparent: "00-none" }, headers });
  await eventually(async () => inTrace(traceId).filter(({ name }) => name.startsWith("deliver")).length === 3);
});

afterAll(async () => {
  await home.remove();
  await killPrograms();
  await Promise.all([hooks.close(), collector.close()]);
  await db.drop();
});

test("one trace contains the call, its SQL, the run and its deliveries", () => {
  const request = named("POST /api/v1/runs");
  expect(request).toMatchObject({
    parentSpanId: callersSpan,
    kind: 2,
    attributes: { "http.request.method": "POST", "http.route": "/api/v1/runs", "http.response.status_code": 202 },
    resource: { "service.name": "botstead", "botstead.part": "api" },
  });
  const statement = named("api.handle start_run");
  expect(statement).toMatchObject({
    parentSpanId: request?.spanId,
    kind: 3,
    attributes: { "db.system.name": "postgresql" },
  });
  expect(statement?.ms).toBeLessThanOrEqual(request?.ms ?? 0);
  const run = named("run");
  expect(run).toMatchObject({
    parentSpanId: request?.spanId,
    kind: 5,
    attributes: { "gen_ai.request.model": "recall", "botstead.run.trigger": "api" },
    resource: { "botstead.part": "worker" },
  });
  const posts = inTrace(traceId).filter(({ name }) => name === "deliver run.finished");
  expect(posts.map(({ parentSpanId, kind }) => [parentSpanId, kind])).toEqual(Array(3).fill([request?.spanId, 3]));
  expect(
    posts.map(({ attributes, status: outcome }) => [attributes["http.response.status_code"], outcome]).toSorted(),
  ).toEqual([
    [200, 0],
    [404, 2], // the receiver has no such path
    [500, 2],
  ]);
});

test("the endpoint receives the traceparent of the delivery's span", () => {
  const [post] = hooks.receiver.received.filter(({ path }) => path.includes(token));
  const [version, trace, span] = String(post?.headers.traceparent).split("-");
  expect([version, trace]).toEqual(["00", traceId]);
  expect(inTrace(traceId).find(({ spanId }) => spanId === span)?.name).toBe("deliver run.finished");
});

test("a call without a valid traceparent starts a new trace", async () => {
  for (const traceparent of ["", `00-${"0".repeat(32)}-${"0".repeat(16)}-01`, "00-short-01", "'; drop table"]) {
    const before = collector.spans.length;
    await call("GET", "/me", { key, headers: { traceparent } });
    await eventually(async () => collector.spans.slice(before).some(({ name }) => name === "GET /api/v1/me"));
    const span = collector.spans.slice(before).find(({ name }) => name === "GET /api/v1/me");
    expect(span?.parentSpanId).toBe("");
    expect(span?.traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
  }
});

test("a trace that its caller does not sample is not sampled", async () => {
  const [unkept, kept] = [randomBytes(16).toString("hex"), randomBytes(16).toString("hex")];
  await call("GET", "/me", { key, headers: { traceparent: `00-${unkept}-${callersSpan}-00` } });
  await call("GET", "/me", { key, headers: { traceparent: `00-${kept}-${callersSpan}-01` } });
  await eventually(async () => inTrace(kept).length > 0);
  expect(inTrace(unkept)).toEqual([]);
});

test("spans contain no key, no text and no query string of an address", () => {
  const all = collector.said.join("\n");
  expect(all).toContain(traceId);
  for (const secret of [key, message, token, "example.test"]) expect(all).not.toContain(secret);
});

test("only one file imports OpenTelemetry, and it is loaded only if an endpoint is set", () => {
  const source = readSource();
  const importing = Object.entries(source).filter(([, text]) => /from "@opentelemetry\//.test(text));
  expect(importing.map(([file]) => file)).toEqual(["src/tracing/open-telemetry.ts"]);
  const loading = Object.entries(source).filter(([, text]) => /"\.{1,2}\/.*open-telemetry\.ts"/.test(text));
  expect(loading.map(([file]) => file)).toEqual(["src/tracing/tracer.ts"]);
  expect(source["src/tracing/tracer.ts"]).toMatch(/if \(!settings\) return undefined;\n\s*const .* = await import\(/);
});
