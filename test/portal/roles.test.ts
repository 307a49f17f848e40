/** Which sections and actions each role has on the portal's pages. The database refuses the others in any case. */
import type { Page } from "playwright-core";
import { makeMember } from "../support/database.ts";
import { seen } from "../support/page-change.ts";
import { portalPagesOf } from "../support/portal-data.ts";
import { portalOfFile, settled } from "../support/portal-page.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile();
const { test } = here.chromium;

type Role = "owner" | "admin" | "member";
const all: Role[] = ["owner", "admin", "member"];
const admins: Role[] = ["owner", "admin"];
/** Only in a session that the person's own key opened. The owner opens the sessions of the others. */
const own: Role[] = ["owner"];

const sections: Record<string, Role[]> = {
  Overview: all,
  Endpoints: admins,
  Events: admins,
  "API keys": admins,
  Runs: all,
  Approvals: all,
  Bots: all,
  Memories: all,
  Routines: all,
  Hooks: all,
  Members: all,
  "Audit log": admins,
};

/** Buttons by page. A member is the person of no row of the fixture. */
const actions: [page: string, button: string, roles: Role[]][] = [
  ["export", "Export the organisation", own],
  ["endpoints", "Create an endpoint…", admins],
  ["endpoint", "Edit…", admins],
  ["endpoint", "Send a test", admins],
  ["endpoint", "Pause", admins],
  ["endpoint", "Rotate secret…", admins],
  ["endpoint", "Recover…", admins],
  ["endpoint", "Delete endpoint…", admins],
  ["delivery", "Send again", admins],
  ["keys", "Create a key…", own],
  ["key", "Edit…", admins],
  ["key", "Rotate…", own],
  ["key", "Revoke key…", admins],
  ["runs", "Start a run…", own],
  ["run", "Cancel run…", all],
  ["bots", "Create a bot…", all],
  ["bot", "Edit…", admins],
  ["bot", "Delete bot…", admins],
  ["memories", "Create a memory…", admins],
  ["memories", "Erase a subject…", admins],
  ["memories", "Export JSON lines", all],
  ["memories-import", "Import", admins],
  ["memory", "Edit…", admins],
  ["memory", "Delete memory…", admins],
  ["routines", "Create a routine…", own],
  ["routine", "Pause", all],
  ["routine", "Delete routine…", all],
  ["hooks", "Create a hook…", own],
  ["hook", "Rotate secret…", own],
  ["members", "Invite a person…", own],
  ["members", "Change role…", admins],
  ["members", "Remove…", admins],
  ["members", "Revoke…", admins],
  ["audit", "Export JSON lines", admins],
  ["audit", "Set up a stream…", admins],
];

const personOf = async (role: Role) => {
  const { who, member } = here.data;
  if (role === "member") return member;
  return role === "owner" ? who.organisation.ownerId : makeMember(here.office.db, who.organisation.id, role);
};

/** The command palette lists endpoints and keys for admins only, bots and hooks for all. */
async function expectThings(page: Page, role: Role): Promise<void> {
  const listed: string[] = [];
  page.on("response", (response) => listed.push(new URL(response.url()).pathname));
  await page.keyboard.press("Control+k");
  await page.keyboard.type("clerk bot");
  await seen(page.getByRole("option", { name: "Clerk Bot" }));
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("crane");
  const kinds = page.locator('[role="option"] .quiet');
  await eventually(async () => (await kinds.count()) === (admins.includes(role) ? 3 : 1));
  expect((await kinds.allInnerTexts()).toSorted()).toEqual(
    admins.includes(role) ? ["API key", "Endpoint", "Hook"] : ["Hook"],
  );
  expect(listed.includes("/api/v1/keys")).toBe(admins.includes(role));
  await page.keyboard.press("Escape");
}

for (const role of all) {
  test(`the portal of a person with role ${role} has the sections and actions of the role, and no others`, async () => {
    const session = { personId: await personOf(role) };
    await here.portal(
      async ({ page, open }) => {
        const links = await page.getByRole("navigation", { name: "Sections" }).getByRole("link").allInnerTexts();
        const reached = Object.keys(sections).filter((section) => sections[section]?.includes(role));
        expect(links.toSorted()).toEqual(reached.toSorted());
        await expectThings(page, role);
        let shown = "";
        for (const [name, button, roles] of actions) {
          if (shown !== name) await open(portalPagesOf(here.data)[name] ?? "");
          shown = name;
          const count = () => page.locator("main button").getByText(button, { exact: true }).count(); // also in a menu
          if (roles.includes(role)) await eventually(async () => (await count()) > 0);
          else expect([name, button, await count()]).toEqual([name, button, 0]);
        }
      },
      { session },
    );
  });
}

test("an admin has no actions for an owner", async () => {
  const session = { personId: await personOf("admin") };
  await here.portal(
    async ({ page, open }) => {
      await open("/portal/members");
      const row = page.getByRole("table", { name: "Members" }).getByRole("row", { name: /Olga Owner/ });
      await seen(row);
      expect(await row.getByRole("button").count()).toBe(0);
    },
    { session },
  );
});

test("a session of two sections has these only, and no links to the others", () =>
  here.portal(
    async ({ page, open, main }) => {
      const links = page.getByRole("navigation", { name: "Sections" }).getByRole("link");
      expect(await links.allInnerTexts()).toEqual(["Runs", "Routines"]);
      await open(`/portal/routines/${here.data.routine}`);
      expect(await main()).toContain("Morning round");
      expect(await page.locator('main a[href^="/portal/bots"]').count()).toBe(0);
      await open("/portal/audit");
      expect(await main()).toContain("No such page");
      await open("/portal/runs");
      await settled(page);
      expect(await page.getByRole("table", { name: "Runs, newest first" }).locator("tbody tr").count()).toBe(4);
    },
    { session: { sections: ["runs", "routines"] } },
  ));

test("pages draw no action that the API refuses for this row", async () => {
  const { who, member } = here.data;
  const { db } = here.office;
  const [memory] = await db.sql<{ id: string }>(
    `insert into app.memories (organisation_id, scope, member_id, kind, subject, value, provenance, source, created_by)
     values ($1, 'member', $2, 'note', 'Tea', 'Black', 'member', 'app', $2) returning id`,
    [who.organisation.id, who.organisation.ownerId],
  );
  const [bot] = await db.sql<{ id: string }>(
    "insert into app.bots (organisation_id, name, owner_id) values ($1, 'Own', $2) returning id",
    [who.organisation.id, member],
  );
  const count = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).count();
  await here.portal(async ({ page, open }) => {
    await open(`/portal/memories/${memory?.id}`);
    await seen(page.getByText("Black"));
    expect([await count(page, "Edit…"), await count(page, "Delete memory…")]).toEqual([0, 0]);
    await open(`/portal/runs/${here.data.runs.blocked}`);
    await seen(page.getByRole("button", { name: "Resume…" }));
    await open(`/portal/bots/${bot?.id}`);
    await page.getByRole("button", { name: "Edit…" }).click();
    expect(await page.getByLabel("Visibility").locator("option").count()).toBe(1);
  });
  await here.portal(
    async ({ page, open }) => {
      await open(`/portal/bots/${bot?.id}`);
      await page.getByRole("button", { name: "Edit…" }).click();
      expect(await page.getByLabel("Visibility").locator("option").count()).toBe(1);
      await open(`/portal/runs/${here.data.runs.blocked}`);
      await seen(page.getByRole("button", { name: "Cancel run…" }));
      expect(await count(page, "Resume…")).toBe(0);
    },
    { session: { personId: member } },
  );
});
