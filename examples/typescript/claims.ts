/** Records three claims that bots may recall, then lists all there are, page by page. A key of scope write. */
import { BotsteadError, createClient } from "botstead/client";

const { BOTSTEAD_URL: baseUrl = "http://127.0.0.1:3000", BOTSTEAD_KEY: key = "" } = process.env;
const client = createClient({ baseUrl, key });

const hours = { Monday: "nine to five", Tuesday: "nine to five", Wednesday: "nine to noon" };
for (const [day, value] of Object.entries(hours)) {
  await client.post("/memories", {
    body: { scope: "organisation", kind: "opening_hours", subject: day, value, confidence: 0.9 },
  });
}

// The next page is fetched when the loop gets there. Without a limit a page has 50 rows.
for await (const { kind, subject, value } of client.list("/memories", { query: { limit: 2, scope: "organisation" } })) {
  console.log(`${kind}: ${subject}: ${value}`);
}

// Every refusal is a BotsteadError with the API's code; what fails is in its details.
try {
  await client.post("/memories", { body: { scope: "organisation", kind: "", subject: "Thursday", value: "closed" } });
} catch (error) {
  if (!(error instanceof BotsteadError)) throw error;
  console.log(`refused: ${error.code} ${error.details.map(({ path }) => path)}`);
}
