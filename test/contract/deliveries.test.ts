/**
 * Compares delivered posts, and what the API returns about them, with the webhooks of the document.
 * (docs/specification/deliveries.md#payload)
 */

import { openApiDocument } from "../../src/api/openapi/document.ts";
import { subscribableEvent } from "../../src/contract/events.ts";
import type { Json } from "../support/api.ts";
import { makeEvents } from "../support/events.ts";
import { customer, openPostOffice, type PostOffice } from "../support/post-office.ts";
import type { Received } from "../support/receiver.ts";
import { eventually } from "../support/worker.ts";
import { type Documented, readDocument } from "./document.ts";

const { document, operations, conform, record } = readDocument(openApiDocument("http://127.0.0.1:3000"));
const getDelivery = operations.find(({ id }) => id === "get_delivery") as Documented;

let office: PostOffice;
beforeAll(async () => {
  office = await openPostOffice();
});
afterAll(() => office?.close());

function expectDocumented(event: string, post: Received | undefined): void {
  const webhook: Json = document.webhooks[event];
  const { schema, example } = webhook.post.requestBody.content["application/json"];
  const body = JSON.parse(post?.body ?? "{}");
  conform(schema, body, `The body of ${event}`);
  conform(schema, example, `The example of ${event}`);
  expect(Object.keys(body.data).toSorted()).toEqual(Object.keys(example.data).toSorted());
  const documented = webhook.post.parameters.map(({ name }: Json) => name.toLowerCase());
  for (const { name, schema } of webhook.post.parameters) {
    conform(schema, post?.headers[name.toLowerCase()], `The header ${name} of ${event}`);
  }
  expect(
    Object.keys(post?.headers ?? {}).filter((name) => /^(x|webhook)-/.test(name) && !documented.includes(name)),
  ).toEqual([]);
}

test("run.finished, webhook.test and their deliveries match the document", async () => {
  const who = await customer(office);
  const hook = office.hook();
  const endpoint = await who.subscribe(hook);
  await who.run();
  const delivered = await who.untilDelivery(endpoint, "delivered");
  expect(delivered.attemptLog).toHaveLength(1);
  record.check(getDelivery, await who.ask("GET", `/deliveries/${delivered.id}`));
  expectDocumented("run.finished", hook.posts()[0]);

  await who.ask("POST", `/webhooks/${endpoint.id}/test`);
  await eventually(async () => hook.posts().length === 2);
  expectDocumented("webhook.test", hook.posts()[1]);
});

test.each(subscribableEvent.options)("a delivery of %s matches the document", async (kind) => {
  const who = await customer(office);
  const hook = office.hook();
  await who.subscribe(hook, [kind]);
  await makeEvents(office.db, { organisationId: who.organisation.id }, { kind });
  await eventually(async () => hook.posts().length === 1);
  expectDocumented(kind, hook.posts()[0]);
});

test("a failed attempt matches the document", async () => {
  const who = await customer(office);
  const hook = office.hook((_request, response) => void response.writeHead(302, { location: "/" }).end());
  const endpoint = await who.subscribe(hook);
  await who.run();
  await who.untilDelivery(endpoint, "pending", 1);
  const delivery = await who.delivery(endpoint);
  expect(delivery.attemptLog).toMatchObject([{ failure: "redirect" }]);
  record.check(getDelivery, await who.ask("GET", `/deliveries/${delivery.id}`));
});
