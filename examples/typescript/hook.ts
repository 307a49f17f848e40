/** Creates a hook, posts to it as another system would, and deletes it. Needs a key of scope admin. */
import { createHmac } from "node:crypto";
import { createClient } from "botstead/client";
import { needs } from "./usage.ts";

const { BOTSTEAD_URL: baseUrl = "http://127.0.0.1:3000", BOTSTEAD_KEY: key = "" } = process.env;
const [body = ""] = process.argv.slice(2);
needs("BOTSTEAD_KEY=bsk_… hook.ts MESSAGE", key, body);
const client = createClient({ baseUrl, key });

const [bot] = (await client.get("/bots", { query: { limit: 1 } })).data;
if (!bot) throw new Error("There is no bot yet. Create one with POST /bots.");
const hook = await client.post("/hooks", { body: { botId: bot.id, name: "Alerts" } });

// The other system's part: no key, but a signature over the time and the raw body, and a delivery id of its own.
const timestamp = Math.floor(Date.now() / 1000);
const signature = createHmac("sha256", hook.secret).update(`v1:${timestamp}:${body}`).digest("hex");
const answer = await fetch(baseUrl + hook.path, {
  method: "POST",
  headers: {
    "content-type": "text/plain",
    "x-botstead-timestamp": String(timestamp),
    "x-botstead-signature": signature,
    "x-botstead-delivery": "alert-17", // the same at each retry, so that it starts only one run
  },
  body,
});
if (answer.status !== 202) throw new Error(`refused: ${answer.status} ${await answer.text()}`);
const { runId } = (await answer.json()) as { runId: string };

const run = await client.get("/runs/{id}", { path: { id: runId } });
console.log(`started: ${run.id}, trigger ${run.trigger}`);
await client.delete("/hooks/{id}", { path: { id: hook.id } });
