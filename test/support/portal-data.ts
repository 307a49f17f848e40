/** An organisation with rows for each page of the portal, made by the real API and an executor that a test controls. */
import type { Pool } from "pg";
import { makeMember } from "./database.ts";
import { leased, type Workplace, workplace } from "./hand-executor.ts";
import type { PostOffice } from "./post-office.ts";

export type PortalData = Workplace & {
  memory: string;
  routine: string;
  hook: string;
  /** A run in each of these states. */
  runs: Record<"completed" | "blocked" | "waiting" | "queued", string>;
  approval: string;
  /** The personId of a member with role member. */
  member: string;
};

/** @param texts the value of each text field, for canaries. Defaults to the given text */
export async function portalData(
  office: Pick<PostOffice, "db" | "api">,
  runner: Pool,
  text: (given: string) => string = (given) => given,
): Promise<PortalData> {
  const at = await workplace(office, runner);
  const { who, executor, model } = at;
  const { ask } = who;
  await ask("PATCH", "/organisation", { name: text("Harbour & Co") });
  await ask("PATCH", `/bots/${who.bot}`, {
    name: text("Harbour guide"),
    instructions: text("Answer in one sentence."),
  });
  await ask("POST", "/bots", { name: text("Night watch"), model, visibility: "personal" });
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
  await ask("POST", "/invitations", { email: "wren@harbour.example", role: "member" });
  const member = await makeMember(office.db, who.organisation.id, "member");
  await office.db.sql("update app.people set display_name = $2 where id = $1", [member, text("Max Mooring")]);

  /** Each run has its own bot, because runs of one conversation are queued behind each other. */
  const runWith = async (name: string, work: (run: Awaited<ReturnType<typeof leased>>) => Promise<unknown>) => {
    const bot = (await ask("POST", "/bots", { name: text(name), model })).body.id;
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
  return { ...at, memory: memory.body.id, routine: routine.body.id, hook: hook.body.id, runs, approval, member };
}

/** Paths of the portal's pages by name. Screenshots use the names. */
export function portalPagesOf({ who, memory, routine, hook, runs, approval }: PortalData): Record<string, string> {
  return {
    runs: "/portal/runs",
    run: `/portal/runs/${runs.waiting}`,
    "run-ended": `/portal/runs/${runs.completed}`,
    approvals: "/portal/approvals",
    approval: `/portal/approvals/${approval}`,
    bots: "/portal/bots",
    bot: `/portal/bots/${who.bot}`,
    memories: "/portal/memories",
    "memories-found": "/portal/memories?q=office",
    memory: `/portal/memories/${memory}`,
    routines: "/portal/routines",
    routine: `/portal/routines/${routine}`,
    hooks: "/portal/hooks",
    hook: `/portal/hooks/${hook}`,
    members: "/portal/members",
    audit: "/portal/audit",
  };
}
