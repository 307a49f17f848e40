/** `/mcp` checks the credential and counts each request before it reads the body. (docs/mcp.md) */
import { connect as connectSocket } from "node:net";
import { gzipSync } from "node:zlib";
import { makeCredential } from "../../src/secrets/credentials.ts";
import { makeRateLimiter } from "../../src/web/rate-limiter.ts";
import { type TestApi, testApi } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";

const here = apiOfFile();
let now = 1_800_000_000_000 - (1_800_000_000_000 % 60_000);
const apis: TestApi[] = [];

beforeAll(async () => {
  for (const RATE_LIMITS of ["process", "shared"]) {
    apis.push(
      await testApi(
        here.db,
        { RATE_LIMITS },
        makeRateLimiter(() => now),
      ),
    );
  }
});
beforeEach(() => {
  now += 60_000;
});
afterAll(() => Promise.all(apis.map((api) => api.stop())));

const unknownTool = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "nothing", arguments: {} } };
const notification = { jsonrpc: "2.0", method: "notifications/initialized" };

const post = async (api: TestApi, key: string | undefined, body: unknown) => {
  const packed = gzipSync(JSON.stringify(body));
  const response = await fetch(`${api.url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "content-encoding": "gzip",
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: packed,
  });
  await response.arrayBuffer();
  return response.status;
};

async function statuses(times: number, call: () => Promise<number>): Promise<Record<number, number>> {
  const found: Record<number, number> = {};
  for (const status of await Promise.all(Array.from({ length: times }, call))) found[status] = (found[status] ?? 0) + 1;
  return found;
}

test.each(["process", "shared"])(
  "RATE_LIMITS=%s: unissued keys are refused and count for the address",
  async (mode) => {
    const api = apis[mode === "process" ? 0 : 1] as TestApi;
    const calls = [unknownTool, notification, unknownTool, notification];
    let next = 0;
    const flood = () => post(api, makeCredential("bsk").text, calls[next++ % calls.length]);
    expect(await statuses(200, flood)).toEqual({ 401: 60, 429: 140 });
    const { key } = await here.owner();
    expect(await post(api, key.text, notification)).toBe(202);
  },
);

test.each([
  ["process", "unknown tools", 200, unknownTool],
  ["process", "notifications", 202, notification],
  ["shared", "unknown tools", 200, unknownTool],
  ["shared", "notifications", 202, notification],
])("RATE_LIMITS=%s: %s count for their key", async (mode, _name, status, body) => {
  const api = apis[mode === "process" ? 0 : 1] as TestApi;
  const { key } = await here.owner("read");
  await here.db.sql("update app.api_keys set rate_per_minute = 3 where id = $1", [key.id]);
  const found = await statuses(20, () => post(api, key.text, body));
  // The database counts by its own clock, and a minute can end meanwhile.
  expect(found[429]).toBeGreaterThanOrEqual(mode === "process" ? 17 : 1);
  expect(found[status]).toBeGreaterThanOrEqual(3);
});

test("The body of a refused request is neither awaited nor unpacked", async () => {
  const api = apis[0] as TestApi;
  const { hostname, port } = new URL(api.url);
  const socket = connectSocket(Number(port), hostname);
  socket.write(
    `POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${makeCredential("bsk").text}\r\n` +
      "Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 1000\r\n\r\n",
  );
  const answer = await new Promise<string>((resolve) => socket.once("data", (part) => resolve(String(part))));
  socket.destroy();
  expect(answer).toMatch(/^HTTP\/1.1 401 /);
});

test("A call counts once in the requests of its key", async () => {
  const api = apis[0] as TestApi;
  const { key } = await here.owner("read");
  const call = { ...unknownTool, params: { name: "list_bots", arguments: {} } };
  for (let each = 0; each < 3; each += 1) expect(await post(api, key.text, call)).toBe(200);
  const { headers } = await api.call("GET", "/me", { key: key.text });
  expect(headers.get("ratelimit")).toContain('"key";r=296;');
});
