/** Makes a key, uses it, and replaces it by another while both work for an hour. A key of scope admin. */
import { createClient } from "botstead/client";

const { BOTSTEAD_URL: baseUrl = "http://127.0.0.1:3000", BOTSTEAD_KEY: key = "" } = process.env;
const client = createClient({ baseUrl, key });

// Its text is in this answer and in no other. Keep it where you keep passwords; print its prefix at most.
const first = await client.post("/keys", { body: { name: "nightly import", scope: "write", expiresInDays: 30 } });
const withFirst = createClient({ baseUrl, key: first.key });
console.log(`made: ${first.prefix}… for ${(await withFirst.get("/me")).organisation.name}, until ${first.expiresAt}`);

const second = await client.post("/keys/{id}/rotate", { path: { id: first.id }, body: { overlapHours: 1 } });
const withSecond = createClient({ baseUrl, key: second.key });
const { expiresAt } = await client.get("/keys/{id}", { path: { id: first.id } });
console.log(
  `rotated: ${(await withSecond.get("/me")).key.prefix}… takes its place; the old one works until ${expiresAt}`,
);

// When everything uses the new one, the old one need not wait for its end.
const { revokedAt } = await client.delete("/keys/{id}", { path: { id: first.id } });
console.log(`revoked: ${first.prefix}… at ${revokedAt}`);
