/**
 * The bare stack: the same answers from the same tables by Express and pg as one writes them who trusts every caller.
 * No credential, no walls, no limits, no validation; the organisation is whatever the path says. Named statements and
 * JSON made by the database, since a bare stack that is written badly would flatter what stands beside it.
 */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import express from "express";
import { Pool } from "pg";
import { columns, getOne } from "./claim.ts";
import { listen } from "./listen.ts";
import { contestant } from "./settings.ts";

const list = `
  select json_agg(row_to_json(found))::text as body
  from (
    select ${columns("memory")} from app.memories memory
    where organisation_id = $1 order by id desc limit $2::integer
  ) found`;

const members = `
  select json_agg(row_to_json(found))::text as body
  from (
    select member.person_id as "userId", person.email, person.display_name as "displayName", member.role,
      rows.time(member.created_at) as "createdAt"
    from app.memberships member
    join app.people person on person.id = member.person_id
    where member.organisation_id = $1 order by member.id desc limit $2::integer
  ) found`;

const create = `
  with created as (
    insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source, created_by)
    values ($1, $2, $3, $4, $5, 'member', 'api', $6)
    returning *
  ), body as (
    select row_to_json(found)::text as body from (select ${columns("created")} from created) found
  ), kept as (
    insert into app.idempotency_records (organisation_id, key_id, digest, fingerprint, request_id, status, body)
    select $1, $6, $7, $7, uuidv7(), 201, body from body
  )
  select body from body`;

contestant(({ adminUrl, poolSize }) => {
  const pool = new Pool({ connectionString: adminUrl, max: poolSize });
  const ask = async (name: string, text: string, values: unknown[]) =>
    (await pool.query<{ body: string }>({ name, text, values })).rows[0]?.body;

  const app = express().disable("x-powered-by").disable("etag");
  app.get("/:organisation/memories/:id", async ({ params }, response) => {
    const body = await ask("get", getOne, [params.organisation, params.id]);
    response.set("content-type", "application/json").end(body);
  });
  app.get("/:organisation/memories", async ({ params, query }, response) => {
    const body = await ask("list", list, [params.organisation, query.limit]);
    response.set("content-type", "application/json").end(`{"data":${body}}`);
  });
  app.get("/:organisation/members", async ({ params, query }, response) => {
    const body = await ask("members", members, [params.organisation, query.limit]);
    response.set("content-type", "application/json").end(`{"data":${body}}`);
  });
  app.post("/:organisation/:person/memories", express.json(), async ({ params, body: sent, headers }, response) => {
    const digest = createHash("sha256").update(String(headers["idempotency-key"])).digest();
    const { scope, kind, subject, value } = sent;
    const values = [params.organisation, scope, kind, subject, value, params.person, digest];
    const body = await ask("create", create, values);
    response.status(201).set("content-type", "application/json").end(body);
  });
  return listen(createServer(app));
});
