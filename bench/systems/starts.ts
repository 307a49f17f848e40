/** The HTTP interface of the libraries that start work: Express with a parsed JSON body. */
import { createServer } from "node:http";
import express from "express";
import { Client } from "pg";
import { urlOfDatabase } from "../../src/database/urls.ts";
import { listen } from "./listen.ts";

/** Starts work durably. @param id the Idempotency-Key */
type Start = (id: string, message: string) => Promise<void>;

/** Each path starts work in another way, and answers 202 after the commit. */
export function listenForStarts(starts: Record<string, Start>): Promise<string> {
  const app = express().disable("x-powered-by").disable("etag").use(express.json());
  for (const [path, start] of Object.entries(starts)) {
    app.post(path, async ({ headers, body }, response) => {
      const id = String(headers["idempotency-key"]);
      await start(id, body.message);
      response.status(202).json({ id });
    });
  }
  return listen(createServer(app));
}

/** Creates a database of the same cluster, unless it exists. Returns its URL. */
export async function databaseOf(name: string, adminUrl: string): Promise<string> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    const { rowCount } = await admin.query("select from pg_database where datname = $1", [name]);
    if (!rowCount) await admin.query(`create database ${name}`);
  } finally {
    await admin.end();
  }
  return urlOfDatabase(name, adminUrl);
}
