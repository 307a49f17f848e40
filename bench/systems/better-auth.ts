/**
 * Better Auth: a library authenticates the caller, with users, organisations and keys in tables of its own
 * (better-auth-data.ts). After it has verified a key, this code reads the memory of the key's organisation with pg.
 */
import { createServer } from "node:http";
import { fromNodeHeaders } from "better-auth/node";
import express from "express";
import { Pool } from "pg";
import { openBetterAuth } from "./better-auth-data.ts";
import { listen } from "./listen.ts";
import { getOne } from "./memory.ts";
import { system } from "./system.ts";

system(async ({ adminUrl, poolSize, callers }) => {
  const pool = new Pool({ connectionString: adminUrl, max: poolSize, options: "-c search_path=better_auth" });
  const { auth, cookies } = await openBetterAuth(pool, callers);
  const page = (organisationId: string) => ({ query: { organizationId: organisationId, limit: 50 } });

  const app = express().disable("x-powered-by").disable("etag");
  app.get("/memories/:id", async ({ params, headers }, response) => {
    const { valid, key } = await auth.api.verifyApiKey({ body: { key: String(headers["x-api-key"]) } });
    if (!valid) return void response.status(401).end();
    const values = [key?.metadata?.organisationId, params.id];
    const { rows } = await pool.query<{ body: string }>({ name: "get", text: getOne, values });
    response.set("content-type", "application/json").end(rows[0]?.body);
  });
  app.get("/by-key/:organisation/members", async ({ params, headers }, response) => {
    response.json(await auth.api.listMembers({ headers: fromNodeHeaders(headers), ...page(params.organisation) }));
  });
  // The cookies of an owner's session are added here, so that the load needs no cookies.
  app.get("/by-session/:organisation/members", async ({ params, headers }, response) => {
    const cookie = cookies.get(params.organisation) ?? "";
    response.json(
      await auth.api.listMembers({ headers: fromNodeHeaders({ ...headers, cookie }), ...page(params.organisation) }),
    );
  });
  return listen(createServer(app));
});
