/** Sends a message to a bot, waits until the run has ended, and prints the answer. Needs a key of scope write. */
import { createClient } from "botstead/client";
import { needs } from "./usage.ts";

const { BOTSTEAD_URL: baseUrl = "http://127.0.0.1:3000", BOTSTEAD_KEY: key = "" } = process.env;
const [message = ""] = process.argv.slice(2);
needs("BOTSTEAD_KEY=bsk_… start-a-run.ts MESSAGE", key, message);
const client = createClient({ baseUrl, key });

// Uses the newest bot. Your program knows the id of its bot.
const [bot] = (await client.get("/bots", { query: { limit: 1 } })).data;
if (!bot) throw new Error("There is no bot yet. Create one with POST /bots.");

// The client adds an Idempotency-Key, so a retry never starts a second run.
let run = await client.post("/runs", { body: { botId: bot.id, message } });
for await (const { event, data } of client.watch("/runs/{id}/events", { path: { id: run.id } })) {
  if (event === "step") console.error(`${data.number}. ${data.kind}`); // as it happens
  if (event === "end") run = data;
}
if (run.state !== "completed") throw new Error(`The run is ${run.state}: ${run.error?.message ?? "unknown error"}`);

for await (const { author, text } of client.list("/runs/{id}/messages", { path: { id: run.id } })) {
  if (author === "bot") console.log(text);
}
