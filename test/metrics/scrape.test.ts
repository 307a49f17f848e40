/** A scrape of the console under `start` returns the metrics of all processes. */
import { randomUUID } from "node:crypto";
import { freePort } from "../../src/database/embedded/port.ts";
import { callerOf, type TestApi } from "../support/api.ts";
import { makeKey, type TestDatabase, testDatabase } from "../support/database.ts";
import { type Hook, type Hooks, startHooks, status } from "../support/hooks.ts";
import { type Installation, makeInstallation, type Started } from "../support/installation.ts";
import { flawsOf, type Scrape, scrape } from "../support/metrics.ts";
import { expressions } from "../support/ops-files.ts";
import { type Customer, customer, type Endpoint } from "../support/post-office.ts";
import { isAlive, signalProcess } from "../support/process-tree.ts";
import { killPrograms } from "../support/program.ts";
import { readPromql } from "../support/promql.ts";
import { eventually } from "../support/worker.ts";

let db: TestDatabase;
let hooks: Hooks;
let home: Installation;
let started: Started;
let ada: Customer;
let call: TestApi["call"];
let good: Hook;
let bad: Endpoint;
let before: Scrape;
let after: Scrape;

const url = () => `http://127.0.0.1:${home.env.CONSOLE_PORT}/metrics`;
const metricsUrl = () => `http://127.0.0.1:${home.env.METRICS_PORT}/metrics`;

/** Not here, since this installation has a database of its own. */
const ofEmbeddedDatabase = ["botstead_data_directory_free_bytes", "botstead_data_directory_size_bytes"];

const sentMail = { task: "send_mail", outcome: "done" };

/** The increase between the first and the last scrape. */
const grown = (name: string, labels: Record<string, string>) =>
  (after.value(name, labels) ?? 0) - (before.value(name, labels) ?? 0);

beforeAll(async () => {
  db = await testDatabase();
  hooks = await startHooks();
  home = await makeInstallation(hooks.receiver.ca, {
    DATABASE_URL: db.adminUrl,
    MASTER_KEY: db.masterKey,
    METRICS_PORT: String(await freePort()),
  });
  started = await home.start();
  call = callerOf(home.api.replace("/api/v1", ""));
  ada = await customer({ db, api: { call } });
  await eventually(async () => {
    before = await scrape(url());
    return before.value("botstead_worker_jobs_total", sentMail) === 1; // the welcome mail
  });

  // Work that the metrics must show.
  for (let times = 0; times < 3; times += 1) await ada.ask("GET", "/bots");
  await ada.ask("GET", `/bots/${randomUUID()}`, undefined, "mayFail");
  await ada.ask("PATCH", "/bots", {}, "mayFail");
  for (const path of ["/no-such", `/no-such/${randomUUID()}`]) await ada.ask("GET", path, undefined, "mayFail");
  await call("GET", "/bots");
  good = hooks.hook();
  await ada.subscribe(good, ["run.finished"]);
  bad = await ada.subscribe(hooks.hook(status(500)), ["run.finished"]);
  const run = await ada.run();
  await ada.untilDelivery(bad, "pending", 1);
  await ada.ask("POST", "/invitations", { email: "ivy@example.test", role: "member" });
  await ada.ask("GET", `/runs/${run}?wait=1`);
  await eventually(async () => good.posts().length === 1);
  await eventually(async () => {
    after = await scrape(url());
    // Each process counts an effect after it has happened, so a scrape may come between two counts.
    const counts = [
      grown("botstead_mails_total", {}),
      grown("botstead_worker_jobs_total", sentMail),
      grown("botstead_run_work_seconds_count", { part: "worker", outcome: "answered" }),
      grown("botstead_delivery_attempts_total", {}) - 1,
    ];
    return Math.min(...counts) > 0 && after.value("botstead_http_requests_in_flight") === 0;
  });
});

afterAll(async () => {
  await home.remove();
  await killPrograms();
  await hooks.close();
  await db.drop();
});

test("the scraped text is valid: each family once with help, no duplicate series", () => {
  expect(flawsOf(after.text)).toEqual([]);
  expect(after.families.size).toBeGreaterThan(60);
});

