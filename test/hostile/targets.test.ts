/**
 * Every method on every path, ambiguous spellings of paths, and heads of the maximum size. Every response has a request
 * id. Every refusal is an error envelope, except on HTML pages and for HEAD, which has no body. Only the contract's
 * effects occur.
 */
import { randomUUID } from "node:crypto";
import { METHODS } from "node:http";
import { operations } from "../../src/contract/operations.ts";
import { watchWrites } from "../contract/write-watch.ts";
import { expectRefusal, uuidV7 } from "../support/answers.ts";
import type { Json, Reply } from "../support/api.ts";
import { makePlatformKey } from "../support/database.ts";
import { reportCounts } from "../support/reliability.ts";
import { pathTo } from "../support/requests.ts";
import { openTarget, type Target } from "./target.ts";
import { last, speak } from "./wire.ts";

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

const templates = [...new Set(operations.map(({ path }) => path))];
const pages = [
  "/docs",
  "/docs/reference.js",
  "/healthz",
  "/readyz",
  "/invitation/x",
  "/approval/x",
  "/oauth/authorize",
  "/oauth/token",
  "/oauth/revoke",
  "/.well-known/oauth-protected-resource/mcp",
  "/api/v1/openapi.json",
];
const beside = [...pages, "/", "/api", "/api/v1", "/api/v1/", "/nothing", "/api/v1/nothing", "/api/v1/bots/a/b/c"];
/** These may get only a status line, or a closed connection, so each uses its own connection. */
const apart = ["HEAD", "CONNECT"];

/** @param extra headers, each with its line end */
const head = (method: string, path: string, extra = "") => `${method} ${path} HTTP/1.1\r\nhost: a\r\n${extra}\r\n`;

/** Paths whose refusals are HTML pages too. */
const isForPeople = (path: string) => /^\/(invitation|approval)\//.test(path);

/** Refusals of paths that OAuth defines: RFC 6749, section 5.2. */
const ofOauth = { error: expect.any(String), error_description: expect.any(String) };

/** Describes what is wrong with a response of any kind. */
function flawOf(reply: Reply<Json> | undefined, method: string, path: string): string | undefined {
  if (!reply) return "no answer";
  const { status, headers, body } = reply;
  try {
    expect(headers.get("x-request-id")).toMatch(uuidV7);
    expect(status).toBeLessThan(500);
    if (status < 400 || method === "HEAD" || isForPeople(path)) return undefined;
    if (path.startsWith("/oauth/")) expect(body).toEqual(ofOauth);
    else expectRefusal(reply, body.error?.code);
  } catch (error) {
    return `${status} ${(error as Error).message}`;
  }
  return undefined;
}

test("every method on every path returns the contract's response, 405 with Allow, or 404, and writes nothing else", async () => {
  const written = (await watchWrites(target.db)).since;
  const paths = [...templates, ...beside];
  // Each with an unused rate limit.
  const keys = await Promise.all(
    paths.map(
      async (path) => (path.startsWith("/platform") ? await makePlatformKey(target.db) : await target.caller()).text,
    ),
  );
  await written();
  const faults: string[] = [];
  let requests = 0;
  for (let from = 0; from < paths.length; from += 4) {
    await Promise.all(paths.slice(from, from + 4).map((template, nth) => tryAll(template, from + nth)));
  }
  const { transactions: writes, tables } = await written();
  const well = requests - faults.length;
  reportCounts("every method on every path", {
    acknowledged: well,
    lost: 0,
    doubled: writes,
    unexpected: faults.length,
  });
  expect(faults).toEqual([]);
  expect(tables).toBeNull();
  expect(requests).toBeGreaterThan(1_500);

  async function tryAll(template: string, at: number): Promise<void> {
    const isOperation = at < templates.length;
    const path = isOperation ? `/api/v1${pathTo(template)}` : template;
    const listed = operations
      .filter((operation) => operation.path === template)
      .map(({ method }) => method.toUpperCase());
    const own = listed.includes("GET") ? [...listed, "HEAD"] : listed;
    const extra = `authorization: Bearer ${keys[at]}\r\nx-forwarded-for: 198.51.100.${at}\r\n`;
    const together = METHODS.filter((method) => !apart.includes(method));
    const { replies } = await speak(target.port, together.map((method) => head(method, path, extra)).join("") + last);
    const asHead = await speak(target.port, head("HEAD", path, `${extra}connection: close\r\n`), { bodiless: true });
    const connecting = await speak(target.port, head("CONNECT", path, extra));
    requests += 1;
    const flawed = flawOf(connecting.replies[0], "CONNECT", "*");
    if (flawed || connecting.replies[0]?.status !== 404 || !connecting.closed)
      faults.push(`CONNECT ${path}: ${flawed}`);
    for (const [method, reply] of [
      ...together.map((each, nth) => [each, replies[nth]] as const),
      ["HEAD", asHead.replies[0]] as const,
    ]) {
      requests += 1;
      const flaw =
        flawOf(reply, method, path) ??
        (isOperation && !own.includes(method) ? notRefused(reply, method, own) : undefined);
      if (flaw) faults.push(`${method} ${path}: ${flaw}`);
    }
  }

  function notRefused(reply: Reply<Json> | undefined, method: string, own: string[]): string | undefined {
    const allowed = reply?.headers.get("allow")?.split(", ").toSorted();
    if (reply?.status !== 405 || String(allowed) !== String(own.toSorted()))
      return `${reply?.status}, allowed: ${allowed}`;
    return method === "HEAD" || reply.body.error.code === "not_supported" ? undefined : reply.text;
  }
});

