/** Errors of the paths below /oauth, in the form of OAuth. (docs/specification/oauth.md#errors) */
import { apiOfFile } from "../support/callers.ts";

const here = apiOfFile();

const form = "application/x-www-form-urlencoded";

type Sent = { method?: string; headers?: Record<string, string>; body?: string | Uint8Array };

const requests: [name: string, sent: Sent, status: number][] = [
  ["without a body", {}, 400],
  ["with an empty form", { headers: { "content-type": form }, body: "" }, 400],
  ["with JSON", { headers: { "content-type": "application/json" }, body: "{}" }, 400],
  ["with a body of no type", { body: new Uint8Array([0, 1, 2]) }, 400],
  ["with broken bytes", { headers: { "content-type": form }, body: "token=%ff&token=%&=&code" }, 400],
  ["with an unknown charset", { headers: { "content-type": `${form}; charset=none` }, body: "a=b" }, 415],
  ["with a compressed body", { headers: { "content-type": form, "content-encoding": "gzip" }, body: "a" }, 415],
  ["with more than 16 KiB", { headers: { "content-type": form }, body: `code=${"x".repeat(17_000)}` }, 413],
  ["by PUT", { method: "PUT" }, 405],
  ["by GET", { method: "GET" }, 405],
  ["by DELETE", { method: "DELETE" }, 405],
];

describe.each(["/oauth/token", "/oauth/revoke"])("a request to %s", (path) => {
  test.each(requests)("%s is answered with an error of OAuth: %p, %i", async (_name, sent, status) => {
    const response = await fetch(here.api.url + path, { method: "POST", ...sent });
    expect([response.status, await response.json()]).toEqual([
      status,
      { error: "invalid_request", error_description: expect.stringMatching(/^[A-Z].+\.$|^\w+ is required, once\.$/) },
    ]);
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("allow")).toBe(status === 405 ? "POST" : null);
  });
});

test("POST /oauth/authorize is answered with an error of OAuth and the methods of the page", async () => {
  const response = await fetch(`${here.api.url}/oauth/authorize`, { method: "POST" });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  expect(await response.json()).toEqual({ error: "invalid_request", error_description: expect.any(String) });
});
