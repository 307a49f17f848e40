/** Creates a key, uses it, and rotates it: both keys work for an hour. Needs a key of scope admin. */
import { createClient } from "botstead/client";
import { needs } from "./usage.ts";

const { BOTSTEAD_URL: baseUrl = "http://127.0.0.1:3000", BOTSTEAD_KEY: key = "" } = process.env;
needs("BOTSTEAD_KEY=bsk_… keys.ts", key);
const client = createClient({ baseUrl, key });

// Only this response has the key's text. Store it like a password, and print at most its prefix.
const first = await client.post("/keys", { body: { name: "nightly import", scope: "write", expiresInDays: 30 } });
const withFirst = createClient({ baseUrl, key: first.key });
console.log(`made: ${first.prefix}… for ${(await withFirst.get("/me")).organisation.name}, until ${first.expiresAt}`);

const second = await client.post("/keys/{id}/rotate", { path: { id: first.id }, body: { overlapHours: 1 } });
const withSecond = createClient({ baseUrl, key: second.key });
const { expiresAt } = await client.get("/keys/{id}", { path: { id: first.id } });
console.log(
  `rotated: ${(await withSecond.get("/me")).key.prefix}… takes its place; the old one works until ${expiresAt}`,
);

// Revoke the old key once everything uses the new one.
const { revokedAt } = await client.delete("/keys/{id}", { path: { id: first.id } });
console.log(`revoked: ${first.prefix}… at ${revokedAt}`);
