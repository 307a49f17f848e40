/** Every dialog of the portal that changes or ends something shows its present values. The dialogs are found, not listed. */
import { eventKinds } from "../../src/contract/event-kinds.ts";
import { type ShownValues, valuesOfDialogs } from "../support/dialog-values.ts";
import { portalPagesOf } from "../support/portal-data.ts";
import { portalOfFile } from "../support/portal-page.ts";

const here = portalOfFile();
const { test } = here.chromium;
const read = async (path: string) => (await here.data.who.ask("GET", path)).body;

/** Dialogs without a present value: they create something, ask for a subject, or only show something. */
const others = [
  "endpoints: Create an endpoint…",
  "keys: Create a key…",
  "runs: Start a run…",
  "bots: Create a bot…",
  "bot: Ask this bot…",
  "memories: Create a memory…",
  "memories: Erase a subject…",
  "memories-found: Create a memory…",
  "memories-found: Erase a subject…",
  "routines: Create a routine…",
  "hooks: Create a hook…",
  "members: Invite a person…",
  "audit: Details…",
  "audit: Set up a stream…",
  "audit-streaming: Details…",
];

/** Values in every field, so that an empty field is a fault. */
async function fillFields(): Promise<void> {
  const { who, endpoint, key, memory } = here.data;
  await who.ask("PATCH", `/webhooks/${endpoint}`, { runStates: ["failed"], botIds: [who.bot], orderPerRun: true });
  await who.ask("PATCH", `/keys/${key}`, { allowedIps: ["192.0.2.0/24", "198.51.100.7"], ratePerMinute: 60 });
  await who.ask("PATCH", `/memories/${memory}`, { validTo: "2031-05-01T10:00:00Z" });
}

/** Fields for what the person adds, as they are at first. */
const added = {
  "Message to the bot (optional)": "",
  "Overlap (hours)": "24",
  What: "Failed deliveries",
  From: "",
  To: "",
};
const only = (...names: (keyof typeof added)[]): ShownValues =>
  Object.fromEntries(names.map((name) => [name, added[name]]));

/** Set up after the page was walked without it. */
const stream = { url: "https://siem.harbour.example/botstead", format: "ocsf" };

