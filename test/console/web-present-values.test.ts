/** Every dialog of the console shows the present values of what it changes or ends. The dialogs are found, not listed. */
import { browserOfFile } from "../support/browser.ts";
import { consoleWithDataOfFile } from "../support/console-fixture.ts";
import { labelsOfActions, laptop, signInBrowser } from "../support/console-page.ts";
import { setLimits } from "../support/database.ts";
import { type ShownValues, valuesOfDialogs } from "../support/dialog-values.ts";
import { leased } from "../support/hand-executor.ts";

const chromium = browserOfFile();
const here = consoleWithDataOfFile();
const sql = (text: string, values: unknown[] = []) => here.office.db.sql(text, values);

/** Fields for what the operator adds, as they are at first. */
const added = {
  "New value": "",
  "Kind of subject": "A third party",
  Subject: "",
  Kind: "",
  What: "Failed deliveries",
  From: "",
  Until: "",
  Name: "",
  Scope: "admin",
  "Days until expiry": "",
};
const only = (...names: (keyof typeof added)[]): ShownValues =>
  Object.fromEntries(names.map((name) => [name, added[name]]));

/** States in which every operator action is possible: a running run, an expired approval, a trial, a suspension, a deletion. */
async function prepare(): Promise<{ running: string }> {
  const { lighthouse, tidewater, workshop, runs } = here.fixture;
  const { id } = lighthouse.organisation;
  await sql(
    "update app.organisations set billing_state = 'trial', trial_ends_at = $2, seats_bought = 7 where id = $1",
    [id, "2031-05-01T10:00:00Z"],
  );
  await setLimits(here.office.db, id, { liveKeys: 25, monthlySpendMicroCents: 1_250_000_000 });
  await sql(
    "update app.organisations set suspended_at = now(), deletion_at = now() + interval '9 days' where id = $1",
    [tidewater.organisation.id],
  );
  await sql("update app.approvals set expires_at = now() - interval '1 second' where run_id = $1", [runs.waiting]);
  await sql("update app.executors set last_seen_at = now() where id = $1", [workshop.executor.id]);
  return { running: (await leased(workshop.executor)).runId };
}

/** A page of each kind that has actions. The running run is first: its lease ends after 30 seconds. */
function pagesWithActions(running: string): string[] {
  const { harbour, lighthouse, tidewater, workshop, failingEndpoint, disabledEndpoint } = here.fixture;
  return [
    `/runs/${running}`,
    `/organisations/${lighthouse.organisation.id}`,
    `/organisations/${tidewater.organisation.id}?tab=keys`,
    `/organisations/${harbour.organisation.id}?tab=members`,
    `/organisations/${harbour.organisation.id}?tab=invitations`,
    `/organisations/${workshop.who.organisation.id}?tab=approvals`,
    `/endpoints/${failingEndpoint.id}`,
    `/endpoints/${disabledEndpoint.id}`,
    `/people/${harbour.organisation.ownerId}`,
    "/deliveries-and-runs",
  ];
}

/** A time of the API, which has more digits. */
const at = (moment: Date) => expect.stringContaining(moment.toISOString().slice(0, -1));

