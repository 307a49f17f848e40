/**
 * Listens on PORT and verifies deliveries. On your own machine, SECRET is the secret that `npx botstead listen` prints.
 * With PUBLIC_URL, an https URL that leads to PORT, it creates an endpoint and sends a test. Needs a key of scope admin.
 */
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { createClient, DeliveryRejected, verifyDelivery } from "botstead/client";
import { needs } from "./usage.ts";

const { BOTSTEAD_URL: baseUrl = "http://127.0.0.1:3000", BOTSTEAD_KEY: key = "" } = process.env;
const { SECRET, PUBLIC_URL: url = "", PORT: port = "8080" } = process.env;
needs("SECRET=whsec_… webhook.ts, or BOTSTEAD_KEY=bsk_… PUBLIC_URL=https://… webhook.ts", SECRET || (key && url));

// Only the response to POST /webhooks has the secret. A real receiver stores it like a password.
const client = SECRET ? undefined : createClient({ baseUrl, key });
const endpoint = await client?.post("/webhooks", { body: { url, events: ["run.finished"] } });
const secret = SECRET ?? endpoint?.secret ?? "";

const server = createServer(async (request, response) => {
  const rawBody = await buffer(request); // the raw body: parsing and serialising JSON again changes the signature
  try {
    const event = verifyDelivery(rawBody, request.headers, secret);
    response.writeHead(200).end(); // respond first, then do slow work
    console.log(`verified: ${event.event}, delivery ${event.id}`);
    if (client && endpoint && event.event === "webhook.test") {
      await client.delete("/webhooks/{id}", { path: { id: endpoint.id } });
      server.close();
    }
  } catch (error) {
    if (!(error instanceof DeliveryRejected)) throw error;
    response.writeHead(401).end();
    console.log(`refused: ${error.reason}`);
  }
});
server.listen(Number(port), async () => {
  if (client && endpoint) await client.post("/webhooks/{id}/test", { path: { id: endpoint.id } });
});
