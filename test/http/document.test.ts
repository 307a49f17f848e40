/**
 * Routes without a credential: the contract, its page and the health checks. (docs/specification/service.md#contract-document)
 */

import { pino } from "pino";
import { startApi } from "../../src/api/server.ts";
import { readConfig } from "../../src/config.ts";
import { operations } from "../../src/contract/operations.ts";
import type { Json } from "../support/api.ts";
import { ownApiOfFile } from "../support/callers.ts";

const here = ownApiOfFile();
const get = (path: string, headers: Record<string, string> = {}) => fetch(here.api.url + path, { headers });

// The content of the contract is tested in test/contract; this file tests how it is served.
test("GET /openapi.json returns the OpenAPI 3.1 contract with this server's URL", async () => {
  const response = await get("/api/v1/openapi.json");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  const document = (await response.json()) as Json;
  expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1\./), info: { title: expect.any(String) } });
  expect(document.info.version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(document.servers[0].url).toMatch(/\/api\/v1$/);
  const { title, properties } = document.paths["/keys"].post.requestBody.content["application/json"].schema;
  expect(title).toBe("NewKey");
  expect(properties).toMatchObject({
    name: { minLength: 1, maxLength: 60 },
    scope: { default: "read" },
    expiresInDays: { type: "integer", minimum: 1, maximum: 365, default: 90 },
  });
});

test("GET /openapi.json is cacheable for an hour and returns 304 for a matching ETag", async () => {
  const first = await get("/api/v1/openapi.json");
  expect(first.headers.get("cache-control")).toBe("public, max-age=3600");
  const etag = first.headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  const compressed = etag.replace(/"$/, '-gzip"'); // as a proxy names what it has compressed
  for (const tag of [etag, `"other", ${etag}`, `W/${etag}`, compressed, `W/${compressed}`, "*"]) {
    const again = await get("/api/v1/openapi.json", { "if-none-match": tag });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    expect(again.headers.get("cache-control")).toBe("public, max-age=3600");
  }
  expect((await get("/api/v1/openapi.json", { "if-none-match": '"other"' })).status).toBe(200);
});

test("GET /openapi.json ignores credentials, valid or not", async () => {
  const plain = await (await get("/api/v1/openapi.json")).text();
  for (const authorization of ["Bearer bsk_wrong", "Basic x"]) {
    const response = await get("/api/v1/openapi.json", { authorization });
    expect([response.status, await response.text()]).toEqual([200, plain]);
  }
});

test("The reference page loads nothing from other origins and runs only its own script", async () => {
  const response = await get("/docs");
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const policy = response.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).not.toContain("unsafe");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  const page = await response.text();
  for (const { path } of operations) expect(page).toContain(path);
  const text = page.replaceAll(/<(pre|textarea)\b[\s\S]*?<\/\1>/g, "").replaceAll(/<[^>]+>/g, "");
  expect(text).not.toMatch(/\*\*|`|\]\(|^#+ /m); // no raw Markdown
  const loaded = [...page.matchAll(/<(?:script|link|img)\b[^>]*(?:src|href)="([^"]*)"/g)].map(([, url]) => url);
  expect(loaded.toSorted()).toEqual(["/docs/reference.css", "/docs/reference.js"]);
});

test("/docs.md, and /docs for a client that prefers Markdown, is the reference as Markdown", async () => {
  const response = await get("/docs.md");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/markdown; charset=utf-8"]);
  const text = await response.text();
  for (const { summary, method, path } of operations) {
    expect(text).toContain(`\n### ${summary}\n\n\`${method.toUpperCase()} ${path}\`\n`);
  }
  expect(text).toContain("### Retrieve bot\n\n`GET /bots/{id}`");
  expect(text).toContain("curl -sS http://");
  expect(text).not.toMatch(/<\/?(code|a|p|span)\b|&[a-z]+;|\[object|\bundefined\b/);
  for (const [accept, type] of [
    ["text/markdown", "text/markdown; charset=utf-8"],
    ["text/markdown, text/html;q=0.5", "text/markdown; charset=utf-8"],
    ["text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8"],
    ["*/*", "text/html; charset=utf-8"],
  ] as const) {
    const { headers } = await get("/docs", { accept });
    expect([accept, headers.get("content-type"), headers.get("vary")]).toEqual([accept, type, "accept"]);
  }
});

test("/healthz returns ok, and /readyz names the state of database, migrations and worker", async () => {
  await here.db.sql("update app.maintenance set last_run_at = now()");
  const health = await get("/healthz");
  expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
  const ready = await get("/readyz");
  expect([ready.status, await ready.json()]).toEqual([200, { database: "ok", migrations: "ok", worker: "ok" }]);
  for (const response of [health, ready]) expect(response.headers.get("cache-control")).toBe("no-store");
});

test("/readyz returns 503 after a minute without maintenance, and for definitions of another version", async () => {
  const readiness = async () => {
    const response = await get("/readyz");
    return [response.status, await response.json()];
  };
  await here.db.sql("update app.executors set last_seen_at = now()");
  await here.db.sql("update app.maintenance set last_run_at = now() - interval '61 seconds'");
  expect(await readiness()).toEqual([503, { database: "ok", migrations: "ok", worker: "silent" }]);
  await here.db.sql("update app.maintenance set last_run_at = now()");
  const [{ digest } = { digest: "" }] = await here.db.sql<{ digest: string }>(
    "select digest from app.definition_builds",
  );
  await here.db.sql("update app.definition_builds set digest = 'other'");
  expect(await readiness()).toEqual([503, { database: "ok", migrations: "another version", worker: "ok" }]);
  await here.db.sql("update app.definition_builds set digest = $1", [digest]);
  expect((await readiness())[0]).toBe(200);
});

test("Without a database the API serves /healthz, the contract and its page; /readyz and the public keys return 503", async () => {
  const config = readConfig({ PORT: "0", DATA_DIR: here.db.dataDir });
  const api = await startApi(config, "postgres://nobody@127.0.0.1:1/nothing", here.db.key, pino({ level: "silent" }));
  try {
    const status = async (path: string) => (await fetch(api.url + path)).status;
    expect(await status("/healthz")).toBe(200);
    expect(await status("/readyz")).toBe(503);
    expect(await status("/.well-known/webhooks.json")).toBe(503);
    expect(await status("/api/v1/openapi.json")).toBe(200);
    expect(await status("/docs")).toBe(200);
  } finally {
    await api.stop();
  }
});

test("The root path redirects to the reference page", async () => {
  const response = await fetch(here.api.url, { redirect: "manual" });
  expect([response.status, response.headers.get("location")]).toEqual([302, "/docs"]);
  expect((await fetch(here.api.url)).headers.get("content-type")).toMatch(/^text\/html/);
});

test("titles are short, without articles", () => {
  const titles = operations.map(({ summary }) => summary);
  expect(titles.filter((title) => title.length > 40 || /\b(?:an?|the)\b|[.:;]/i.test(title))).toEqual([]);
});
