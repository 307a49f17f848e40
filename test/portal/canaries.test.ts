/** Markup in each text of the contract and of executors: every page of portal and console shows it as text, and runs none of it. */
import type { Page } from "playwright-core";
import { linkOf, press } from "../support/approvals.ts";
import { mintToken, testConsole } from "../support/console.ts";
import { listsOfOrganisation, signInBrowser } from "../support/console-page.ts";
import { markup, type Planted, plantCanaries } from "../support/contract-canaries.ts";
import { makePlatformKey } from "../support/database.ts";
import { walkDialogs, withoutWrites } from "../support/dialog-walk.ts";
import { tokenOf } from "../support/invitations.ts";
import { seen } from "../support/page-change.ts";
import { portalPagesOf } from "../support/portal-data.ts";
import { portalOfFile } from "../support/portal-page.ts";
import { signed } from "../support/sign.ts";

/** Beginnings of the executors' texts in the fixture. */
const ofExecutor = [
  "It is open from ten",
  "Which of the two da",
  "May I order 40 m",
  "It costs 160 euros.",
  "Ropes cost 4 euros",
];
const executorText = (given: string) => {
  const number = ofExecutor.findIndex((each) => given.startsWith(each));
  return number === -1 ? given : markup(number);
};
const here = portalOfFile(executorText, { own: true });
const { test } = here.chromium;

let planted: Planted;
const comment = markup(10);
/** The body of a post to a hook, which starts a run. */
const posted = markup(11);
let hookRun = "";
/** Links of a pending approval and of an open invitation. */
let mailed: string[] = [];

beforeAll(async () => {
  const { db, api } = here.office;
  const { who, memory, routine, hook, endpoint, key, runs, approval, member } = here.data;
  const platform = (await makePlatformKey(db)).text;
  const { id, secret } = (await who.ask("POST", "/hooks", { botId: who.bot, name: "Buoys" })).body;
  const received = await api.call("POST", `/hooks/${id}/receive`, { idempotencyKey: null, ...signed(secret, posted) });
  hookRun = received.body.runId;
  await press(api, await linkOf(db, approval), "approved", comment);
  planted = await plantCanaries({
    ask: (operation, path, body) =>
      operation.platform
        ? api.call(operation.method, path, { key: platform, body, idempotencyKey: crypto.randomUUID() })
        : who.ask(operation.method, path, body, "mayFail"),
    ids: { bot: who.bot, member, memory, hook, routine, webhook: endpoint },
    pathIds: {
      update_key: key,
      update_bot: who.bot,
      update_memory: memory,
      resume_run: runs.blocked,
      retry_run: runs.completed,
      update_routine: routine,
      update_hook: hook,
      update_webhook: endpoint,
      create_owner_key: who.organisation.id,
    },
  });
  const [pending] = await db.sql<{ id: string }>("select id from app.approvals where state = 'pending'");
  const invitation = (await who.ask("POST", "/invitations", { email: "guest@harbour.example", role: "member" })).body
    .id;
  mailed = [`approval/${await linkOf(db, pending?.id ?? "")}`, `invitation/${await tokenOf(db, invitation)}`];
});

/** Pages of what the canaries' requests created. */
function createdPages(): string[] {
  const places: Record<string, string> = {
    create_bot: "bots",
    create_memory: "memories",
    create_routine: "routines",
    create_hook: "hooks",
    create_webhook: "endpoints",
    create_key: "keys",
    start_run: "runs",
  };
  return Object.entries(places).map(([name, place]) => `/portal/${place}/${planted.answers.get(name).id}`);
}

const ran = "[globalThis.canary ?? null, document.querySelectorAll('img').length]";
const textOfPage =
  "document.body.innerText + [...document.querySelectorAll('input, textarea')].map((each) => each.value).join()";

/** @returns what the page shows as text. @throws unless it runs no markup */
async function shownOn(page: Page, name: string): Promise<string> {
  expect([name, await page.evaluate(ran)]).toEqual([name, [null, 0]]);
  return page.evaluate<string>(textOfPage);
}

/** Fields with a format of their own: addresses, schedules, models and time zones. */
const refused = [
  "create_audit_stream.url",
  "create_bot.model",
  "create_invitation.email",
  "create_key.allowedIps[]",
  "create_organisation.owner.email",
  "create_portal_session.returnUrl",
  "create_routine.schedule",
  "create_routine.timeZone",
  "create_webhook.url",
  "update_audit_stream.url",
  "update_bot.model",
  "update_key.allowedIps[]",
  "update_routine.schedule",
  "update_routine.timeZone",
  "update_webhook.url",
];