test("unknown methods and methods in another case get an error envelope on every path", async () => {
  const invented = ["get", "Get", "FROB", "GETT", "G", "POST_", "X-GET", "BREW", "*"];
  const faults: string[] = [];
  for (const method of invented) {
    for (const path of ["/api/v1/me", "/docs", "/"]) {
      const { replies, closed } = await speak(target.port, head(method, path) + last);
      if (replies.length !== 1 || !closed || replies[0]?.body.error?.code !== "invalid_request")
        faults.push(`${method} ${path}`);
    }
  }
  reportCounts("unknown methods", {
    acknowledged: invented.length * 3 - faults.length,
    lost: 0,
    doubled: 0,
    unexpected: faults.length,
  });
  expect(faults).toEqual([]);
});

/** The same path by RFC 3986. */
const same = [
  "/api/v1/bots",
  "/api/v1/bots?",
  "/api/v1/bots?x=1",
  "/api/v1/%62ots",
  "/api/v1/b%6F%74s",
  "http://b/api/v1/bots",
];
const others = [
  ...["//api/v1/bots", "/api//v1/bots", "/api/v1//bots", "/api/v1/bots/", "/api/v1/bots//", "///", "/./api/v1/bots"],
  ...[
    "/api/v1/./bots",
    "/api/v1/me/../bots",
    "/api/v1/bots/.",
    "/api/v1/bots/..",
    "/api/v1/keys/../bots",
    "/docs/../api/v1/bots",
  ],
  ...[
    "/api/v1/%2e/bots",
    "/api/v1/me/%2e%2e/bots",
    "/api/v1/me/..%2fbots",
    "/api/v1%2fbots",
    "/api%2Fv1/bots",
    "/%61pi/v1/bots",
  ],
  ...[
    "/api/v1/bots%00",
    "/api/v1/bots%20",
    "/api/v1/bots%0d%0a",
    "/api/v1/bots%",
    "/api/v1/bots%zz",
    "/api/v1/%2562ots",
  ],
  ...[
    "/api/v1/bots;x=1",
    "/api/v1/bots;",
    "/api/v1/;/bots",
    "/api/v1/bots%3fx",
    "/api/v1/bots%23",
    "/api/v1/bots,",
    "/api/v1/bots\\",
  ],
  ...[
    "/api\\v1\\bots",
    "/API/v1/bots",
    "/Api/V1/Bots",
    "/api/V1/bots",
    "/api/v1/BOTS",
    "/api/v1/Bots",
    "/api/v1/bot%73%2f",
  ],
  ...[
    "/api/v1/%c0%ae/bots",
    "/api/v1/%c0%af/bots",
    "/api/v1/%e0%80%af",
    "/api/v1/%ed%a0%80",
    "/api/v1/%ff",
    "/api/v1/%F0%9D%92%B3",
  ],
  ...[
    "/api/v1/b%6fts/%2e%2e",
    "/api/v1/hooks/%zz/receive",
    "/invitation/%zz",
    "/invitation/%c0%ae",
    "/approval/%",
    "/docs/%2e%2e",
  ],
  ...[
    "/DOCS",
    "/docs/",
    "/Healthz",
    "/healthz/",
    "/api/v1/openapi.json/",
    "/api/v1/OPENAPI.json",
    "http://b//api/v1/bots",
  ],
];

