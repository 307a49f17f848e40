/** One installation for the whole suite, started as README.md says. Set-up goes over HTTP and the command line too. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "pg";
import type { Json } from "../support/api.ts";
import { executorOn, type HandExecutor } from "../support/hand-executor.ts";
import { type Installation, makeInstallation } from "../support/installation.ts";
import { command, type Ending } from "../support/program.ts";
import { type Receiver, type Respond, startReceiver } from "../support/receiver.ts";
import { eventually } from "../support/worker.ts";
import { type Answer, anAddress, type Call, callerAt, closeAgents, expectSuccess, type Options } from "./client.ts";

export type Client = {
  key: string;
  get(path: string, options?: Options): Promise<Answer>;
  post(path: string, body?: unknown, options?: Options): Promise<Answer>;
  patch(path: string, body?: unknown, options?: Options): Promise<Answer>;
  delete(path: string, options?: Options): Promise<Answer>;
};

/** An organisation with an admin key of its owner. */
export type Organisation = Client & { id: string; ownerId: string; email: string };

let home: Installation;
let receiver: Receiver;
let executors: Pool;
let administrator: Pool;
let operatorToken: string;
const platformKeys: string[] = [];

/** How the receiver responds, by path. Defaults to 200. */
const responses = new Map<string, Respond>();

export async function startService(): Promise<void> {
  receiver = await startReceiver({
    respond: (request, response) => {
      const respond = responses.get(request.url ?? "");
      if (respond) respond(request, response);
      else response.writeHead(200).end();
    },
  });
  home = await makeInstallation(receiver.ca);
  await home.start();
  for (const number of [1, 2, 3]) platformKeys.push(await minted("platform-key", "mint", "--name", `suite ${number}`));
  operatorToken = await minted("operator", "mint", "--name", "suite", "--scope", "act");
  administrator = new Pool({ connectionString: await minted("database-url", "--role", "administrator"), max: 1 });
  executors = new Pool({ connectionString: await minted("executor", "mint", "--name", "suite"), max: 2 });
  await botstead("model-price", "set", handModel, "--input", "0", "--output", "0");
}

export async function stopService(): Promise<void> {
  await executors?.end();
  await administrator?.end();
  await closeAgents();
  await home?.remove();
  await receiver?.close();
}

export const call: Call = (...args) => callerAt(home.api)(...args);

export const botstead = (...args: string[]): Promise<Ending> => command(args, { env: home.env });

