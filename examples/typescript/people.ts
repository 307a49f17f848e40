/** Invites one person by mail, then two more in one atomic batch. Needs a key of scope admin. */
import { BotsteadError, createClient } from "botstead/client";
import { needs } from "./usage.ts";

const { BOTSTEAD_URL: baseUrl = "http://127.0.0.1:3000", BOTSTEAD_KEY: key = "" } = process.env;
const [first = "", ...others] = process.argv.slice(2);
needs("BOTSTEAD_KEY=bsk_… people.ts EMAIL [EMAIL …]", key, first);
const client = createClient({ baseUrl, key });

try {
  const invitation = await client.post("/invitations", { body: { email: first, role: "admin" } });
  console.log(`invited: ${invitation.email} as ${invitation.role}, until ${invitation.expiresAt}`);
} catch (error) {
  // Already a member or invited: nothing to do.
  if (!(error instanceof BotsteadError) || error.code !== "conflict") throw error;
}

if (others.length > 0) {
  const operations = others.map((email) => ({
    id: email,
    method: "POST" as const,
    path: "/invitations",
    body: { email },
  }));
  const { results } = await client.post("/batch", { body: { atomic: true, operations } });
  for (const { id, status } of results) console.log(`in the batch: ${id} ${status}`);
}

for await (const { email, role } of client.list("/invitations")) console.log(`open: ${email} ${role}`);
