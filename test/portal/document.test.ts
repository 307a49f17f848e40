/** The portal's document and static files. Their data needs a session. (docs/portal.md) */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { readConfig } from "../../src/config.ts";
import { builtFolder } from "../../src/web/front/built.ts";
import { testApi } from "../support/api.ts";
import { browserOfFile, openContext } from "../support/browser.ts";
import { apiOfFile } from "../support/callers.ts";
import { docBlocks } from "../support/doc-blocks.ts";
import { seen } from "../support/page-change.ts";
import { startScriptedServer } from "../support/scripted-server.ts";

const here = apiOfFile();
const chromium = browserOfFile();
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
  expect(policy).toMatch(/script-src 'self' 'sha256-[^']+';/);
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

const frame = docBlocks().find(({ page, language }) => page === "docs/portal.md" && language === "html")?.text ?? "";

/** A page of an application, with the frame of docs/portal.md. To browsers, localhost and 127.0.0.1 are different sites, and both are as secure as https. */
async function anApplication() {
  const { url, script, close } = await startScriptedServer();
  const embed = (address: string) => {
    const html = `<!doctype html><title>Application</title>${frame.replace("URL_OF_THE_SESSION", address)}`;
    script.splice(0, 1, (_, response) => response.writeHead(200, { "content-type": "text/html" }).end(html));
  };
  return { origin: url.replace("127.0.0.1", "localhost"), embed, close };
}

/** The API behind https, which pages of the first application may embed; and two applications. */
async function withApplications(
  work: (given: Record<"listed" | "other", Application> & { apiUrl: string }) => Promise<void>,
) {
  const [listed, other] = [await anApplication(), await anApplication()];
  const settings = { BASE_URL: "https://portal.example.com", PORTAL_FRAME_ANCESTORS: listed.origin };
  const api = await testApi(here.db, settings);
  try {
    await work({ listed, other, apiUrl: api.url });
  } finally {
    await Promise.all([api.stop(), listed.close(), other.close()]);
  }
}
type Application = Awaited<ReturnType<typeof anApplication>>;

/** A page of the application, not yet opened, that embeds a new portal session of a new organisation. */
async function embedding(application: Application, apiUrl: string) {
  const ada = await here.owner();
  const { body } = await ada.post("/portal-sessions", { returnUrl: `${application.origin}/settings` });
  const link = new URL(body.url);
  application.embed(apiUrl + link.pathname + link.hash);
  const context = await openContext(chromium.browser);
  return { context, page: await context.newPage(), sessionId: body.id, organisationId: ada.organisation.id };
}

chromium.test("a page of another site that PORTAL_FRAME_ANCESTORS lists embeds the portal, which works there", () =>
  withApplications(async ({ listed, apiUrl }) => {
    const { context, page, organisationId } = await embedding(listed, apiUrl);
    try {
      await page.goto(listed.origin);
      const portal = page.frameLocator("iframe");
      await portal.getByRole("link", { name: "Bots" }).click();
      await portal.getByRole("button", { name: "Create a bot…" }).click();
      await portal.getByRole("dialog").getByLabel("Name").fill("Embedded guide");
      await portal.getByRole("dialog").getByRole("button", { name: "Create" }).click();
      await seen(portal.getByText("Embedded guide"));
      const bots = await here.db.sql("select name from app.bots where organisation_id = $1", [organisationId]);
      expect(bots).toEqual([{ name: "Embedded guide" }]);

      const cookie = { name: "__Host-botstead-portal", httpOnly: true, secure: true, sameSite: "None" };
      expect(await context.cookies()).toEqual([expect.objectContaining(cookie)]);

      await page.reload(); // with the used link
      await seen(portal.getByRole("navigation", { name: "Sections" }));
      const tab = await context.newPage(); // the cookie is partitioned: pages outside the application's have none
      await tab.goto(`${apiUrl}/portal/`);
      await seen(tab.getByRole("heading", { name: "No session" }));

      await portal.getByRole("link", { name: "Back to the application" }).click();
      await page.waitForURL(`${listed.origin}/settings`);
    } finally {
      await context.close();
    }
  }),
);

for (const [name, which] of [
  ["an origin that PORTAL_FRAME_ANCESTORS does not list", "other"],
  ["any origin without PORTAL_FRAME_ANCESTORS", "listed"],
] as const) {
  chromium.test(`Chromium refuses the frame in a page of ${name}, and the link stays unused`, () =>
    withApplications(async (given) => {
      const apiUrl = which === "other" ? given.apiUrl : here.api.url;
      const { context, page, sessionId } = await embedding(given[which], apiUrl);
      try {
        const refused = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
        await page.goto(given[which].origin);
        expect((await refused).text()).toContain(apiUrl);
        await page.waitForLoadState();
        expect(page.frames().map((frame) => frame.url())).toEqual([
          `${given[which].origin}/`,
          "chrome-error://chromewebdata/",
        ]);
        const opened = await here.db.sql("select opened_at from app.portal_sessions where id = $1", [sessionId]);
        expect(opened).toEqual([{ opened_at: null }]);
      } finally {
        await context.close();
      }
    }),
  );
}
