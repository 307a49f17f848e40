/**
 * PostGraphile over our tables and policies; it generates its GraphQL schema from the database catalogue. Two headers set the
 * caller by pgSettings, and no key is checked.
 */
import { createServer } from "node:http";
import express from "express";
import { Pool } from "pg";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/express/v4";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { listen } from "./listen.ts";
import { system } from "./system.ts";

/** A view in a schema of its own, because GraphQL enums cannot contain hyphens. With security_invoker, RLS applies. */
const exposed = `
  drop schema if exists postgraphile cascade;
  create schema postgraphile;
  create view postgraphile.memories with (security_invoker = true) as
    select memory.id, memory.scope::text, memory.bot_id, memory.kind, memory.subject, memory.subject_kind::text,
      memory.value, memory.confidence, memory.valid_to, memory.provenance::text, memory.created_at,
      memory.lawful_basis::text
    from app.memories memory;
  comment on view postgraphile.memories is '@primaryKey id';
  grant usage on schema postgraphile to tenant;
  grant select on postgraphile.memories to tenant`;

system(async ({ adminUrl, poolSize }) => {
  const pool = new Pool({ connectionString: adminUrl, max: poolSize });
  await pool.query(exposed);
  const instance = postgraphile({
    extends: [PostGraphileAmberPreset],
    pgServices: [makePgService({ pool, schemas: ["postgraphile"], pubsub: false })],
    grafserv: { graphqlPath: "/graphql", graphiql: false, watch: false, websockets: false },
    grafast: {
      explain: false,
      context: ({ expressv4 }) => {
        const { "x-organisation": organisation, "x-person": person } = expressv4?.req.headers ?? {};
        return {
          pgSettings: {
            role: "tenant",
            "caller.organisation_id": String(organisation),
            "caller.person_id": String(person),
          },
        };
      },
    },
  });
  await instance.getSchema();
  const app = express().disable("x-powered-by").disable("etag");
  const server = createServer(app);
  await instance.createServ(grafserv).addTo(app as never, server, false);
  return listen(server);
});
