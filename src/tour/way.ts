/**
 * The way that the tour tells: from a question to a bot to a signed delivery at a receiver, and to a run that asks a
 * person first, each step checked as it is told. What it makes it removes again, also when it ends early.
 */
import { askedAndApproved } from "./approval.ts";
import type { Around } from "./around.ts";
import { type Body, type Caller, until } from "./caller.ts";
import { refusesReceiver, verifiedDelivery } from "./delivery.ts";
import type { Receiver } from "./receiver.ts";
import { asTold } from "./teller.ts";

export async function goTheWay({ api, receiver, tell, howToStart }: Around): Promise<void> {
  const cleanUp: [path: string, what: string][] = [];
  try {
    tell.step("Who is asking? GET /me");
    const { body: me } = await api.expect(200, "GET", "/me");
    tell.found(
      `${me.person.displayName ?? me.person.email}, ${me.person.role} of "${me.organisation.name}", with the key ${me.key.prefix}… of scope ${me.key.scope}.`,
      "Every call runs as this person, and everything about the organisation comes from the key's own record.",
    );
    asTold(me.key.scope === "admin", "the key has scope admin, which webhooks ask for", me.key.scope);

    tell.step("A bot is made: POST /bots");
    const { body: bot, headers } = await api.expect(201, "POST", "/bots", { name: "Tour guide" });
    cleanUp.push([`/bots/${bot.id}`, "the bot"]);
    tell.found(`${bot.name}, who thinks with "${bot.model}"; it can be read at ${headers.get("location")}`);

    tell.step("It is told two things: POST /memories, twice");
    const claims = await recordClaims(api, bot.id);
    for (const { subject, value } of claims) tell.found(`${subject}: ${value}`);

    tell.step("A receiver of webhooks is registered: POST /webhooks");
    const endpoint = await registerReceiver(api, receiver, howToStart);
    cleanUp.push([`/webhooks/${endpoint.body.id}`, "the webhook endpoint"]);
    tell.found(
      `${endpoint.body.url} is ${endpoint.body.state}. Its signing secret, shown in this answer and in no other:`,
      `${endpoint.body.secret.slice(0, 12)}…`,
    );

    tell.step("The same POST is sent again with its Idempotency-Key, as after a lost answer");
    const again = await endpoint.sendAgain();
    asTold(again.text === endpoint.text, "the replay is the first answer, byte for byte", again.body);
    asTold(again.headers.get("idempotent-replayed") === "true", "the replay says that it is one", "no such header");
    const { body: plain } = await api.expect(200, "GET", `/webhooks/${endpoint.body.id}`);
    asTold(!("secret" in plain), "reading the endpoint shows no secret", Object.keys(plain));
    tell.found("The same bytes, the secret among them, and nothing was written twice.");
    tell.found("Reading the endpoint does not show it: only the caller's own key and Idempotency-Key open it again.");

    tell.step("The bot is asked something: POST /runs");
    const { body: run } = await api.expect(202, "POST", "/runs", { botId: bot.id, message: question });
    tell.found(`"${question}"`, `Run ${run.id} is accepted, in state ${run.state}.`);

    tell.step("Its answer is read: GET /runs/{id}, then GET /runs/{id}/messages");
    const finished = await until("the run finishes", async () => {
      const { body } = await api.expect(200, "GET", `/runs/${run.id}`);
      return body.finishedAt === null ? undefined : body;
    });
    asTold(finished.state === "completed", "the run is completed", finished);
    const { body: messages } = await api.expect(200, "GET", `/runs/${run.id}/messages`);
    const answer = messages.data.find(({ author }: Body) => author === "bot");
    asTold(answer?.memoryIds[0] === claims[0].id, "the answer rests on the claim about the boat", messages.data);
    tell.found(answer.text, `State ${finished.state} after ${finished.steps} steps.`);

    await verifiedDelivery({ api, receiver, tell, howToStart }, { run: finished, endpoint: endpoint.body });
    await askedAndApproved({ api, tell, cleanUp: (path, what) => cleanUp.push([path, what]) });
  } finally {
    if (cleanUp.length > 0) tell.step("What the tour made is removed");
    for (const [path, what] of cleanUp.reverse()) {
      await api.expect(200, "DELETE", path);
      tell.found(`DELETE ${path}: ${what} is gone.`);
    }
  }
}

const question = "When does the tour boat leave?";

async function recordClaims(api: Caller, botId: string): Promise<[Body, Body]> {
  const about = (subject: string, value: string) => ({ scope: "bot", botId, kind: "timetable", subject, value });
  const boat = about("Tour boat", "The tour boat leaves from pier 4 at half past nine.");
  const train = about("Mountain train", "The mountain train leaves every full hour.");
  return [
    (await api.expect(201, "POST", "/memories", boat)).body,
    (await api.expect(201, "POST", "/memories", train)).body,
  ];
}

async function registerReceiver(api: Caller, receiver: Receiver, howToStart: string) {
  const idempotencyKey = `tour-${receiver.port}-${Date.now()}`;
  const body = { url: `${receiver.url}/hook`, description: "Tour", events: ["run.finished"] };
  const sendAgain = () => api.send("POST", "/webhooks", body, idempotencyKey);
  const reply = await sendAgain();
  refusesReceiver(reply, howToStart);
  asTold(reply.status === 201, "POST /webhooks answers 201", reply.body);
  return { ...reply, sendAgain };
}
