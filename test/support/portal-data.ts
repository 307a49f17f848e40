/** An organisation with rows for each page of the portal, made by the real API and an executor that a test controls. */
import type { Pool } from "pg";
import { makeMember } from "./database.ts";
import { leased, type Workplace, workplace } from "./hand-executor.ts";
import type { PostOffice } from "./post-office.ts";

export type PortalData = Workplace & {
  memory: string;
  routine: string;
  hook: string;
  /** An endpoint whose deliveries fail, and its failed delivery. */
  endpoint: string;
  delivery: string;
  key: string;
  /** A run in each of these states. */
  runs: Record<"completed" | "blocked" | "waiting" | "queued", string>;
  approval: string;
  /** The personId of a member with role member. */
  member: string;
};

/** @param text replaces the text of a field, for canaries. Defaults to the given text */
export async function portalData(
  office: Pick<PostOffice, "db" | "api">,
  runner: Pool,
  text: (given: string) => string = (given) => given,
  model?: string,
): Promise<PortalData> {
  const at = await workplace(office, runner, model);
  const { who, executor } = at;
  const { ask } = who;
  await ask("PATCH", "/organisation", { name: text("Harbour & Co") });
  await ask("PATCH", `/bots/${who.bot}`, {
    name: text("Harbour guide"),
    instructions: text("Answer in one sentence."),
  });
  await ask("POST", "/bots", { name: text("Night watch"), model: at.model, visibility: "personal" });
  const memory = await ask("POST", "/memories", {
    scope: "organisation",
    kind: text("policy"),
    subject: text("Opening hours"),
    value: text("The harbour office is open from nine to five."),
  });
  await ask("PATCH", `/memories/${memory.body.id}`, {
    value: text("The office is open from ten to six."),
    confidence: 0.9,
  });
  await ask("POST", "/memories", {
    scope: "bot",
    botId: who.bot,
    kind: text("preference"),
    subject: text("Nils Holm"),
    subjectKind: "third_party",
    value: text("Mr Holm prefers the berth at the crane."),
    validTo: "2030-01-01T00:00:00Z",
  });
  const routine = await ask("POST", "/routines", {
    botId: who.bot,
    name: text("Morning round"),
    schedule: "30 8 * * MON-FRI",
    timeZone: "Europe/Berlin",
    message: text("What has changed since yesterday?"),
  });
  const hook = await ask("POST", "/hooks", { botId: who.bot, name: text("Alerts of the crane") });
  const events = ["run.finished", "approval.needed"];
  const endpoint = await ask("POST", "/webhooks", {
    url: "https://crane.harbour.example/events",
    description: text("Crane"),
    events,
  });
  await ask("POST", "/webhooks", { url: "https://office.harbour.example/events", events });
  const delivery = (await ask("POST", `/webhooks/${endpoint.body.id}/test`)).body.id;
  await office.db.sql(
    "update app.deliveries set state = 'failed', attempts = 1, last_status_code = 503, last_attempt_at = now(), next_attempt_at = null where id = $1",
    [delivery],
  );
  await office.db.sql(
    `insert into app.delivery_attempts (organisation_id, delivery_id, endpoint_id, number, trigger, started_at, duration_ms, status_code)
     values ($1, $2, $3, 1, 'scheduled', now(), 31, 503)`,
    [who.organisation.id, delivery, endpoint.body.id],
  );
  await office.db.sql(
    "update app.webhook_endpoints set consecutive_failures = 3, degraded_since = now() where id = $1",
    [endpoint.body.id],
  );
  const key = await ask("POST", "/keys", { name: text("Crane"), scope: "read", expiresInDays: 7 });
  await office.db.sql(
    `insert into app.api_key_days (organisation_id, key_id, day, requests, refusals)
     select $1, $2, current_date - number, 40 + 10 * number, number from generate_series(0, 6) number`,
    [who.organisation.id, key.body.id],
  );
  await ask("POST", "/invitations", { email: "wren@harbour.example", role: "member" });
  const member = await makeMember(office.db, who.organisation.id, "member");
  await office.db.sql("update app.people set display_name = $2 where id = $1", [member, text("Max Mooring")]);

  /** Each run has its own bot, because runs of one conversation are queued behind each other. */
  const runWith = async (name: string, work: (run: Awaited<ReturnType<typeof leased>>) => Promise<unknown>) => {
    const bot = (await ask("POST", "/bots", { name: text(name), model: at.model })).body.id;
    await ask("POST", "/runs", { botId: bot, message: text("When is the harbour office open?"), untrusted: true });
    const run = await leased(executor);
    await executor.step(run, 1_200_000);
    await work(run);
    return run.runId;
  };
  let approval = "";
  const runs = {
    completed: await runWith("Clerk", (run) => executor.finish(run, text("It is open from ten to six."))),
    blocked: await runWith("Planner", (run) => executor.block(run, text("Which of the two dates?"))),
    waiting: await runWith("Buyer", async (run) => {
      await executor.propose(run, {
        scope: "organisation",
        kind: text("price"),
        subject: text("Ropes"),
        subjectKind: "organisation",
        value: text("Ropes cost 4 euros a metre."),
      });
      approval = await executor.ask(run, text("May I order 40 m of rope?"), text("It costs 160 euros."));
    }),
    queued: (await ask("POST", "/runs", { botId: who.bot, message: text("And the ropes?") })).body.id as string,
  };
  return {
    ...at,
    memory: memory.body.id,
    routine: routine.body.id,
    hook: hook.body.id,
    endpoint: endpoint.body.id,
    delivery,
    key: key.body.id,
    runs,
    approval,
    member,
  };
}

/** Paths of the portal's pages by name. Screenshots use the names. */
export function portalPagesOf(data: PortalData): Record<string, string> {
  const { who, memory, routine, hook, endpoint, delivery, key, runs, approval } = data;
  return {
    overview: "/portal/",
    export: "/portal/export",
    endpoints: "/portal/endpoints",
    endpoint: `/portal/endpoints/${endpoint}`,
    delivery: `/portal/endpoints/deliveries/${delivery}`,
    events: "/portal/events",
    "event-kinds": "/portal/events/kinds",
    keys: "/portal/keys",
    key: `/portal/keys/${key}`,
    runs: "/portal/runs",
    run: `/portal/runs/${runs.waiting}`,
    "run-ended": `/portal/runs/${runs.completed}`,
    "run-blocked": `/portal/runs/${runs.blocked}`,
    approvals: "/portal/approvals",
    approval: `/portal/approvals/${approval}`,
    bots: "/portal/bots",
    bot: `/portal/bots/${who.bot}`,
    memories: "/portal/memories",
    "memories-found": "/portal/memories?q=office",
    "memories-import": "/portal/memories/import",
    memory: `/portal/memories/${memory}`,
    routines: "/portal/routines",
    routine: `/portal/routines/${routine}`,
    hooks: "/portal/hooks",
    hook: `/portal/hooks/${hook}`,
    members: "/portal/members",
    audit: "/portal/audit",
  };
}
