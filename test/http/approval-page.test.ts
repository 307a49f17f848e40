/** What the page of a card answers on the wire, and what comes of an answer. (decisions: section 4.) */
import type { Pool } from "pg";
import type { Assignment } from "../../src/runner/engine.ts";
import { makeCredential } from "../../src/secrets/credentials.ts";
import { answerPage } from "../../src/tour/browser.ts";
import { linkOf, press } from "../support/approvals.ts";
import { makeMember } from "../support/database.ts";
import { claimed, type Workplace, workplace } from "../support/hand-executor.ts";
import { expectHeadersOfMailedPage } from "../support/mailed-page.ts";
import { openPostOffice, type PostOffice } from "../support/post-office.ts";

let office: PostOffice;
let pool: Pool;

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
  pool = office.db.poolAs("runner");
});
afterAll(() => office.close());

const claim = { scope: "organisation", kind: "policy", subject: "Harbour", value: "The harbour closes at nine." };

type Asked = Workplace & { run: Assignment; card: string; token: string };

async function atWork(untrusted: boolean): Promise<Workplace & { run: Assignment }> {
  const at = await workplace(office, pool);
  await at.who.ask("POST", "/runs", { botId: at.who.bot, message: "The harbour closes at nine.", untrusted });
  return { ...at, run: await claimed(at.executor) };
}

/** A run that waits for an answer. */
async function question(untrusted = false): Promise<Asked> {
  const at = await atWork(untrusted);
  const card = await at.executor.ask(at.run, "May I write to them?", "They asked for it.");
  return { ...at, card, token: await linkOf(office.db, card) };
}

/** What a tainted run proposed before it finished. */
async function proposal(memory: object = claim): Promise<Asked> {
  const at = await atWork(true);
  const { approvalId: card = "" } = await at.executor.propose(at.run, memory);
  await at.executor.finish(at.run);
  return { ...at, card, token: await linkOf(office.db, card) };
}

const look = (token: string) => fetch(`${office.api.url}/approval/${token}`);
const stateOf = async (id: string) =>
  (await office.db.sql<{ state: string }>("select state from app.approvals where id = $1", [id]))[0]?.state;
const runState = async ({ who, run }: Asked) => (await who.ask("GET", `/runs/${run.runId}`)).body.state as string;
const claimsOf = ({ run }: Asked) => office.db.sql("select * from app.memories where run_id = $1", [run.runId]);

test("its headers keep the link to itself and allow nothing but its own style", async () => {
  const { token } = await question();
  const pages = [
    await look(token),
    await look("nothing"),
    await fetch(`${office.api.url}/approval/${token}`, { method: "POST" }),
  ];
  expect(pages.map(({ status }) => status)).toEqual([200, 404, 400]);
  for (const { headers } of pages) expectHeadersOfMailedPage(headers);
});

test("looking at it, as scanners of mail do, answers nothing", async () => {
  const at = await question();
  for (const method of ["GET", "HEAD", "GET"]) {
    for (const query of ["", "?answer=approved"]) {
      expect((await fetch(`${office.api.url}/approval/${at.token}${query}`, { method })).status).toBe(200);
    }
  }
  expect([await stateOf(at.card), await runState(at)]).toEqual(["pending", "waiting_approval"]);
});

test("what is no token, a key, an invitation's token and a token that was never made lead to the same page", async () => {
  const { who, token } = await question();
  const key = (await who.ask("POST", "/keys", { name: "Mine", scope: "admin" })).body.key;
  const pages = [];
  for (const wrong of ["x", "bsa_short", key, makeCredential("bsi").text, makeCredential("bsa").text, "%00"]) {
    const page = await look(wrong);
    pages.push([page.status, await page.text()]);
    expect((await press(office.api, wrong, "approved")).status).toBe(404);
  }
  expect(pages[0]).toEqual([404, expect.stringContaining("This link leads to nothing that is asked")]);
  for (const page of pages) expect(page).toEqual(pages[0]);
  expect((await look(token)).status).toBe(200);
});

test("no key of the API answers a card, and the link's token is no key of the API", async () => {
  const at = await question();
  const mine = (await at.who.ask("POST", "/keys", { name: "Mine", scope: "admin" })).body.key;
  for (const path of [`/approval/${at.token}`, `/approvals/${at.card}`]) {
    const body = { answer: "approved" };
    const { status } = await office.api.call("POST", path, { key: mine, body });
    expect([404, 405]).toContain(status);
  }
  for (const path of ["/me", "/approvals", `/approvals/${at.card}`]) {
    expect((await office.api.call("GET", path, { key: at.token })).status).toBe(401);
  }
  expect(await stateOf(at.card)).toBe("pending");
});

test.each([
  ["approved", "Approved", "it goes on"],
  ["refused", "Refused", "is told so"],
] as const)("a question that is %s lets its run go on", async (answer, heading, words) => {
  const at = await question();
  const page = await press(office.api, at.token, answer);
  expect([page.status, page.html]).toEqual([200, expect.stringContaining(`<h1>${heading}</h1>`)]);
  expect(page.html).toContain(words);
  expect(page.html).not.toContain("<form");
  expect((await claimed(at.executor)).approvals).toEqual([expect.objectContaining({ id: at.card, state: answer })]);
  expect((await at.who.ask("GET", `/approvals/${at.card}`)).body).toMatchObject({
    state: answer,
    answeredAt: expect.any(String),
  });
});