async function expected(running: string): Promise<Record<string, ShownValues>> {
  const { harbour, tidewater, workshop, failingEndpoint, disabledEndpoint, runs } = here.fixture;
  const { email } = harbour.organisation;
  const first = async (text: string, values: unknown[]) => (await sql(text, values))[0] ?? {};
  const restricted = await sql(
    "select kind from app.third_party_restrictions where organisation_id = $1 order by kind",
    [harbour.organisation.id],
  );
  const ofLighthouse = { Organisation: "Lighthouse Ltd", "State now": "trial" };
  const ofTidewater = { Organisation: "Tidewater Trading", "State now": "suspended" };
  const ofKind = { ...ofLighthouse, "Restricted now": restricted.map(({ kind }) => kind).join(", "), ...only("Kind") };
  const ofEndpoint = async (id: string) => {
    const endpoint = await first("select * from app.webhook_endpoints where id = $1", [id]);
    return {
      Endpoint: expect.stringMatching(/^localhost:\d+\/hooks\/…$/),
      Organisation: "Lighthouse Ltd",
      State: endpoint.state === "active" ? "failing" : endpoint.state,
      "Consecutive failures": String(endpoint.consecutive_failures),
      "Last delivery": endpoint.last_delivery_at ? at(endpoint.last_delivery_at) : "never",
    };
  };
  const run = await first("select * from app.runs where id = $1", [running]);
  const ofRun = {
    Bot: "Bertie",
    Organisation: "Workshop Nine",
    State: "running",
    Steps: "1",
    Cost: "€0.0120",
    Started: at(run.created_at),
  };
  const approval = await first("select * from app.approvals where run_id = $1", [runs.waiting]);
  const ofApproval = {
    Approval: "question",
    Person: workshop.who.organisation.email,
    State: "expired",
    Expired: at(approval.expires_at),
  };
  const invitation = await first("select expires_at from app.invitations where email = 'wren@harbour.example'", []);
  const key = await first("select prefix from app.api_keys where organisation_id = $1 and name = 'Import'", [
    tidewater.organisation.id,
  ]);
  const retries = { What: "Only count them", "Model of the bots": "", "Started from": "", ...only("Until") };
  return {
    "Set a limit…": { ...ofLighthouse, Limit: "Live keys (now 25)", ...only("New value") },
    "Set the spending limit…": { ...ofLighthouse, "Euros per month": "12.5" },
    "Set billing…": { ...ofLighthouse, State: "On trial", "Trial end": "2031-05-01T10:00", "Seats bought": "7" },
    "Restrict a kind…": ofKind,
    "Allow a kind…": ofKind,
    "Retry failed runs…": { ...ofLighthouse, ...retries },
    "Retry failed runs of all organisations…": retries,
    "Erase a subject…": { ...ofLighthouse, ...only("Kind of subject", "Subject") },
    "Suspend…": ofLighthouse,
    "Schedule the deletion…": { ...ofLighthouse, "Days to wait": "30" },
    "Cancel the deletion…": ofTidewater,
    "Lift the suspension…": ofTidewater,
    "Revoke…": { Key: "Import", Prefix: key.prefix, Scope: "read", "Last used": "never" },
    "Mint a key…": { "The key acts as": email, Role: "owner", ...only("Name", "Scope", "Days until expiry") },
    "Send again…": {
      To: "wren@harbour.example",
      Role: "member",
      State: "open",
      Expires: at(invitation.expires_at),
    },
    "Approve…": ofApproval,
    "Refuse…": ofApproval,
    "Recover deliveries…": { ...(await ofEndpoint(failingEndpoint.id)), ...only("What", "From", "Until") },
    "Disable…": await ofEndpoint(failingEndpoint.id),
    "Resume…": await ofEndpoint(disabledEndpoint.id),
    "Release the run…": ofRun,
    "Cancel the run…": ofRun,
    "View as…": { "Portal of": "Harbour & Co", Person: email, Role: "owner" },
  };
}

chromium.test("every dialog of an operator action shows the present values, and no dialog is unknown", async () => {
  const found: Record<string, ShownValues> = {};
  const session = await signInBrowser(
    chromium.browser,
    { url: here.testServer.url, token: here.token },
    { ...laptop, timezoneId: "UTC" },
  );
  const { running } = await prepare();
  for (const path of pagesWithActions(running)) {
    await session.go(path);
    for (const [label, { Reason: _, ...shown }] of Object.entries(await valuesOfDialogs(session.page)))
      found[label] ??= shown; // every tab of an organisation has its actions
  }
  expect((await session.close()).complaints).toEqual([]);
  expect(found).toEqual(await expected(running));
  expect(labelsOfActions().filter((label) => !(label in found))).toEqual([]);
});
