/**
 * Fixture for tests of deliveries: the real API and worker over one database, and a real HTTPS receiver. Every endpoint
 * has its own path and its own response.
 */
import { createHmac, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { verify } from "../../src/delivery/signature.ts";
import type { RateLimiter } from "../../src/web/rate-limiter.ts";
import type { RunningWorker } from "../../src/worker/worker.ts";
import { type Json, type Reply, type TestApi, testApi, unlimitedBuckets } from "./api.ts";
import {
  makeKey,
  makeOrganisation,
  noteModels,
  type Organisation,
  type TestDatabase,
  testDatabase,
} from "./database.ts";
import { type Hook, startHooks } from "./hooks.ts";
import { ofFile } from "./of-file.ts";
import type { Received, Receiver, Respond } from "./receiver.ts";
import { shared } from "./shared.ts";
import { lent, refuseDefinitions } from "./shared-api.ts";
import { eventually, testWorker } from "./worker.ts";

export { type Hook, status } from "./hooks.ts";

export type PostOffice = {
  db: TestDatabase;
  api: TestApi;
  receiver: Receiver;
  /** Settings of a worker that reaches the receiver, with a new data folder. */
  settings: Record<string, string>;
  worker: RunningWorker | undefined;
  hook(answer?: Respond): Hook;
  close(): Promise<void>;
};

/**
 * @param options.worker false when the test starts workers of its own
 * @param options.buckets rate limits. Defaults to the specified ones
 */
export async function openPostOffice({
  worker = true,
  buckets,
}: {
  worker?: boolean;
  buckets?: RateLimiter;
} = {}): Promise<PostOffice> {
  const db = await testDatabase();
  const { receiver, hook, close } = await startHooks();
  const folder = mkdtempSync(join(tmpdir(), "botstead-post-"));
  const caFile = join(folder, "receiver-ca.pem");
  writeFileSync(caFile, receiver.ca);
  const settings = { DATA_DIR: folder, WEBHOOK_ALLOW_RANGES: "127.0.0.0/8,::1/128", WEBHOOK_CA_FILE: caFile };
  const api = await testApi(db, settings, buckets);
  const running = worker ? await testWorker(db, settings) : undefined;
  return {
    db,
    api,
    receiver,
    settings,
    worker: running,
    hook,
    async close() {
      await running?.stop();
      await api.stop();
      await close();
      await db.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Opened before the file's tests and closed after them. */
export const ownOfficeOfFile = (options?: Parameters<typeof openPostOffice>[0]): PostOffice =>
  ofFile(
    async (office) => Object.assign(office, await openPostOffice(options)),
    ({ close }) => close?.(),
  );

const sharedOffice = shared(
  async () => {
    const office = await openPostOffice({ worker: false });
    await refuseDefinitions(office.db);
    return office;
  },
  (office) => office.close(),
);

/** Another API over the same database, without rate limits. */
const sharedUnlimitedApi = shared(
  async () => {
    const { db, settings } = await sharedOffice();
    return testApi(db, settings, unlimitedBuckets());
  },
  (api) => api.stop(),
);

/** The office without a worker that all files of a process share. A file asks only about its own organisations. */
export function officeOfFile({ isLimited = true } = {}): PostOffice {
  return ofFile(
    async (office) => {
      const opened = await sharedOffice();
      const api = isLimited ? opened.api : await sharedUnlimitedApi();
      Object.assign(office, opened, lent({ db: opened.db, api }));
    },
    () => {},
  );
}

/** An endpoint and its signing secret. */
export type Endpoint = { id: string; secret: string };

export type Customer = {
  organisation: Organisation;
  bot: string;
  /** The text of the admin's key. */
  key: string;
  /** As an admin of the organisation. @throws Error unless the response is a 2xx or `mayFail` is set */
  ask(method: string, path: string, body?: unknown, mayFail?: "mayFail"): Promise<Reply<Json>>;
  subscribe(hook: Hook, events?: string[]): Promise<Endpoint>;
  /** Starts a run. Returns its id. */
  run(message?: string): Promise<string>;
  routine(routine: { id: string }): Promise<Json>;
  /** The newest delivery to an endpoint, in full. */
  delivery(endpoint: Endpoint): Promise<Json>;
  /** Waits until the newest delivery of the endpoint has this state. Returns it. */
  untilDelivery(endpoint: Endpoint, state: string, attempts?: number): Promise<Json>;
};

/** An organisation with a bot, and an admin. @param model of the bot */
export async function customer(
  { db, api }: { db: Pick<TestDatabase, "sql">; api: Pick<TestApi, "call"> },
  model = "recall",
): Promise<Customer> {
  const organisation = await makeOrganisation(db);
  const key = await makeKey(db, organisation.id, organisation.ownerId, "admin");
  const ask: Customer["ask"] = async (method, path, body, mayFail) => {
    const options = { key: key.text, body, idempotencyKey: randomUUID() };
    let reply = await api.call(method, path, options);
    // On a busy machine the API can wait too long for a connection. Callers repeat such a request.
    for (let tries = 1; !mayFail && reply.status === 503 && tries < 5; tries += 1) {
      reply = await api.call(method, path, options);
    }
    if (!mayFail && reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
    return reply;
  };
  await noteModels(db, model);
  const bot = (await ask("POST", "/bots", { name: "Ada Lovelace", model })).body.id as string;
  const delivery: Customer["delivery"] = async ({ id }) => {
    const newest = (await ask("GET", `/webhooks/${id}/deliveries?limit=1`)).body.data[0];
    return newest && (await ask("GET", `/deliveries/${newest.id}`)).body;
  };
  return {
    organisation,
    bot,
    key: key.text,
    ask,
    delivery,
    async subscribe(hook, events = ["run.finished"]) {
      const { id, secret } = (await ask("POST", "/webhooks", { url: hook.url, events })).body;
      return { id, secret };
    },
    async run(message = "What do you know of the harbour?") {
      return (await ask("POST", "/runs", { botId: bot, message })).body.id;
    },
    routine: async ({ id }) => (await ask("GET", `/routines/${id}`)).body,
    async untilDelivery(endpoint, state, attempts) {
      // Reads in SQL, because polling the API would exceed its rate limits.
      await eventually(async () => {
        const [newest] = await db.sql<{ state: string; attempts: number }>(
          "select state, attempts from app.deliveries where endpoint_id = $1 order by id desc limit 1",
          [endpoint.id],
        );
        return newest?.state === state && (attempts === undefined || newest.attempts === attempts);
      });
      return delivery(endpoint);
    },
  };
}

/** Checks both signatures of a post: ours with two implementations, and Standard Webhooks with its own library. */
export function expectSigned(post: Received | undefined, secret: string): void {
  const headers = post?.headers ?? {};
  const timestamp = String(headers["x-botstead-timestamp"]);
  const signature = String(headers["x-botstead-signature"]);
  const rawBody = post?.body ?? "";
  expect(timestamp).toMatch(/^\d{10}$/);
  expect(signature).toBe(createHmac("sha256", secret).update(`v1:${timestamp}:${rawBody}`, "utf8").digest("hex"));
  expect(verify({ secret, timestamp: Number(timestamp), rawBody, signature })).toBe(true);
  expect(verify({ secret: `${secret}x`, timestamp: Number(timestamp), rawBody, signature })).toBe(false);
  expect(new Webhook(secret).verify(rawBody, headers as Record<string, string>)).toEqual(JSON.parse(rawBody));
}
