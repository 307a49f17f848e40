/** Performs steps with the TypeScript client. */
import { BotsteadError, type Client, createClient, DeliveryRejected, verifyDelivery } from "../../src/client/index.ts";
import type { ClientSettings, Driver, Outcome, Step } from "./case.ts";
import { addressOf } from "./operations.ts";

/** Cases name paths and methods as data, so the client's types do not apply. */
type Untyped = {
  [Method in "get" | "post" | "patch" | "delete"]: (path: string, options: object) => Promise<unknown>;
} & {
  request(method: string, path: string, options: object): Promise<Outcome>;
} & { [Iteration in "list" | "pages" | "watch"]: (path: string, options: object) => AsyncIterable<unknown> };

export const typescriptDriver: Driver = { perform, close: async () => {} };

async function perform(settings: ClientSettings, step: Step): Promise<Outcome> {
  try {
    if (step.verify) return verified(step.verify);
    return await called(createClient(settings) as Client & Untyped, step);
  } catch (error) {
    if (error instanceof DeliveryRejected) return { rejected: error.reason };
    if (error instanceof TypeError) return { invalid: true };
    if (!(error instanceof BotsteadError)) throw error;
    expect(JSON.stringify(error) + error.stack).not.toContain(settings.key);
    return { error: { ...error, message: error.message } };
  }
}

async function called(client: Untyped, { call = "", how = "call", path, query, body, options, take }: Step) {
  const { method, path: template } = addressOf(call);
  const given = { ...options, path, query, body };
  if (how === "call") return { body: await client[method](template, given) };
  if (how === "response") return client.request(method, template, given);
  const items = [];
  for await (const item of client[how](template, given)) if (items.push(item) === take) break;
  return { [{ list: "rows", pages: "pages", watch: "events" }[how]]: items };
}

function verified({ body, headers, secret, now }: NonNullable<Step["verify"]>): Outcome {
  return { event: verifyDelivery(body as string, headers, secret as string, now === null ? {} : { now }) };
}