/** The credential that a command prints. */
async function minted(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await botstead(...args);
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** Each serves 60 requests a minute. */
export function platformKey(): string {
  const key = platformKeys.shift() ?? "";
  platformKeys.push(key);
  return key;
}

/** @param from its address, whose refusals count for no other client */
export const clientOf = (key: string, from = anAddress()): Client => ({
  key,
  get: (path, options) => call("GET", path, { key, from, ...options }),
  post: (path, body, options) => call("POST", path, { key, from, body, ...options }),
  patch: (path, body, options) => call("PATCH", path, { key, from, body, ...options }),
  delete: (path, options) => call("DELETE", path, { key, from, ...options }),
});

let names = 0;
export const anEmail = (): string => `person${++names}@example.test`;

export async function anOrganisation(more: { kind?: "personal" } = {}): Promise<Organisation> {
  const email = anEmail();
  const { id } = await made("/platform/organisations", { name: `Organisation ${names}`, owner: { email }, ...more });
  const { key, createdBy } = await made(`/platform/organisations/${id}/owner-key`, {});
  return { id, ownerId: createdBy, email, ...clientOf(key) };
}

/** A fast machine waits for the next minute of the platform's keys. */
async function made(path: string, body: object): Promise<Json> {
  for (;;) {
    const answer = await call("POST", path, { key: platformKey(), body });
    if (answer.status !== 429) return expectSuccess(answer, 201);
    await sleep(1_000); // the minute may end before the 60 s of Retry-After
  }
}

/** Another key of the organisation's caller. */
export async function another({ post }: Client, scope: "read" | "write" | "admin"): Promise<Client & { id: string }> {
  const { key, id } = expectSuccess(await post("/keys", { name: scope, scope }), 201);
  return { ...clientOf(key), id };
}

/** An operator action, in the console. */
async function performAction(name: string, type: string, input: object): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${home.env.CONSOLE_PORT}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${operatorToken}` },
    body: JSON.stringify({
      query: `mutation ($input: ${type}!) { ${name}(input: $input) { clientMutationId } }`,
      variables: { input: { reason: "Suite", ...input } },
    }),
  });
  const { errors } = (await response.json()) as { errors?: unknown };
  expect(errors).toBeUndefined();
}

export const setLimit = ({ id }: Organisation, name: string, maximum: number): Promise<void> =>
  performAction("setLimit", "SetLimitInput", { organisation: id, name, maximum: String(maximum) });

export const setBilling = ({ id }: Organisation, state: string, seatsBought: number | null = null): Promise<void> =>
  performAction("setBilling", "SetBillingInput", { organisation: id, state, seatsBought });

/** The link of the newest mail to this address. */
export async function mailedLink(to: string): Promise<string> {
  const { readdirSync, readFileSync } = await import("node:fs");
  const { join } = await import("node:path");
  const folder = join(home.dataDir, "mail");
  let link: string | undefined;
  await eventually(async () => {
    const mails = readdirSync(folder).sort().reverse();
    const mail = mails
      .map((file) => readFileSync(join(folder, file), "utf8"))
      .find((text) => text.includes(`To: ${to}`));
    link = mail?.replaceAll("=\r\n", "").match(/https?:\/\/\S+\/(?:invitation|approval)\/[\w=]+/)?.[0];
    return link !== undefined;
  });
  return (link ?? "").replaceAll("=3D", "=");
}

/** A member who has accepted an invitation to this role. */
export async function aMember(
  organisation: Organisation,
  role: "admin" | "member",
): Promise<{ userId: string; email: string }> {
  const email = anEmail();
  expectSuccess(await organisation.post("/invitations", { email, role }), 201);
  const link = await mailedLink(email);
  const accepted = await fetch(link, { method: "POST", body: new URLSearchParams({ displayName: "Ada" }) });
  expect(accepted.status).toBe(200);
  const [member] = expectSuccess(await organisation.get("/members")).data;
  expect(member.email).toBe(email);
  return member;
}

/** A key of another person of the organisation, minted on the operator's machine. */
export async function keyOf({ id }: Organisation, person: string, scope = "admin"): Promise<Client> {
  return clientOf(
    await minted("key", "mint", "--organisation", id, "--person", person, "--name", "theirs", "--scope", scope),
  );
}

export async function aBot({ post }: Client, more: object = {}): Promise<string> {
  return expectSuccess(await post("/bots", { name: "Guide", ...more }), 201).id;
}

/** The model of bots whose runs a test works on by itself. */
export const handModel = "by-hand";

/** An executor of the suite's own, which works only as the test says. */
export async function anExecutor(): Promise<HandExecutor> {
  const id = randomUUID();
  await executors.query("select runner.heartbeat($1, 'suite', $2)", [id, [handModel]]);
  return executorOn(executors, id);
}

export type Received = Receiver["received"][number];
export type Endpoint = { row: Json; path: string; received(): Received[]; waitFor(count: number): Promise<Received[]> };

/** A webhook endpoint at a real HTTPS receiver. */
export async function anEndpoint({ post }: Client, events: string[], respond?: Respond): Promise<Endpoint> {
  const path = `/${randomUUID()}`;
  if (respond) responses.set(path, respond);
  const row = expectSuccess(await post("/webhooks", { url: receiver.url + path, events }), 201);
  const received = () => receiver.received.filter((each) => each.path === path);
  return {
    row,
    path,
    received,
    async waitFor(count) {
      await eventually(async () => received().length >= count);
      return received();
    },
  };
}

export const respondAt = (path: string, respond: Respond): void => void responses.set(path, respond);

/** A statement of the operator as administrator (docs/database.md). */
export async function asAdministrator(statement: string): Promise<void> {
  await administrator.query(statement);
}

/** The run once it has one of these states. */
export async function runIn({ get }: Client, id: string, ...states: string[]): Promise<Json> {
  let run: Json;
  await eventually(async () => {
    run = expectSuccess(await get(`/runs/${id}`));
    return states.includes(run.state);
  });
  return run;
}

/** The delivery once it is in this state, after this many attempts or more. */
export async function deliveryIn({ get }: Client, id: string, state: string, attempts = 0): Promise<Json> {
  let delivery: Json;
  await eventually(async () => {
    delivery = expectSuccess(await get(`/deliveries/${id}`));
    return delivery.state === state && delivery.attempts >= attempts;
  });
  return delivery;
}
