/** The core runs on one database without its extensions: these suites pass although portal, MCP and cells are left out. */
import { serveBy, serveCore, testApi } from "../support/api.ts";
import { testDatabase } from "../support/database.ts";

serveBy(serveCore);

await import("./runs.test.ts");
await import("./memories.test.ts");
await import("./keys.test.ts");
await import("./webhooks.test.ts");
await import("./members.test.ts");

test("the pages of the extensions are unknown paths", async () => {
  const db = await testDatabase();
  const api = await testApi(db);
  const statuses = ["/portal", "/mcp", "/oauth/authorize", "/healthz"].map(
    async (path) => (await fetch(api.url + path)).status,
  );
  expect(await Promise.all(statuses)).toEqual([404, 404, 404, 200]);
  await api.stop();
  await db.drop();
});
