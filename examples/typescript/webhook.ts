/**
 * Creates a webhook endpoint, sends a test to it, and verifies the delivery. Needs a key of scope admin.
 * PUBLIC_URL is the public https URL, for example of your reverse proxy. This program listens on PORT behind it.
 */
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { createClient, DeliveryRejected, verifyDelivery } from "botstead/client";

const { BOTSTEAD_URL: baseUrl = "http://127.0.0.1:3000", BOTSTEAD_KEY: key = "" } = process.env;
const { PUBLIC_URL: url = "", PORT: port = "8080" } = process.env;
const client = createClient({ baseUrl, key });

// Only this response has the secret. A real receiver stores it like a password.
const { id, secret } = await client.post("/webhooks", { body: { url, events: ["run.finished"] } });

const server = createServer(async (request, response) => {
  const rawBody = await buffer(request); // the raw body: parsing and serialising JSON again changes the signature
  try {
    const event = verifyDelivery(rawBody, request.headers, secret);
    response.writeHead(200).end(); // respond first, then do slow work
    if (event.event === "webhook.test") {
      console.log(`verified: ${event.event}, delivery ${event.id}`);
      await client.delete("/webhooks/{id}", { path: { id } });
      server.close();
    }
  } catch (error) {
    if (!(error instanceof DeliveryRejected)) throw error;
    response.writeHead(401).end();
    console.log(`refused: ${error.reason}`);
  }
});
server.listen(Number(port), async () => {
  await client.post("/webhooks/{id}/test", { path: { id } });
});