test("each text field of the contract takes a canary, or refuses markup", async () => {
  expect(planted.refused.toSorted()).toEqual(refused);
  expect(planted.stored.size).toBeGreaterThan(refused.length);
});

/** Texts that no page of the portal shows: ids of imported memories, a subject that is erased, parts of a batch, and another organisation. */
const unseen = [
  "import_memories.memories[].externalId",
  "import_memories.memories[].id",
  "erase_memories.subject",
  "batch.operations[].id",
  "batch.operations[].path",
  "batch.operations[].ifMatch",
  "create_organisation.name",
  "create_organisation.owner.displayName",
];

test("no page or dialog of the portal runs a canary, and each canary is shown as text", async () => {
  const seen: string[] = [];
  const pressed = new Set<string>();
  await here.portal(({ page, go }) =>
    withoutWrites(page, async () => {
      for (const path of [...Object.values(portalPagesOf(here.data)), ...createdPages(), `/portal/runs/${hookRun}`]) {
        const open = async () => {
          await go(path);
          seen.push(await shownOn(page, path));
        };
        const look = async (label: string) => void seen.push(await shownOn(page, `${path} ${label}`));
        await walkDialogs(page, open, { pressed, look });
      }
    }),
  );
  const all = seen.join("\n");
  const canaries = [...planted.stored, ...ofExecutor.map((given, number) => [given, markup(number)] as const)];
  expect(
    [...canaries, ["comment", comment] as const, ["receive_hook", posted] as const].flatMap(([name, each]) =>
      all.includes(each) ? [] : [name],
    ),
  ).toEqual(unseen);
});

/** The console shows names and descriptions, and no other text of an organisation. */
const inConsole = [
  "create_bot.name",
  "create_hook.name",
  "create_key.name",
  "create_organisation.name",
  "create_owner_key.name",
  "create_routine.name",
  "create_webhook.description",
  "rename_organisation.name",
  "update_bot.name",
  "update_hook.name",
  "update_key.name",
  "update_routine.name",
  "update_webhook.description",
];

test("no page or dialog of the console runs a canary", async () => {
  const { db, api } = here.office;
  const server = await testConsole(db, { BASE_URL: api.url });
  const token = (await mintToken(db, "act", "Otto")).text;
  const { page, open, go, close } = await signInBrowser(here.chromium.browser, { url: server.url, token });
  const { who, endpoint, runs, delivery } = here.data;
  const organisation = `/organisations/${who.organisation.id}`;
  const seen: string[] = [];
  await open(organisation);
  const tabs = [organisation, ...(await listsOfOrganisation({ page, go }, organisation))];
  const others = Object.values(runs).map((id) => `/runs/${id}`);
  const lists = ["/", "/organisations", "/deliveries-and-runs", "/email", "/operator-log", "/search?q=canary"];
  const pressed = new Set<string>();
  await withoutWrites(page, async () => {
    for (const path of [...tabs, ...others, ...lists, `/endpoints/${endpoint}`, `/deliveries/${delivery}`]) {
      const show = async () => {
        await go(path);
        seen.push(await shownOn(page, path));
      };
      const look = async (label: string) => void seen.push(await shownOn(page, `${path} ${label}`));
      await walkDialogs(page, show, { pressed, once: "*", look });
    }
  });
  expect([...pressed].filter((label) => label.endsWith("…")).length).toBeGreaterThan(9);
  await close();
  await server.stop();
  const shown = [...planted.stored].filter(([, each]) => seen.join("\n").includes(each)).map(([name]) => name);
  expect(shown.toSorted()).toEqual(inConsole);
});

test("the pages of an approval and of an invitation run no canary, and show the organisation's name as text", async () => {
  const page = await here.chromium.browser.newPage();
  for (const path of mailed) {
    await page.goto(`${here.office.api.url}/${path}`);
    expect(await shownOn(page, path)).toContain(planted.stored.get("rename_organisation.name"));
  }
  await page.goto(`${here.office.api.url}/${mailed[0]}`);
  expect(await shownOn(page, "approval")).toContain(executorText("Ropes cost 4 euros a metre."));
  await page.close();
});

test("a found memory marks the match inside markup, and runs none of it", () =>
  here.portal(async ({ page, open }) => {
    const canary = planted.stored.get("create_memory.value") ?? "";
    await open(`/portal/memories?q=${canary.split(" ")[0]}`);
    await seen(page.locator("mark"));
    expect(await shownOn(page, "found")).toContain(canary);
  }));

test("a planted image is found by the scan", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/bots");
    await page.evaluate('document.querySelector("main").append(document.createElement("img"))');
    await expect(shownOn(page, "bots")).rejects.toThrow();
  }));
