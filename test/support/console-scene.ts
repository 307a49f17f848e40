/**
 * A night at Botstead, for whoever looks at the console: organisations that are well and ones that are not, made by the
 * real API, the real worker and executors that are moved by hand.
 */
import type { Pool } from "pg";
import type { Assignment } from "../../src/runner/engine.ts";
import { makeMember } from "./database.ts";
import { claimed, type HandExecutor, handExecutor, type Workplace } from "./hand-executor.ts";
import { type Customer, customer, type Endpoint, openPostOffice, type PostOffice, status } from "./post-office.ts";
import { eventually, testWorker } from "./worker.ts";

export type Scene = {
  /** All is well there: runs end, deliveries arrive. */
  harbour: Customer;
  harbourEndpoint: Endpoint;
  /** Its receiver answers 500: one delivery failed for good, one was the last straw of another endpoint. */
  lighthouse: Customer;
  failingEndpoint: Endpoint;
  disabledEndpoint: Endpoint;
  /** It holds as many keys as it may. */
  tidewater: Customer;
  /** Runs in every state that a hand can bring about. */
  workshop: Workplace;
  runs: Record<"completed" | "failed" | "blocked" | "waiting" | "working" | "queued", string>;
  delivered: string;
  /** It invited somebody to the harbour. */
  request: string;
  failed: string;
  /** A member of the harbour, and no admin. */
  member: string;
};

/** The API and the worker of the night: nobody takes the worker's mails. */
export async function openNight(): Promise<PostOffice> {
  const office = await openPostOffice({ worker: false });
  const worker = await testWorker(office.db, { ...office.settings, SMTP_URL: "smtp://127.0.0.1:1" });
  return {
    ...office,
    worker,
    async close() {
      await worker.stop();
      await office.close();
    },
  };
}

export async function consoleScene(office: PostOffice, runner: Pool): Promise<Scene> {
  const { db } = office;
  const harbour = await named(office, "Harbour & Co");
  const lighthouse = await named(office, "Lighthouse Ltd");
  const tidewater = await named(office, "Tidewater Trading");
  const harbourEndpoint = await harbour.subscribe(office.hook());
  const failingEndpoint = await lighthouse.subscribe(office.hook(status(500)));
  const disabledEndpoint = await lighthouse.subscribe(office.hook(status(503)));
  await db.sql("update app.delivery_ladder set delay = '1 millisecond'");
  await db.sql("update app.webhook_endpoints set consecutive_failures = 9 where id = $1", [disabledEndpoint.id]);

  await db.sql("update app.organisations set live_key_ceiling = 3 where id = $1", [tidewater.organisation.id]);
  for (const name of ["Reports", "Import"]) await tidewater.ask("POST", "/keys", { name, scope: "read" });

  for (let n = 0; n < 3; n += 1) await harbour.run();
  await lighthouse.run();
  const delivered = await harbour.untilDelivery(harbourEndpoint, "delivered");
  const failed = await lighthouse.untilDelivery(failingEndpoint, "failed");
  await lighthouse.untilDelivery(disabledEndpoint, "failed");
  await db.sql("update app.delivery_ladder set delay = '1 hour' where rung > 1");
  await lighthouse.run("Is the lamp lit?");
  await eventually(async () => (await lighthouse.delivery(failingEndpoint)).attempts > 0);

  const invited = await harbour.ask("POST", "/invitations", { email: "wren@harbour.example", role: "member" });
  const member = await makeMember(db, harbour.organisation.id, "member");
  await db.sql(
    `insert into app.executors (id, name, models, started_at, last_seen_at)
     values (gen_random_uuid(), 'basement-2', '{tern}', now() - interval '3 hours', now() - interval '11 minutes')`,
  );
  const workshop = {
    who: await named(office, "Workshop Nine", "heron"),
    executor: await handExecutor(db, runner, ["heron"]),
    model: "heron",
  };
  await db.sql("update app.executors set name = 'attic-1' where id = $1", [workshop.executor.id]);
  return {
    harbour,
    harbourEndpoint,
    lighthouse,
    failingEndpoint,
    disabledEndpoint,
    tidewater,
    workshop,
    runs: await runsOf(workshop),
    delivered: delivered.id,
    request: invited.headers.get("x-request-id") ?? "",
    failed: failed.id,
    member,
  };
}

async function named(office: PostOffice, name: string, model?: string): Promise<Customer> {
  const made = await customer(office, model);
  await made.ask("PATCH", "/organisation", { name });
  const email = `olga@${name.toLowerCase().split(" ")[0]}.example`;
  await office.db.sql("update app.people set email = $2 where id = $1", [made.organisation.ownerId, email]);
  return { ...made, organisation: { ...made.organisation, email } };
}

async function runsOf({ who, executor, model }: Workplace): Promise<Scene["runs"]> {
  /** Each has a bot of its own, so that none stands behind another in a conversation. */
  const begun = async (bring: (executor: HandExecutor, run: Assignment) => Promise<unknown>) => {
    const bot = (await who.ask("POST", "/bots", { name: "Bertie", model })).body.id;
    await who.ask("POST", "/runs", { botId: bot, message: "Look at the nets." });
    const run = await claimed(executor);
    await executor.step(run, 1_200_000);
    await bring(executor, run);
    return run.runId;
  };
  return {
    completed: await begun((hand, run) => hand.finish(run)),
    failed: await begun((hand, run) => hand.fail(run)),
    blocked: await begun((hand, run) => hand.block(run)),
    waiting: await begun((hand, run) => hand.ask(run)),
    working: await begun(async () => {}),
    queued: (await who.ask("POST", "/runs", { botId: who.bot, message: "And the ropes?" })).body.id,
  };
}

/** Every page of the console, by its name. */
export function pagesOf(scene: Scene): Record<string, string> {
  const { harbour, lighthouse, tidewater, workshop } = scene;
  const organisation = (of: Customer) => `/organisations/${of.organisation.id}`;
  return {
    now: "/",
    organisations: "/organisations",
    organisation: organisation(lighthouse),
    members: `${organisation(harbour)}?tab=members`,
    keys: `${organisation(tidewater)}?tab=keys`,
    trail: `${organisation(harbour)}?tab=trail`,
    runs: `${organisation(workshop.who)}?tab=runs`,
    cards: `${organisation(workshop.who)}?tab=cards`,
    endpoint: `/endpoints/${scene.failingEndpoint.id}`,
    delivery: `/deliveries/${scene.failed}`,
    run: `/runs/${scene.runs.waiting}`,
    request: `/requests/${scene.request}`,
    person: `/people/${harbour.organisation.ownerId}`,
    work: "/work",
    mails: "/mails",
    acts: "/acts",
    "view-as": `/view-as/${harbour.organisation.id}/${scene.member}`,
    search: "/search?q=e",
  };
}
