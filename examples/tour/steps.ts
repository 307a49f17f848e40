/**
 * The steps of the tour: a run, its signed delivery to a receiver, and a run that needs an approval. Each result is checked.
 * The tour deletes what it creates, also after a failure.
 */

import { type ApiClient, type Body, until } from "./api.ts";
import { requestApproval } from "./approval.ts";
import type { TourContext } from "./context.ts";
import { verifyDelivery } from "./delivery.ts";
import type { Receiver } from "./receiver.ts";
import { expectThat } from "./report.ts";

export async function takeSteps({ api, receiver, report, place }: TourContext): Promise<void> {
  const cleanUp: [path: string, what: string][] = [];
  try {
    report.step("Read the identity of the key: GET /me");
    const { body: me } = await api.expect(200, "GET", "/me");
    report.result(
      `${me.person.displayName ?? me.person.email}, ${me.person.role} of "${me.organisation.name}", with the key ${me.key.prefix}… of scope ${me.key.scope}.`,
      "Every call with this key acts as this person, in this organisation.",
    );
    expectThat(me.key.scope === "admin", "the key has scope admin, which webhooks require", me.key.scope);

    report.step("Create a bot: POST /bots");
    const { body: bot, headers } = await api.expect(201, "POST", "/bots", { name: "Tour guide" });
    cleanUp.push([`/bots/${bot.id}`, "the bot"]);
    report.result(`${bot.name} has the model "${bot.model}" and the path ${headers.get("location")}`);

    report.step("Create two memories of the bot: POST /memories");
    const memories = await createMemories(api, bot.id);
    for (const { subject, value } of memories) report.result(`${subject}: ${value}`);

    report.step("Register a webhook endpoint: POST /webhooks");
    const endpoint = await registerReceiver(api, receiver);
    cleanUp.push([`/webhooks/${endpoint.body.id}`, "the webhook endpoint"]);
    report.result(
      `${endpoint.body.url} is ${endpoint.body.state}. Its signing secret, which only this response contains:`,
      `${endpoint.body.secret.slice(0, 12)}…`,
    );

    report.step("Send the same POST again with its Idempotency-Key, as after a lost response");
    const again = await endpoint.sendAgain();
    expectThat(again.text === endpoint.text, "the replay equals the first response byte for byte", again.body);
    expectThat(
      again.headers.get("idempotent-replayed") === "true",
      "the replay has the header Idempotent-Replayed",
      "no such header",
    );
    const { body: plain } = await api.expect(200, "GET", `/webhooks/${endpoint.body.id}`);
    expectThat(!("secret" in plain), "GET does not return the secret", Object.keys(plain));
    report.result("The same bytes with the secret, and no second endpoint.");
    report.result("GET does not return the secret. Only the same key and Idempotency-Key return it again.");

    report.step("Start a run: POST /runs");
    const { body: run } = await api.expect(202, "POST", "/runs", { botId: bot.id, message: question });
    report.result(`"${question}"`, `Run ${run.id} is ${run.state}.`);

    report.step("Read the answer: GET /runs/{id}, then GET /runs/{id}/messages");
    const finished = await until("the run finishes", async () => {
      const { body } = await api.expect(200, "GET", `/runs/${run.id}`);
      return body.finishedAt === null ? undefined : body;
    });
    expectThat(finished.state === "completed", "the run is completed", finished);
    const { body: messages } = await api.expect(200, "GET", `/runs/${run.id}/messages`);
    const answer = messages.data.find(({ author }: Body) => author === "bot");
    expectThat(answer?.memoryIds[0] === memories[0].id, "the answer cites the memory about the boat", messages.data);
    report.result(answer.text, `State ${finished.state} after ${finished.steps} steps.`);

    await verifyDelivery({ api, receiver, report }, { run: finished, endpoint: endpoint.body });
    await requestApproval({ api, report, place, cleanUp: (path, what) => cleanUp.push([path, what]) });
  } finally {
    if (cleanUp.length > 0) report.step("Delete what the tour created");
    for (const [path, what] of cleanUp.reverse()) {
      await api.expect(200, "DELETE", path);
      report.result(`DELETE ${path}: ${what} is deleted.`);
    }
  }
}

const question = "When does the tour boat leave?";

async function createMemories(api: ApiClient, botId: string): Promise<[Body, Body]> {
  const about = (subject: string, value: string) => ({ scope: "bot", botId, kind: "timetable", subject, value });
  const boat = about("Tour boat", "The tour boat leaves from pier 4 at half past nine.");
  const train = about("Mountain train", "The mountain train leaves every full hour.");
  return [
    (await api.expect(201, "POST", "/memories", boat)).body,
    (await api.expect(201, "POST", "/memories", train)).body,
  ];
}

async function registerReceiver(api: ApiClient, receiver: Receiver) {
  const idempotencyKey = `tour-${receiver.port}-${Date.now()}`;
  const body = { url: `${receiver.url}/hook`, description: "Tour", events: ["run.finished"] };
  const sendAgain = () => api.send("POST", "/webhooks", body, idempotencyKey);
  const reply = await sendAgain();
  expectThat(reply.status === 201, "POST /webhooks answers 201", reply.body);
  return { ...reply, sendAgain };
}
