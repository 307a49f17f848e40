/** The portal's document and static files. Their data needs a session. (docs/portal.md) */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { readConfig } from "../../src/config.ts";
import { builtFolder } from "../../src/web/front/built.ts";
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

test("the first page of the portal is at most 150 KB, compressed: the document, its files and the overview", async () => {
  const text = await (await get("/portal/")).text();
  const folder = await builtFolder();
  const manifest: Record<string, Chunk> = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const files = new Set<string>();
  const add = (name: string): void => {
    const { file = "", css = [], imports = [] } = manifest[name] ?? {};
    if (files.has(file)) return;
    for (const each of [file, ...css]) files.add(each);
    imports.forEach(add);
  };
  add("portal/main.tsx");
  const ofDocument = files.size;
  add("portal/pages/overview.tsx");
  expect(ofDocument).toBeGreaterThan(1);
  expect(files.size).toBeGreaterThan(ofDocument);
  const sizes = [...files].map((file) => gzipSync(readFileSync(join(folder, file))).length);
  expect(sizes.reduce((sum, size) => sum + size, gzipSync(text).length)).toBeLessThanOrEqual(150_000);
});
type Chunk = { file: string; css?: string[]; imports?: string[] };

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