test("the tour's person answers without a browser too", async () => {
  const at = await question();
  const told = await answerPage(`${office.api.url}/approval/${at.token}`, ["/no/browser/here"]);
  expect(told).toEqual([expect.stringContaining("its form is sent as a browser would: the page says Approved.")]);
  expect(await stateOf(at.card)).toBe("approved");
  await expect(answerPage(`${office.api.url}/approval/nothing`, [])).rejects.toThrow(
    "the page says that it is approved",
  );
});

test("a claim that is approved is recorded as tainted, in the name of who approved it", async () => {
  const at = await proposal();
  expect((await press(office.api, at.token, "approved")).status).toBe(200);
  const [landed, ...others] = await claimsOf(at);
  expect(others).toEqual([]);
  expect(landed).toMatchObject({
    ...claim,
    provenance: "run-tainted",
    source: "run",
    created_by: at.who.organisation.ownerId,
  });
  expect((await at.who.ask("PATCH", `/memories/${landed?.id}`, { value: "Ten" })).body.provenance).toBe("run-tainted");
});

test("a claim that is refused is not recorded", async () => {
  const at = await proposal();
  expect((await press(office.api, at.token, "refused")).status).toBe(200);
  expect([await claimsOf(at), await stateOf(at.card)]).toEqual([[], "refused"]);
});

test("an answer is final: another says what was answered, and changes nothing", async () => {
  const at = await proposal();
  await press(office.api, at.token, "refused");
  const late = await press(office.api, at.token, "approved");
  expect([late.status, late.html]).toEqual([200, expect.stringContaining("<h1>Refused</h1>")]);
  expect(await claimsOf(at)).toEqual([]);
});

test("neither button pressed is complained of, and may be corrected", async () => {
  const at = await question();
  const wrong = await fetch(`${office.api.url}/approval/${at.token}`, {
    method: "POST",
    body: new URLSearchParams({ answer: "perhaps" }),
  });
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('role="alert"')]);
  expect((await press(office.api, at.token, "approved")).status).toBe(200);
});

describe("what no longer may land when it is approved", () => {
  const stories: [string, number, object, string][] = [
    [
      "its kind may not be held about outsiders any more",
      403,
      { ...claim, subjectKind: "third_party", kind: "tide" },
      "insert into app.third_party_restrictions (organisation_id, kind) values ($1, 'tide')",
    ],
    [
      "who approves is no admin any more",
      403,
      claim,
      `with other as (insert into app.people (email) values ('other-' || uuidv7() || '@example.test') returning id),
         owner as (insert into app.memberships (organisation_id, person_id, role) select $1, id, 'owner' from other)
       select`,
    ],
  ];
  test.each(stories)("because %s, is told so and can still be refused", async (_, status, memory, change) => {
    const at = await proposal(memory);
    await office.db.sql(change, [at.who.organisation.id]);
    if (change.includes("other")) {
      await office.db.sql("update app.memberships set role = 'member' where organisation_id = $1 and person_id = $2", [
        at.who.organisation.id,
        at.who.organisation.ownerId,
      ]);
    }
    const page = await press(office.api, at.token, "approved");
    expect([page.status, page.html]).toEqual([status, expect.stringContaining('role="alert"')]);
    expect([await claimsOf(at), await stateOf(at.card)]).toEqual([[], "pending"]);
    expect((await press(office.api, at.token, "refused")).status).toBe(200);
    expect(await stateOf(at.card)).toBe("refused");
  });
});

describe("too late", () => {
  const ends: [string, number, string, (at: Asked) => Promise<unknown>, state: string][] = [
    [
      "expired",
      410,
      "Too late",
      ({ card }) => office.db.sql("update app.approvals set expires_at = now() where id = $1", [card]),
      "pending", // until somebody claims
    ],
    ["cancelled", 410, "No longer asked", ({ who, run }) => who.ask("POST", `/runs/${run.runId}/cancel`), "withdrawn"],
  ];
  test.each(ends)(
    "a card whose run or time is %s says so and takes no answer",
    async (_, status, heading, end, state) => {
      const at = await question();
      await end(at);
      for (const page of [await press(office.api, at.token, "approved"), await look(at.token)]) {
        expect(page.status).toBe(status);
        const html = "html" in page ? page.html : await page.text();
        expect(html).toContain(`<h1>${heading}</h1>`);
        expect(html).not.toContain("<form");
      }
      expect(await stateOf(at.card)).toBe(state);
    },
  );

  test("who was removed, and who no longer sees the bot, is shown nothing of it and answers nothing", async () => {
    const changes = [
      "delete from app.memberships where organisation_id = $1 and person_id = $2 and person_id <> $3",
      "update app.bots set visibility = 'personal', owner_id = $3 where organisation_id = $1 and owner_id = $2",
    ];
    for (const change of changes) {
      const at = await proposal();
      const { id, ownerId } = at.who.organisation;
      await office.db.sql(change, [id, ownerId, await makeMember(office.db, id, "owner")]);
      for (const page of [await press(office.api, at.token, "approved"), await look(at.token)]) {
        expect(page.status).toBe(410);
        const html = "html" in page ? page.html : await page.text();
        expect(html).toContain("<h1>Not yours to answer</h1>");
        expect(html).not.toContain(claim.value);
      }
      expect([await claimsOf(at), await stateOf(at.card)]).toEqual([[], "pending"]);
    }
  });

  test("with the bot its cards go", async () => {
    const at = await proposal();
    await at.who.ask("DELETE", `/bots/${at.who.bot}`);
    expect((await press(office.api, at.token, "approved")).status).toBe(410);
    expect(await claimsOf(at)).toEqual([]);
  });
});
