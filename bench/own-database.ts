/** A separate database for a measurement, in the same cluster. With --folder a later run reuses it. */
import { Client } from "pg";
import { migrate } from "../src/database/migrate.ts";
import { urlOfDatabase } from "../src/database/urls.ts";
import type { Data } from "./data.ts";

/** @returns an administrator connection, which the caller ends; `isNew` if the database is empty */
export async function ownDatabase(
  { adminUrl, key }: Pick<Data, "adminUrl" | "key">,
  name: string,
): Promise<{ url: string; admin: Client; isNew: boolean }> {
  const server = new Client({ connectionString: adminUrl });
  await server.connect();
  const isNew = (await server.query("select from pg_database where datname = $1", [name])).rowCount === 0;
  if (isNew) await server.query(`create database ${name}`);
  await server.end();
  const url = urlOfDatabase(name, adminUrl);
  await migrate({ adminUrl: url, key });
  const admin = new Client({ connectionString: url });
  await admin.connect();
  return { url, admin, isNew };
}
