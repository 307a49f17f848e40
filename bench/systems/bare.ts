/**
 * The bare stack: the same answers from the same tables, by Express and pg, for trusted callers. It has no credentials, no
 * row-level security, no limits and no validation; the path names the organisation. It uses named statements and JSON from
 * the database, because a slow bare stack would make the other systems look better.
 */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import express from "express";
import { Pool } from "pg";
import { listen } from "./listen.ts";
import { columns, getOne } from "./memory.ts";
import { system } from "./system.ts";

const list = `
  select json_agg(row_to_json(result))::text as body
  from (
    select ${columns("memory")} from app.memories memory
    where organisation_id = $1 order by id desc limit $2::integer
  ) result`;

const members = `
  select json_agg(row_to_json(result))::text as body
  from (
    select member.person_id as "userId", person.email, person.display_name as "displayName", member.role,
      rows.time(member.created_at) as "createdAt"
    from app.memberships member
    join app.people person on person.id = member.person_id
    where member.organisation_id = $1 order by member.id desc limit $2::integer
  ) result`;

const create = `
  with created as (
    insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source, created_by)
    values ($1, $2, $3, $4, $5, 'member', 'api', $6)
    returning *
  ), body as (
    select row_to_json(result)::text as body from (select ${columns("created")} from created) result
  ), response as (
    insert into app.idempotency_records (organisation_id, key_id, digest, fingerprint, request_id, status, body)
    select $1, $6, $7, $7, uuidv7(), 201, body from body
  )
  select body from body`;

system(({ adminUrl, poolSize }) => {
  const pool = new Pool({ connectionString: adminUrl, max: poolSize });
  const run = async (name: string, text: string, values: unknown[]) =>
    (await pool.query<{ body: string }>({ name, text, values })).rows[0]?.body;

  const app = express().disable("x-powered-by").disable("etag");
  app.get("/:organisation/memories/:id", async ({ params }, response) => {
    const body = await run("get", getOne, [params.organisation, params.id]);
    response.set("content-type", "application/json").end(body);
  });
  app.get("/:organisation/memories", async ({ params, query }, response) => {
    const body = await run("list", list, [params.organisation, query.limit]);
    response.set("content-type", "application/json").end(`{"data":${body}}`);
  });
  app.get("/:organisation/members", async ({ params, query }, response) => {
    const body = await run("members", members, [params.organisation, query.limit]);
    response.set("content-type", "application/json").end(`{"data":${body}}`);
  });
  app.post("/:organisation/:person/memories", express.json(), async ({ params, body: sent, headers }, response) => {
    const digest = createHash("sha256").update(String(headers["idempotency-key"])).digest();
    const { scope, kind, subject, value } = sent;
    const values = [params.organisation, scope, kind, subject, value, params.person, digest];
    const body = await run("create", create, values);
    response.status(201).set("content-type", "application/json").end(body);
  });
  return listen(createServer(app));
});