test("flawsOf reports an invalid text", () => {
  const lines = after.text.split("\n");
  const at = lines.findIndex((line) => line.startsWith("botstead_http_requests_total{"));
  const doubled = [...lines.slice(0, at), lines[at], ...lines.slice(at)].join("\n");
  expect(flawsOf(doubled)).toEqual([`twice: ${lines[at]}`]);
  const histogram = after.text.match(/(\w+)_bucket\{le="\+Inf"/)?.[1];
  expect(flawsOf(after.text.replace(/le="\+Inf"/, 'le="40"'))).toContain(`${histogram} has no bucket for the rest`);
});

test("requests are counted by path template, method, status and code; other paths count as unknown", () => {
  const requests = (labels: Record<string, string>) =>
    grown("botstead_http_requests_total", { part: "api", ...labels });
  expect(requests({ route: "/api/v1/bots", method: "GET", status: "200", code: "" })).toBe(3);
  expect(requests({ route: "/api/v1/bots/{id}", method: "GET", status: "404", code: "not_found" })).toBe(1);
  expect(requests({ route: "/api/v1/bots", method: "PATCH", status: "405", code: "not_supported" })).toBe(1);
  expect(requests({ route: "unknown", method: "GET", status: "404" })).toBe(2);
  expect(requests({ route: "/api/v1/bots", status: "401", code: "unauthenticated" })).toBe(1);
  const times = { route: "/api/v1/bots", method: "GET" };
  expect(grown("botstead_http_request_duration_seconds_count", times)).toBe(4);
  expect(grown("botstead_http_request_duration_seconds_sum", times)).toBeGreaterThan(0);
  expect(after.value("botstead_http_requests_in_flight")).toBe(0);
});

test("ids, paths and addresses of callers never become labels", () => {
  expect(after.text).not.toMatch(/no-such/);
  expect(after.text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
  const routes = new Set(after.samples.map(({ labels }) => labels.route));
  expect([...routes].filter((route) => route && route !== "unknown" && !route.startsWith("/"))).toEqual([]);
});

test("delivery attempts are counted by outcome and duration, pending deliveries by age", () => {
  expect(grown("botstead_delivery_attempts_total", { part: "worker", outcome: "delivered" })).toBe(1);
  expect(grown("botstead_delivery_attempts_total", { part: "worker", outcome: "status" })).toBe(1);
  expect(grown("botstead_delivery_attempt_duration_seconds_count", { part: "worker" })).toBe(2);
});

test("a run is counted by the executor that answered it", () => {
  expect(grown("botstead_run_work_seconds_count", { part: "worker", outcome: "answered" })).toBe(1);
});

test("jobs are counted by task", () => {
  expect(grown("botstead_worker_jobs_total", sentMail)).toBe(1);
});

test("each process reports its event loop, memory, descriptors, connections and version", () => {
  for (const part of ["api", "worker", "console"]) {
    expect(after.value("nodejs_eventloop_lag_seconds", { part })).toBeGreaterThanOrEqual(0);
    expect(after.value("process_resident_memory_bytes", { part })).toBeGreaterThan(10e6);
    expect(after.value("process_open_fds", { part })).toBeGreaterThan(5);
    expect(after.value("botstead_build_info", { part, node: process.version })).toBe(1);
  }
  for (const [part, pool] of [
    ["api", "pooled"],
    ["api", "point"],
    ["worker", "worker"],
    ["worker", "executor"],
    ["console", "console"],
  ]) {
    expect([
      pool,
      after.value("botstead_pool_connections", { part: part ?? "", pool: pool ?? "", state: "waiting" }),
    ]).toEqual([pool, 0]);
  }
  for (const part of ["api", "worker", "console"]) expect(after.value("botstead_part_up", { part })).toBe(1);
});

test("the database is reported as up, with current definitions and live executors", () => {
  expect(after.value("botstead_database_up")).toBe(1);
  expect(after.value("botstead_definitions_current")).toBe(1);
  expect(after.value("botstead_executors", { state: "alive" })).toBe(1);
  expect(after.value("botstead_partitions_weeks_ahead")).toBeGreaterThanOrEqual(4);
});

test("METRICS_PORT serves the same metrics, and only the parent process listens on it", async () => {
  const own = await scrape(metricsUrl());
  expect([...own.families.keys()].toSorted()).toEqual([...after.families.keys()].toSorted());
  expect((await fetch(metricsUrl().replace("/metrics", "/"))).status).toBe(404);
});

test("the API's port serves no metrics", async () => {
  expect((await fetch(`${home.api.replace("/api/v1", "")}/metrics`)).status).toBe(404);
});

test("a request through a proxy needs an operator's token", async () => {
  const through = { "x-forwarded-for": "203.0.113.7" };
  expect((await fetch(url(), { headers: through })).status).toBe(401);
});

test("the metrics of a killed worker are missing until it restarts; the others stay", async () => {
  const pid = started.parts().worker?.pid ?? 0;
  signalProcess(pid, "SIGSTOP");
  const silent = await scrape(url());
  expect(silent.value("botstead_part_up", { part: "worker" })).toBe(0);
  expect(silent.value("process_resident_memory_bytes", { part: "worker" })).toBeUndefined();
  expect(silent.value("botstead_http_requests_total", { route: "/api/v1/bots" })).toBeGreaterThan(0);
  signalProcess(pid, "SIGKILL");
  await eventually(async () => !isAlive(pid));
  await eventually(async () => (await scrape(url())).value("botstead_part_up", { part: "worker" }) === 1);
});

test("the counts of jobs, executors, deliveries and endpoints match the tables", async () => {
  const key = await makeKey(db, ada.organisation.id, ada.organisation.ownerId);
  await call("GET", "/me", { key: key.text });
  await db.sql(
    `insert into graphile_worker._private_jobs (task_id, payload, run_at, attempts, max_attempts)
     select id, '{}', now() - interval '1 hour', 25, 25 from graphile_worker._private_tasks where identifier = 'send_mail'`,
  );
  await ada.ask("POST", "/audit/stream", { url: "https://siem.example/" });
  await db.sql("update app.executors set last_seen_at = now() - interval '2 minutes'");
  await db.sql(
    "insert into app.executors (id, name, models, last_seen_at) values (gen_random_uuid(), 'gone', '{recall}', now() - interval '1 day')",
  );
  let now: Scrape | undefined;
  await eventually(async () => {
    now = await scrape(url());
    return now.value("botstead_jobs", { task: "send_mail", state: "failed" }) === 1;
  });
  expect(now?.value("botstead_jobs_oldest_seconds", { task: "send_mail", state: "failed" })).toBeGreaterThanOrEqual(
    3600,
  );
  expect(now?.value("botstead_executors", { state: "silent" })).toBeGreaterThanOrEqual(1);
  expect(now?.value("botstead_deliveries_pending", { due: "later" })).toBe(1);
  expect(now?.value("botstead_webhook_endpoints", { state: "active" })).toBe(1);
  expect(now?.value("botstead_webhook_endpoints", { state: "degraded" })).toBe(1);
  expect(now?.value("botstead_audit_streams", { state: "active" })).toBe(1);
});

test("pending deliveries of a paused endpoint count as paused, and are not due", async () => {
  await ada.ask("PATCH", `/webhooks/${bad.id}`, { state: "paused" });
  await db.sql("update app.deliveries set next_attempt_at = now() - interval '2 hours' where state = 'pending'");
  let now: Scrape | undefined;
  await eventually(async () => {
    now = await scrape(url());
    return now.value("botstead_deliveries_pending", { due: "paused" }) === 1;
  });
  for (const due of ["later", "longer"]) expect(now?.value("botstead_deliveries_pending", { due })).toBe(0);
  expect(now?.value("botstead_deliveries_oldest_due_seconds")).toBe(0);
});

describe("the dashboard and the alerts in ops/ use only existing metrics", () => {
  /** Prometheus itself gives these. */
  const added = ["installation", "instance", "job", "le"];
  const outside = ["up", "ALERTS", ...ofEmbeddedDatabase];

  test("each metric exists", () => {
    const missing = expressions().flatMap(({ where, expr }) =>
      readPromql(expr)
        .metrics.filter(({ name }) => !outside.includes(name) && !after.families.has(familyOf(name)))
        .map(({ name }) => `${where}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  test("each label exists on its metric", () => {
    const missing = expressions().flatMap(({ where, expr, shown }) => {
      const { metrics, grouped } = readPromql(expr);
      return metrics.flatMap(({ name, labels }) => {
        const [one] = after.samples.filter((sample) => sample.name === name);
        if (!one) return []; // nothing of it has happened yet
        const wanted = [...Object.keys(labels), ...grouped, ...shown.filter((label) => label !== "value")];
        return wanted
          .filter((label) => !added.includes(label) && !(label in one.labels))
          .map((label) => `${where}: ${name} has no ${label}`);
      });
    });
    expect(missing).toEqual([]);
  });

  test("each fixed label value occurs", () => {
    const missing = expressions().flatMap(({ where, expr }) =>
      readPromql(expr).metrics.flatMap(({ name, labels }) =>
        Object.entries(labels)
          .filter(([label]) => label === "due" || label === "part" || label === "pool")
          .filter(
            ([label, value]) => !after.samples.some((sample) => sample.name === name && sample.labels[label] === value),
          )
          .map(([label, value]) => `${where}: ${name} ${label}=${value}`),
      ),
    );
    expect(missing).toEqual([]);
  });

  const familyOf = (name: string) => (after.families.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ""));
});
