/** What is served without a credential: the contract, its page, and the process's health. (Part 4, "Contract document".) */

import { pino } from "pino";
import { readConfig } from "../../src/config.ts";
import { operations } from "../../src/contract/operations.ts";
import { startApi } from "../../src/http/server.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";

const here = apiOfFile();
const get = (path: string, headers: Record<string, string> = {}) => fetch(here.api.url + path, { headers });

// What it holds is the matter of test/contract; how it is served is the matter here.
test("the contract is OpenAPI 3.1 with a title and a version, of this server", async () => {
  const response = await get("/api/v1/openapi.json");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  const document = (await response.json()) as Json;
  expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), info: { title: expect.any(String) } });
  expect(document.info.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(document.servers[0].url).toMatch(/\/api\/v1$/);
  const schema = (name: string) => document.components.schemas[name].properties;
  expect(schema("NewKey")).toMatchObject({
    name: { minLength: 1, maxLength: 60 },
    scope: { default: "read" },
    expiresInDays: { type: "integer", minimum: 1, maximum: 365, default: 90 },
  });
});

test("the contract may be kept for an hour, and is not sent again to who has it", async () => {
  const first = await get("/api/v1/openapi.json");
  expect(first.headers.get("cache-control")).toBe("public, max-age=3600");
  const etag = first.headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  for (const tag of [etag, `"other", ${etag}`, `W/${etag}`, "*"]) {
    const again = await get("/api/v1/openapi.json", { "if-none-match": tag });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    expect(again.headers.get("cache-control")).toBe("public, max-age=3600");
  }
  expect((await get("/api/v1/openapi.json", { "if-none-match": '"other"' })).status).toBe(200);
});

test("neither a credential nor its lack changes the contract, and a faulty one is counted against nobody", async () => {
  const plain = await (await get("/api/v1/openapi.json")).text();
  for (const authorization of ["Bearer bsk_wrong", "Basic x"]) {
    const asked = await get("/api/v1/openapi.json", { authorization });
    expect([asked.status, await asked.text()]).toEqual([200, plain]);
  }
});

test("the page loads nothing from elsewhere and runs nothing but its own script", async () => {
  const response = await get("/docs");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).not.toContain("unsafe");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  const page = await response.text();
  for (const { path } of operations) expect(page).toContain(path);
  const loaded = [...page.matchAll(/<(?:script|link|img)\b[^>]*(?:src|href)="([^"]*)"/g)].map(([, url]) => url);
  expect(loaded.toSorted()).toEqual(["/docs/reference.css", "/docs/reference.js"]);
});

test("the process says that it lives, and what it has to serve with", async () => {
  await here.db.sql("update app.sweep set swept_at = now()");
  const health = await get("/healthz");
  expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
  const ready = await get("/readyz");
  expect([ready.status, await ready.json()]).toEqual([200, { database: "ok", migrations: "ok", worker: "ok" }]);
  for (const response of [health, ready]) expect(response.headers.get("cache-control")).toBe("no-store");
});

test("a worker that has been silent for a minute, whatever executors live, or other definitions, are no readiness", async () => {
  const readiness = async () => {
    const response = await get("/readyz");
    return [response.status, await response.json()];
  };
  await here.db.sql("update app.executors set last_seen_at = now()");
  await here.db.sql("update app.sweep set swept_at = now() - interval '61 seconds'");
  expect(await readiness()).toEqual([503, { database: "ok", migrations: "ok", worker: "silent" }]);
  await here.db.sql("update app.sweep set swept_at = now()");
  const [{ digest } = { digest: "" }] = await here.db.sql<{ digest: string }>("select digest from app.definitions");
  await here.db.sql("update app.definitions set digest = 'other'");
  expect(await readiness()).toEqual([503, { database: "ok", migrations: "another version", worker: "ok" }]);
  await here.db.sql("update app.definitions set digest = $1", [digest]);
  expect((await readiness())[0]).toBe(200);
});

test("without a database the process lives, is not ready, and still tells its contract", async () => {
  const config = readConfig({ PORT: "0", DATA_DIR: here.db.dataDir });
  const api = await startApi(config, "postgres://nobody@127.0.0.1:1/nothing", here.db.key, pino({ level: "silent" }));
  try {
    const status = async (path: string) => (await fetch(api.url + path)).status;
    expect(await status("/healthz")).toBe(200);
    expect(await status("/readyz")).toBe(503);
    expect(await status("/api/v1/openapi.json")).toBe(200);
    expect(await status("/docs")).toBe(200);
  } finally {
    await api.stop();
  }
});
