/** The portal's document and static files. Their data needs a session. (docs/portal.md) */
import { fileURLToPath } from "node:url";
import { readConfig } from "../../src/config.ts";
import { apiOfFile } from "../support/callers.ts";

const here = apiOfFile();
const get = (path: string, init: RequestInit = {}) =>
  fetch(new URL(path, here.api.url), { redirect: "manual", ...init });

test("/portal/ and paths below it answer the same document, and every file that it names", async () => {
  const response = await get("/portal/");
  const text = await response.text();
  expect(response.status).toBe(200);
  expect(await (await get("/portal/keys/01")).text()).toBe(text);
  const files = [...text.matchAll(/(?:src|href)="(\/front\/[^"]+)"/g)].map(([, path = ""]) => path);
  expect(files.length).toBeGreaterThan(1);
  for (const path of files) {
    const file = await get(path);
    expect([path, file.status, file.headers.get("cache-control")]).toEqual([
      path,
      200,
      "public,max-age=31536000,immutable",
    ]);
  }
});

test("the document allows only files of its own origin and no page that embeds it", async () => {
  const { headers } = await get("/portal/");
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self';");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
  expect(headers.get("cache-control")).toBe("no-store");
});

test("an unknown static file answers 404, also a path that leaves the folder", async () => {
  for (const path of ["/front/assets/none.js", "/front/%2e%2e/%2e%2e/package.json", "/front/..%2f..%2fpackage.json"]) {
    expect((await get(path)).status).toBe(404);
  }
});

test("another method than GET answers 405", async () => {
  const response = await get("/portal/", { method: "POST" });
  expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
});

test("PORTAL_FRAME_ANCESTORS takes origins and refuses other text", () => {
  const read = (text: string) =>
    readConfig({ DATA_DIR: fileURLToPath(new URL(".", import.meta.url)), PORTAL_FRAME_ANCESTORS: text });
  expect(read("https://a.example, https://b.example:8443").portalFrameAncestors).toEqual([
    "https://a.example",
    "https://b.example:8443",
  ]);
  for (const text of ["a.example", "https://a.example/path", "*", "https://a.example;script-src *"]) {
    expect(() => read(text)).toThrow("PORTAL_FRAME_ANCESTORS: must be origins");
  }
});
