/**
 * Makes a webhook endpoint, has a test sent to it, and verifies what arrives. A key of scope admin.
 * PUBLIC_URL is the https address that leads here, as of your reverse proxy; PORT is where this program listens for it.
 */
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { createClient, DeliveryRejected, verifyDelivery } from "botstead/client";

const { BOTSTEAD_URL: baseUrl = "http://127.0.0.1:3000", BOTSTEAD_KEY: key = "" } = process.env;
const { PUBLIC_URL: url = "", PORT: port = "8080" } = process.env;
const client = createClient({ baseUrl, key });

// The secret is in this answer and in no other: a real receiver keeps it where it keeps its passwords.
const { id, secret } = await client.post("/webhooks", { body: { url, events: ["run.finished"] } });

const server = createServer(async (request, response) => {
  const rawBody = await buffer(request); // as it arrived: JSON that was parsed and written again has another signature
  try {
    const event = verifyDelivery(rawBody, request.headers, secret);
    response.writeHead(200).end(); // answer first; what takes long comes after
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
