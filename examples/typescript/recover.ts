/**
 * recover.ts WEBHOOK_ID SINCE: after an outage of yours has everything sent again that the endpoint missed since then, and
 * prints every event that is kept. A key of scope admin.
 */
import { createClient } from "botstead/client";

const { BOTSTEAD_URL: baseUrl = "http://127.0.0.1:3000", BOTSTEAD_KEY: key = "" } = process.env;
const [id = "", begin = ""] = process.argv.slice(2);
const client = createClient({ baseUrl, key });

for (const include of ["failed", "missing"] as const) {
  let recovered = 0;
  for (let since: string | null = begin; since !== null; ) {
    // Sent again after a lost answer, it recovers nothing twice: the client's retries carry one Idempotency-Key.
    const chunk: { recovered: number; nextSince: string | null } = await client.post("/webhooks/{id}/recover", {
      path: { id },
      body: { since, include },
    });
    recovered += chunk.recovered;
    since = chunk.nextSince;
  }
  console.log(`recovered: ${recovered} ${include}`);
}

// Whoever keeps the last cursor begins there the next time, and reads what has come since.
let after: string | undefined;
for (let more = true; more; ) {
  const page = await client.get("/events", { query: { after, limit: 100 } });
  for (const { id, event, createdAt } of page.data) console.log(`${createdAt} ${event} ${id}`);
  after = page.nextCursor;
  more = page.hasMore;
}
console.log(`go on from: ${after}`);