async function expected(): Promise<Record<string, ShownValues>> {
  const { who, runs, member: memberId } = here.data;
  const [endpoint, key, memory, bot, routine, hook, member] = await Promise.all(
    [
      `/webhooks/${here.data.endpoint}`,
      `/keys/${here.data.key}`,
      `/memories/${here.data.memory}`,
      `/bots/${who.bot}`,
      `/routines/${here.data.routine}`,
      `/hooks/${here.data.hook}`,
      `/members/${memberId}`,
    ].map(read),
  );
  const [invitation] = (await read("/invitations")).data;
  const ofEndpoint = {
    Address: endpoint.url,
    State: "failing",
    "Failed in a row": "3",
    "Last delivery": endpoint.lastDeliveryAt ?? "–",
  };
  const ofKey = { Name: key.name, Scope: "Read", Expires: key.expiresAt, "Last used": key.lastUsedAt ?? "–" };
  const ofHook = { Name: hook.name, State: hook.state, "Last post": hook.lastReceivedAt ?? "–" };
  const ofStream = { Address: stream.url, Format: "OCSF 1.3", State: "active", "Last delivery": "–" };
  const ofMember = { Name: member.displayName, Email: member.email };
  const ofRun = async (id: string, botName: string): Promise<ShownValues> => {
    const { state, steps, createdAt } = await read(`/runs/${id}`);
    return {
      Bot: botName,
      State: state === "blocked" ? state : "waiting for approval",
      Steps: String(steps),
      Cost: "€0.0120",
      Started: createdAt,
    };
  };
  return {
    "endpoint: Edit…": {
      Address: endpoint.url,
      Description: endpoint.description,
      "Send when": (["run.finished", "approval.needed"] as const) // in the order of their groups
        .filter((kind) => endpoint.events.includes(kind))
        .map((kind) => `${eventKinds[kind].summary} ${kind}`)
        .join(", "),
      "Only runs with state": "failed",
      "Only events of bot": bot.name,
      "Send the events of one run in order": "on",
    },
    "endpoint: Recover…": { ...ofEndpoint, ...only("What", "From", "To") },
    "endpoint: Rotate secret…": ofEndpoint,
    "endpoint: Delete endpoint…": ofEndpoint,
    "key: Edit…": { Name: key.name, "Allowed addresses": key.allowedIps.join("\n"), "Requests per minute": "60" },
    "key: Rotate…": { ...ofKey, ...only("Overlap (hours)") },
    "key: Revoke key…": ofKey,
    "runs: Cancel chosen runs: 3…": { blocked: "1", "waiting for approval": "1", queued: "1" },
    "run: Cancel run…": await ofRun(runs.waiting, "Buyer"),
    "run-ended: Run again…": {
      Bot: "Clerk",
      Message: "When is the harbour office open?",
      Tainted: "yes",
      Begin: "From the start",
    },
    "run-blocked: Cancel run…": await ofRun(runs.blocked, "Planner"),
    "run-blocked: Resume…": { ...(await ofRun(runs.blocked, "Planner")), ...only("Message to the bot (optional)") },
    "bot: Edit…": {
      Name: bot.name,
      Instructions: bot.instructions,
      Model: bot.model,
      Visibility: "Team",
      "Who can talk to it": "All members",
    },
    "bot: Delete bot…": { Name: bot.name, Model: bot.model, Visibility: "Team" },
    "memory: Edit…": {
      Memory: memory.value,
      "Confidence, 0 to 1": "0.9",
      "Valid from": "",
      "Valid to": "2031-05-01T10:00",
      "Lawful basis (GDPR, article 6)": "legitimate interests",
    },
    "memory: Replace…": {
      Memory: memory.value,
      "Confidence, 0 to 1": "1",
      "Valid from": "",
      "Valid to": "",
      "Lawful basis (GDPR, article 6)": "legitimate interests",
    },
    "memory: Delete memory…": { Subject: memory.subject, Memory: memory.value, Confidence: "90%" },
    "routine: Edit…": {
      Name: routine.name,
      Schedule: routine.schedule,
      "Time zone": routine.timeZone,
      "Message to the bot": routine.message,
    },
    "routine: Delete routine…": {
      Name: routine.name,
      State: routine.state,
      Schedule: routine.schedule,
      Next: routine.nextFiringAt,
    },
    "hook: Rename…": { Name: hook.name },
    "hook: Rotate secret…": ofHook,
    "hook: Delete hook…": ofHook,
    "members: Change role…": { ...ofMember, Role: member.role },
    "members: Remove…": { ...ofMember, Role: member.role },
    "audit-streaming: Edit…": { Address: stream.url, Format: "OCSF 1.3" },
    "audit-streaming: Rotate secret…": ofStream,
    "audit-streaming: Delete stream…": ofStream,
    "members: Revoke…": { Email: invitation.email, Role: invitation.role, Expires: invitation.expiresAt },
  };
}

test("every dialog that changes or ends something shows the present values, and no dialog is unknown", async () => {
  await fillFields();
  const found: Record<string, ShownValues> = {};
  await here.portal(
    async ({ page, go }) => {
      const pages = Object.entries(portalPagesOf(here.data));
      for (const [name, path] of [...pages, ["audit-streaming", "/portal/audit"] as const]) {
        if (name === "audit-streaming") await here.data.who.ask("POST", "/audit/stream", stream);
        await go(path);
        for (const box of await page.getByLabel(/^Choose all loaded runs/).all()) await box.check();
        for (const [label, shown] of Object.entries(await valuesOfDialogs(page))) found[`${name}: ${label}`] = shown;
      }
    },
    { options: { timezoneId: "UTC" } },
  );
  const changing = Object.entries(found).filter(([name]) => !others.includes(name));
  expect(Object.fromEntries(changing)).toEqual(await expected());
  expect(others.filter((name) => !(name in found))).toEqual([]);
});
