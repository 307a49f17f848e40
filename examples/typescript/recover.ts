/**
 * recover.ts WEBHOOK_ID SINCE: sends again all deliveries that the endpoint missed since then, and prints all stored events.
 * Needs a key of scope admin.
 */
import { createClient } from "botstead/client";
import { needs } from "./usage.ts";

const { BOTSTEAD_URL: baseUrl = "http://127.0.0.1:3000", BOTSTEAD_KEY: key = "" } = process.env;
const [id = "", begin = ""] = process.argv.slice(2);
needs("BOTSTEAD_KEY=bsk_… recover.ts WEBHOOK_ID SINCE", key, id, begin);
const client = createClient({ baseUrl, key });

for (const include of ["failed", "missing"] as const) {
  let recovered = 0;
  for (let since: string | null = begin; since !== null; ) {
    // Safe to retry after a lost response: the client's retries use the same Idempotency-Key.
    const chunk: { recovered: number; nextSince: string | null } = await client.post("/webhooks/{id}/recover", {
      path: { id },
      body: { since, include },
    });
    recovered += chunk.recovered;
    since = chunk.nextSince;
  }
  console.log(`recovered: ${recovered} ${include}`);
}

// Store the last position to continue from it next time.
let after: string | undefined;
for (let more = true; more; ) {
  const page = await client.get("/events", { query: { after, limit: 100 } });
  for (const { id, event, createdAt } of page.data) console.log(`${createdAt} ${event} ${id}`);
  after = page.position;
  more = page.nextCursor !== null;
}
console.log(`continue after: ${after}`);
