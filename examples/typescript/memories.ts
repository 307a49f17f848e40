/** Creates three memories, then lists all memories page by page. Needs a key of scope write. */
import { BotsteadError, createClient } from "botstead/client";
import { needs } from "./usage.ts";

const { BOTSTEAD_URL: baseUrl = "http://127.0.0.1:3000", BOTSTEAD_KEY: key = "" } = process.env;
needs("BOTSTEAD_KEY=bsk_… memories.ts", key);
const client = createClient({ baseUrl, key });

const hours = { Monday: "nine to five", Tuesday: "nine to five", Wednesday: "nine to noon" };
for (const [day, value] of Object.entries(hours)) {
  await client.post("/memories", {
    body: { scope: "organisation", kind: "opening_hours", subject: day, value, confidence: 0.9 },
  });
}

// The client fetches each page when the loop reaches it. A page has 50 rows by default.
for await (const { kind, subject, value } of client.list("/memories", { query: { limit: 2, scope: "organisation" } })) {
  console.log(`${kind}: ${subject}: ${value}`);
}

// Every refusal is a BotsteadError with the API's code and the invalid fields in its details.
try {
  await client.post("/memories", { body: { scope: "organisation", kind: "", subject: "Thursday", value: "closed" } });
} catch (error) {
  if (!(error instanceof BotsteadError)) throw error;
  console.log(`refused: ${error.code} ${error.details.map(({ path }) => path)}`);
}
