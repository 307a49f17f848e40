/** Unsupported methods, HEAD, and headers for browsers on every response. */

import { operations } from "../../src/contract/operations.ts";
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import { type Json, testApi } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { absent } from "../support/requests.ts";

const here = apiOfFile();
const fetched = (method: string, path: string, key?: string) =>
  fetch(`${here.api.url}${path}`, { method, headers: key ? { authorization: `Bearer ${key}` } : {} });

const pages: [path: string, allow: string][] = [
  ["/api/v1/openapi.json", "GET, HEAD"],
  ["/docs", "GET, HEAD"],
  ["/docs.md", "GET, HEAD"],
  ["/docs/reference.js", "GET, HEAD"],
  ["/docs/find.js", "GET, HEAD"],
  ["/docs/fields.js", "GET, HEAD"],
  ["/docs/examples.js", "GET, HEAD"],
  ["/docs/reference.css", "GET, HEAD"],
  ["/healthz", "GET, HEAD"],
  ["/readyz", "GET, HEAD"],
  ["/.well-known/webhooks.json", "GET, HEAD"],
  ["/.well-known/oauth-protected-resource/mcp", "GET, HEAD"],
  ["/.well-known/oauth-authorization-server", "GET, HEAD"],
  ["/oauth/authorize", "GET, HEAD"],
  ["/oauth/token", "POST"],
  ["/oauth/revoke", "POST"],
  ["/portal/consent", "GET, HEAD, POST"],
  ["/invitation/none", "GET, HEAD, POST"],
  ["/approval/none", "GET, HEAD, POST"],
  [`/api/v1/hooks/${absent}/receive`, "POST"],
];

test.each(pages)("%s returns 405 for other methods, with its own in the Allow header", async (path, allow) => {
  for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS", ...(allow.includes("POST") ? [] : ["POST"])]) {
    const response = await fetched(method, path);
    expect([method, response.status, response.headers.get("allow")]).toEqual([method, 405, allow]);
    const { error } = (await response.json()) as Json;
    expect(error.code ?? error).toBe(path.startsWith("/oauth/") ? "invalid_request" : "not_supported"); // OAuth's form
  }
});

/** Headers that differ between two equal requests. */
const varying = /^(date|x-request-id|ratelimit|connection|keep-alive|transfer-encoding)$/;
const lasting = ({ headers }: Response) => [...headers].filter(([name]) => !varying.test(name)).toSorted();

test("HEAD returns the headers of GET without a body, on every GET route", async () => {
  const ada = await here.owner();
  const { text: platform } = (await here.platform()).key;
  const paths = operations
    .filter(({ method }) => method === "get")
    .map(({ path, keyClass }) => [
      `/api/v1${path.replace(/\{\w+\}/, absent)}`,
      keyClass === "platform" ? platform : ada.key.text,
    ]);
  for (const [path = "", key] of [...paths, ...pages.map(([path]) => [path])]) {
    const [got, head] = [await fetched("GET", path, key), await fetched("HEAD", path, key)];
    expect([path, head.status]).toEqual([path, got.status]);
    expect([path, lasting(head)]).toEqual([path, lasting(got)]);
    expect([path, await head.text()]).toEqual([path, ""]);
    await got.body?.cancel();
  }
});

test("HEAD of a run's events ends at once and opens no stream", async () => {
  const ada = await here.owner();
  const { id: botId } = (await ada.post("/bots", { name: "Ada" })).body;
  const { id } = (await ada.post("/runs", { botId, message: "Hello" })).body;
  for (let each = 0; each < 30; each += 1) {
    const head = await fetched("HEAD", `/api/v1/runs/${id}/events`, ada.key.text);
    expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([200, "text/event-stream", ""]);
  }
});

test("Every JSON response has nosniff", async () => {
  const ada = await here.owner();
  for (const path of ["/me", "/bots", `/bots/${absent}`, "/nothing", "/openapi.json"]) {
    const { headers } = await ada.get(path);
    expect([path, headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
  }
  for (const path of ["/healthz", "/readyz", "/nothing"]) {
    expect([path, (await fetched("GET", path)).headers.get("x-content-type-options")]).toEqual([path, "nosniff"]);
  }
});

test("An unknown route consumes the rate limit of an address, unless the caller's key is known", async () => {
  const ada = await here.owner();
  const strict = await testApi(
    here.db,
    {},
    makeRateLimiter(() => 0, { ...specified, address: 10 }),
  );
  const statusOf = async (path: string, key?: string) =>
    (await fetch(strict.url + path, { headers: key ? { authorization: `Bearer ${key}` } : {} })).status;
  expect(await statusOf("/api/v1/me", ada.key.text)).toBe(200);
  for (let each = 0; each < 10; each += 1) expect(await statusOf(each % 2 ? "/nothing" : "/api/v1/nothing")).toBe(404);
  expect([await statusOf("/nothing"), await statusOf("/api/v1/nothing"), await statusOf("/api/v1/me")]).toEqual([
    429, 429, 429,
  ]);
  expect(await statusOf("/api/v1/nothing", `${ada.key.text}x`)).toBe(429);
  expect(await statusOf("/api/v1/nothing", ada.key.text)).toBe(404);
  expect([await statusOf("/healthz"), await statusOf("/api/v1/openapi.json")]).toEqual([200, 200]);
  await strict.stop();
});
