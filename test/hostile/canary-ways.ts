/** Successful requests that carry canaries. Refused requests are in canary-refusals.ts. */
import { freePort } from "../../src/database/embedded/port.ts";
import { makeCredential } from "../../src/secrets/credentials.ts";
import type { Came } from "../support/reliability.ts";
import { signed } from "../support/sign.ts";
import { secrets, unkept, words } from "./canaries.ts";
import type { CanaryFixture } from "./canary-fixture.ts";

export const memory = () => ({ scope: "organisation", kind: "fact", subject: words.subject, value: words.memory });

/** Calls every operation that creates a secret or stores a text. Fills `secrets`. */
export async function takeIn(here: CanaryFixture): Promise<Came> {
  const { send, botstead } = here;
  const again = { idempotencyKey: unkept.idempotencyKey };
  const bot = (await send("POST", "/bots", { name: words.botName, instructions: words.instructions })).body.id;
  const created = await send("POST", "/memories", memory(), again);
  const changed = await send("PATCH", `/memories/${created.body.id}`, { value: `${words.memory}.` });
  const found = await send("GET", `/memories?q=${words.subject}`);
  const own = { metadata: { order: words.metadata }, concurrencyKey: words.concurrencyKey };
  const request = { botId: bot, message: words.message, ...own };
  const run = await send("POST", "/runs", request);
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
  const portal = await beInPortal(here, owned.body.id);
  const shapes = Object.values(secrets).filter((secret) => !/^[\w+/=.-]{32,}$/.test(secret ?? ""));
  return [
    [
      [201, 200, 200],
      [created.status, changed.status, found.status],
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
    [[201, 200, 400, 200, 200, 200], portal],
    [[], shapes],
  ];
}

/** Opens the portal by a link of the API, and by one of an operator. Returns the statuses. */
async function beInPortal({ send, site, console }: CanaryFixture, organisation: string): Promise<number[]> {
  const json = { "content-type": "application/json" };
  const created = await send("POST", "/portal-sessions", {});
  secrets.portalLink = new URL(created.body.url).hash.slice(1);
  const entered = await fetch(`${site}/portal/enter`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ token: secrets.portalLink }),
  });
  const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
  secrets.portalSession = cookie.split("=")[1] ?? "";
  secrets.portalCsrfToken = ((await entered.json()) as { csrfToken: string }).csrfToken;
  secrets.authorizationCode = makeCredential("bsc").text;
  secrets.codeVerifier = makeCredential("bsc").text.slice(4);
  const exchanged = await fetch(`${site}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      ...{ grant_type: "authorization_code", code: secrets.authorizationCode, code_verifier: secrets.codeVerifier },
      ...{
        client_id: "https://client.example/c",
        redirect_uri: "https://client.example/back",
        resource: `${site}/mcp`,
      },
    }),
  });
  const used = await fetch(`${site}/api/v1/bots`, { headers: { cookie } });
  const ended = await fetch(`${site}/api/v1/portal-session`, {
    method: "DELETE",
    headers: { cookie, "x-csrf-token": secrets.portalCsrfToken },
  });
  const viewed = await fetch(`${console}/graphql`, {
    method: "POST",
    headers: { ...json, authorization: `Bearer ${secrets.operatorToken}` },
    body: JSON.stringify({
      query: "mutation ($input: ViewAsInput!) { viewAs(input: $input) { result } }",
      variables: { input: { organisation, person: created.body.personId, reason: "A canary" } },
    }),
  });
  const { data } = (await viewed.json()) as { data: { viewAs: { result: { url: string } } } };
  secrets.viewLink = new URL(data.viewAs.result.url).hash.slice(1);
  return [created.status, entered.status, exchanged.status, used.status, ended.status, viewed.status];
}
