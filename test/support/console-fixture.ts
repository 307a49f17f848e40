/** Data for tests and screenshots of the console, made by the real API, the real worker and manual executors. */
import type { Pool } from "pg";
import type { Assignment } from "../../src/runner/engine.ts";
import { mintToken, type TestConsole, testConsole } from "./console.ts";
import { makeMember, setLimits } from "./database.ts";
import { type HandExecutor, handExecutor, leased, type Workplace } from "./hand-executor.ts";
import { ofFile } from "./of-file.ts";
import { type Customer, customer, type Endpoint, openPostOffice, type PostOffice, status } from "./post-office.ts";
import { eventually, testWorker } from "./worker.ts";

export type ConsoleFixture = {
  /** Without issues: runs end, deliveries succeed. */
  harbour: Customer;
  harbourEndpoint: Endpoint;
  /** Its receivers respond 500 and 503. One endpoint fails, the other was disabled after its tenth failure. */
  lighthouse: Customer;
  failingEndpoint: Endpoint;
  disabledEndpoint: Endpoint;
  /** It has reached its limit of keys. */
  tidewater: Customer;
  /** Has a run in each of these states. */
  workshop: Workplace;
  runs: Record<"completed" | "failed" | "blocked" | "waiting" | "working" | "queued", string>;
  delivered: string;
  /** Id of a request that created an invitation to the harbour. */
  request: string;
  failed: string;
  /** A member of the harbour with role member. */
  member: string;
};

/** The API and a worker. No mail server listens, so emails stay unsent. */
export async function openConsoleServices(): Promise<PostOffice> {
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

export type ConsoleOfFile = { office: PostOffice; fixture: ConsoleFixture; testServer: TestConsole; token: string };

/** The console with its data and an operator token: started before the file's tests and stopped after them. */
export function consoleWithDataOfFile(): ConsoleOfFile {
  return ofFile(
    async (here) => {
      here.office = await openConsoleServices();
      const { db } = here.office;
      // One after the other: a starting console keeps this process busy for longer than the API waits for a connection.
      here.testServer = await testConsole(db, { BASE_URL: here.office.api.url });
      here.fixture = await consoleFixture(here.office, db.poolAs("runner"));
      here.token = (await mintToken(db, "act", "Otto")).text;
    },
    async ({ testServer, office }) => {
      await testServer?.stop();
      await office?.close();
    },
  );
}

export async function consoleFixture(office: PostOffice, runner: Pool): Promise<ConsoleFixture> {
  const { db } = office;
  const harbour = await named(office, "Harbour & Co");
  const lighthouse = await named(office, "Lighthouse Ltd");
  const tidewater = await named(office, "Tidewater Trading");
  const harbourEndpoint = await harbour.subscribe(office.hook());
  const failingEndpoint = await lighthouse.subscribe(office.hook(status(500)));
  const disabledEndpoint = await lighthouse.subscribe(office.hook(status(503)));
  await db.sql("update app.retry_schedule set delay = '1 millisecond'");
  await db.sql("update app.webhook_endpoints set consecutive_failures = 9 where id = $1", [disabledEndpoint.id]);

  await setLimits(db, tidewater.organisation.id, { liveKeys: 3 });
  for (const name of ["Reports", "Import"]) await tidewater.ask("POST", "/keys", { name, scope: "read" });

  for (let n = 0; n < 3; n += 1) await harbour.run();
  await lighthouse.run();
  const delivered = await harbour.untilDelivery(harbourEndpoint, "delivered");
  const failed = await lighthouse.untilDelivery(failingEndpoint, "failed");
  await lighthouse.untilDelivery(disabledEndpoint, "failed");
  await db.sql("update app.retry_schedule set delay = '1 hour' where attempt > 1");
  await lighthouse.run("Is the light on?");
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

async function runsOf({ who, executor, model }: Workplace): Promise<ConsoleFixture["runs"]> {
  /** Each run has its own bot, because runs of one conversation are queued behind each other. */
  const runWith = async (change: (executor: HandExecutor, run: Assignment) => Promise<unknown>) => {
    const bot = (await who.ask("POST", "/bots", { name: "Bertie", model })).body.id;
    await who.ask("POST", "/runs", { botId: bot, message: "Look at the nets." });
    const run = await leased(executor);
    await executor.step(run, 1_200_000);
    await change(executor, run);
    return run.runId;
  };
  return {
    completed: await runWith((hand, run) => hand.finish(run)),
    failed: await runWith((hand, run) => hand.fail(run)),
    blocked: await runWith((hand, run) => hand.block(run)),
    waiting: await runWith((hand, run) => hand.ask(run)),
    working: await runWith(async () => {}),
    queued: (await who.ask("POST", "/runs", { botId: who.bot, message: "And the ropes?" })).body.id,
  };
}

/** Paths of the console's pages by name. Screenshots use the names. */
export function pagesOf(fixture: ConsoleFixture): Record<string, string> {
  const { harbour, lighthouse, tidewater, workshop } = fixture;
  const organisation = (of: Customer) => `/organisations/${of.organisation.id}`;
  return {
    overview: "/",
    organisations: "/organisations",
    organisation: organisation(lighthouse),
    members: `${organisation(harbour)}?tab=members`,
    keys: `${organisation(tidewater)}?tab=keys`,
    "audit-log": `${organisation(harbour)}?tab=audit-log`,
    runs: `${organisation(workshop.who)}?tab=runs`,
    approvals: `${organisation(workshop.who)}?tab=approvals`,
    endpoint: `/endpoints/${fixture.failingEndpoint.id}`,
    delivery: `/deliveries/${fixture.failed}`,
    run: `/runs/${fixture.runs.waiting}`,
    request: `/requests/${fixture.request}`,
    person: `/people/${harbour.organisation.ownerId}`,
    "deliveries-and-runs": "/deliveries-and-runs",
    email: "/email",
    "operator-log": "/operator-log",
    search: "/search?q=e",
  };
}
