/** The ways by which canaries come in, of those that go well and of those that are refused. */
import { freePort } from "../support/free-port.ts";
import { signed } from "../support/sign.ts";
import { secrets, unkept, words } from "./canaries.ts";
import type { CanaryHouse } from "./canary-house.ts";

/** Pairs of what had to come of something and what came. */
export type Came = [wanted: unknown, is: unknown][];

export const claim = () => ({ scope: "organisation", kind: "fact", subject: words.subject, value: words.claim });

/** Every way that makes a secret or takes words in. Fills in the secrets. */
export async function takeIn(here: CanaryHouse): Promise<Came> {
  const { send, botstead } = here;
  const again = { idempotencyKey: unkept.idempotencyKey };
  const bot = (await send("POST", "/bots", { name: words.botName, instructions: words.instructions })).body.id;
  const remembered = await send("POST", "/memories", claim(), again);
  const changed = await send("PATCH", `/memories/${remembered.body.id}`, { value: `${words.claim}.` });
  const found = await send("GET", `/memories?q=${words.subject}`);
  const run = await send("POST", "/runs", { botId: bot, message: words.message });
  const ended = await send("GET", `/runs/${run.body.id}?wait=10`);

  const url = `https://127.0.0.1:${await freePort()}/in?token=${words.tokenInUrl}`;
  const webhook = await send("POST", "/webhooks", { url, events: ["run.finished"] });
  secrets.webhookSecret = webhook.body.secret;
  const rotated = await send("POST", `/webhooks/${webhook.body.id}/rotate`);
  secrets.rotatedWebhookSecret = rotated.body.secret;
  await send("POST", `/webhooks/${webhook.body.id}/test`);
  const hook = (await send("POST", "/hooks", { botId: bot, name: "Alerts" })).body;
  secrets.hookSecret = hook.secret;
  const posted = { ...signed(hook.secret, words.hookMessage), idempotencyKey: null, key: undefined };
  const received = await send("POST", `/hooks/${hook.id}/receive`, undefined, posted);
  secrets.rotatedHookSecret = (await send("POST", `/hooks/${hook.id}/rotate`)).body.secret;
  const second = await send("POST", "/keys", { name: "Another", scope: "read", expiresInDays: 1 });
  secrets.secondKey = second.body.key;
  const third = await send("POST", `/keys/${second.body.id}/rotate`, {});
  secrets.rotatedKey = third.body.key;

  secrets.operatorToken = await botstead("operator", "mint", "--name", "Otto", "--scope", "act");
  secrets.platformKey = await botstead("platform-key", "mint", "--name", "canary");
  secrets.executorPassword = new URL(await botstead("executor", "mint", "--name", `canary_${process.pid}`)).password;
  await botstead("model-price", "set", "parrot", "--input", "1", "--output", "1", "--reason", "test");
  const owned = await send("GET", "/organisation");
  const ownerKey = `/platform/organisations/${owned.body.id}/owner-key`;
  const forOwner = await send("POST", ownerKey, {}, { key: secrets.platformKey });
  secrets.ownerKey = forOwner.body.key;
  const json = { "content-type": "application/json" };
  const session = await fetch(`${here.console}/session`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ token: secrets.operatorToken }),
  });
  const cookie = session.headers.get("set-cookie")?.split(";")[0] ?? "";
  secrets.consoleSession = cookie.split("=")[1] ?? "";
  const { csrfToken } = (await session.json()) as { csrfToken: string };
  secrets.csrfToken = csrfToken;
  const graphql = await fetch(`${here.console}/graphql`, {
    method: "POST",
    headers: { ...json, cookie, "x-csrf-token": csrfToken },
    body: JSON.stringify({ query: `{ __typename # ${unkept.query}\n }` }),
  });
  const shapes = Object.values(secrets).filter((secret) => !/^[\w+/=.-]{32,}$/.test(secret ?? ""));
  return [
    [
      [201, 200, 200],
      [remembered.status, changed.status, found.status],
    ],
    [
      [202, "completed"],
      [run.status, ended.body.state],
    ],
    [
      [201, 200, 202],
      [webhook.status, rotated.status, received.status],
    ],
    [
      [201, 201, 201],
      [second.status, third.status, forOwner.status],
    ],
    [
      [201, 200],
      [session.status, graphql.status],
    ],
    [[], shapes],
  ];
}

/** Every way of being refused. */
export async function beRefused(here: CanaryHouse): Promise<Came> {
  const { send, site, console: console_ } = here;
  const again = { idempotencyKey: unkept.idempotencyKey };
  const status = async (reply: ReturnType<typeof send>) => (await reply).status;
  const events = ["run.finished"];
  const refused: [number, Promise<number>][] = [
    [401, status(send("GET", "/me", undefined, { key: unkept.wrongKey }))],
    [401, status(send("GET", "/keys", undefined, { key: secrets.secondKey }))],
    [404, status(send("GET", `/${unkept.path}`))],
    [404, status(send("GET", `/bots/${unkept.path}`))],
    [400, status(send("GET", `/bots?limit=${unkept.query}`))],
    [400, status(send("POST", "/memories", undefined, { raw: `{"value":"${unkept.malformed}` }))],
    [400, status(send("POST", "/memories", { ...claim(), kind: unkept.malformed.repeat(20) }))],
    [422, status(send("POST", "/memories", { ...claim(), value: "another" }, again))],
    [405, status(send("PUT", "/memories", { value: words.claim }))],
    [403, status(send("POST", "/memories", { ...claim(), kind: "health", subjectKind: "third_party" }))],
    [400, status(send("POST", "/webhooks", { url: `https://user:${unkept.malformed}@example.com/`, events }))],
    [400, status(send("POST", "/webhooks", { url: `http://a.example/${unkept.malformed}`, events }))],
    [413, status(send("POST", "/memories", { ...claim(), value: words.claim.repeat(60_000) }))],
    [
      401,
      fetch(`${console_}/graphql`, { headers: { authorization: `Bearer ${unkept.wrongKey}` } }).then((r) => r.status),
    ],
    [404, fetch(`${site}/invitation/${unkept.wrongKey}`).then((r) => r.status)],
    [404, fetch(`${site}/approval/${unkept.wrongKey}`).then((r) => r.status)],
    [404, fetch(`${site}/${unkept.path}?${unkept.query}`).then((r) => r.status)],
  ];
  const came: Came = [];
  for (const [wanted, is] of refused) came.push([wanted, await is]);
  return came;
}
