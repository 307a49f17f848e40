/** What the products of all models need: a database, and a new organisation for each sequence of actions. */
import type { Client } from "pg";
import type { TestApi } from "../../support/api.ts";
import { makeKey, makeOrganisation, type Organisation, setLimits, type TestDatabase } from "../../support/database.ts";
import { type Call, callByHttp, callBySql } from "../caller.ts";

export type Place = {
  db: TestDatabase;
  /** Of role server. */
  server: Client;
  api: TestApi;
  /** Sequences so far. Every tenth is performed over HTTP. */
  opened: number;
};

export type Tenant = { organisation: Organisation; call: Call; sql: TestDatabase["sql"] };

export async function openTenant(place: Place, limits: Record<string, number | null> = {}): Promise<Tenant> {
  const { db } = place;
  const organisation = await makeOrganisation(db);
  await setLimits(db, organisation.id, limits);
  const { text } = await makeKey(db, organisation.id, organisation.ownerId);
  place.opened += 1;
  const call = place.opened % 10 === 0 ? callByHttp(place.api, text) : callBySql(place.server, db.key, text);
  return { organisation, call, sql: db.sql };
}