/** Must not look like a link, which names refuse. */
const nameOf = (path: string, nth: number) => `${nth} ${path.replace("://", " ")}`;

test("a path matches only its spelling and equivalent spellings of the URL standard", async () => {
  const caller = await target.caller();
  const faults: string[] = [];
  const acknowledged: string[] = [];
  for (const [nth, path] of [...same, ...others].entries()) {
    const body = JSON.stringify({ name: nameOf(path, nth) });
    const headers = `${caller.authorization}content-type: application/json\r\nidempotency-key: ${randomUUID()}\r\ncontent-length: ${body.length}\r\n`;
    const { replies } = await speak(target.port, head("POST", path, headers) + body, { replies: 1 });
    const [reply] = replies;
    if (reply?.status === 201) acknowledged.push(nameOf(path, nth));
    const expected = nth < same.length ? [201] : [404, 405]; // 405 if the last part is an id, even an unknown one
    const flaw =
      flawOf(reply, "POST", path) ?? (expected.includes(reply?.status ?? 0) ? undefined : `${reply?.status}`);
    if (flaw) faults.push(`POST ${path}: ${flaw}`);
    const response = await speak(target.port, head("GET", path, caller.authorization), { replies: 1 });
    const read =
      flawOf(response.replies[0], "GET", path) ??
      (nth >= same.length && response.replies[0]?.status !== 404 ? "is there" : undefined);
    if (read) faults.push(`GET ${path}: ${read}`);
  }
  const made = await caller.bots();
  reportCounts("spellings of a path", {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter((name) => !made.includes(name)).length,
    doubled: made.filter((name) => !acknowledged.includes(name)).length,
    unexpected: faults.length,
  });
  expect(faults).toEqual([]);
  expect(made).toEqual(same.map(nameOf));
});

test("a head of 16 KB in any number of headers is accepted, and one byte more is refused", async () => {
  const caller = await target.caller();
  const path = "/api/v1/me?x=";
  const [name, value] = caller.authorization.trimEnd().split(": ") as [string, string];
  const needed = path.length + "hosta".length + name.length + value.length;
  const max = 16 * 1024 - 1;
  const inTarget = (size: number) => head("GET", path + "x".repeat(size - needed), caller.authorization);
  const inValue = (size: number) => head("GET", path, `x: ${"x".repeat(size - needed - 1)}\r\n${caller.authorization}`);
  const inNames = (size: number) => {
    const filled = size - needed;
    return head("GET", path, `${"x:\r\n".repeat(filled - 2)}y: z\r\n${caller.authorization}`); // the credential comes last
  };
  const faults: string[] = [];
  let requests = 0;
  for (const [where, sized] of Object.entries({ inTarget, inValue, inNames })) {
    for (const [size, expected] of [
      [max - 1, 200],
      [max, 200],
      [max + 1, 400],
      [max + 2, 400],
    ] as const) {
      requests += 1;
      const { replies, closed } = await speak(target.port, sized(size), { replies: expected === 200 ? 1 : 2 });
      try {
        const [reply] = replies;
        expect({ status: reply?.status, closed }).toEqual({ status: expected, closed: expected === 400 });
        if (reply && expected === 400) expectRefusal(reply, "invalid_request", ["headers"]);
      } catch (error) {
        faults.push(`${where}, ${size}: ${(error as Error).message}`);
      }
    }
  }
  reportCounts("heads of 16 KB, a byte less and a byte more", {
    acknowledged: requests - faults.length,
    lost: 0,
    doubled: 0,
    unexpected: faults.length,
  });
  expect(faults).toEqual([]);
});
