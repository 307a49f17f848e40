/** Seats, ceilings and links with many real connections at once. (decisions: "hold under any concurrency".) */
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { digestOf } from "../../src/secrets/credentials.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { type Json, type Reply, type TestApi, testApi } from "../support/api.ts";
import { call } from "../support/bot-writers.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { accept, fillSeats, tokenOf } from "../support/invitations.ts";
import { begun, untilWaiting } from "../support/transactions.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
let second: TestApi;
beforeAll(async () => {
  second = await testApi(here.db); // no ceiling may live in one process
});
afterAll(() => second?.stop());

let made = 0;
const address = () => `guest${++made}.at.once.${process.pid}@example.test`;

async function atOnce<T>(count: number, work: (api: TestApi, each: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, each) => work(each % 2 ? second : here.api, each)));
}

const invited = (api: TestApi, ada: Member, email = address()) =>
  api.call("POST", "/invitations", { key: ada.key.text, body: { email } });

function expectDone(answers: Reply<Json>[], status: number, most: number, code: "quota_exceeded" | "conflict"): void {
  expect(answers.filter((answer) => answer.status === status)).toHaveLength(most);
  for (const answer of answers) if (answer.status !== status) expectRefusal(answer, code);
}

const count = async (ada: Member, table = "app.invitations", where = "true") =>
  (await here.db.sql(`select from ${table} where organisation_id = $1 and ${where}`, [ada.organisation.id])).length;

const set = (ada: Member, what: string) =>
  here.db.sql(`update app.organisations set ${what} where id = $1`, [ada.organisation.id]);

test("sixty invitations asked for at once leave exactly fifty, each with one mail", async () => {
  const ada = await here.owner();
  expectDone(await atOnce(60, (api) => invited(api, ada)), 201, 50, "quota_exceeded");
  expect(await count(ada)).toBe(50);
  expect(await count(ada, "app.mails", "kind = 'invitation'")).toBe(50);
  await set(ada, "open_invitation_ceiling = 55");
  expectDone(await atOnce(10, (api) => invited(api, ada)), 201, 5, "quota_exceeded");
});

test("sixty asked for at once fill the two hundred seats and no more", async () => {
  const ada = await here.owner();
  await fillSeats(here.db, ada.organisation.id, 160);
  expectDone(await atOnce(60, (api) => invited(api, ada)), 201, 39, "quota_exceeded");
  expect((await ada.get("/organisation")).body.seats).toMatchObject({ members: 161, openInvitations: 39 });
});

test("twenty who invite one address at once have invited it once", async () => {
  const ada = await here.owner();
  const email = address();
  const answers = await atOnce(20, (api, each) => invited(api, ada, each % 3 ? email : email.toUpperCase()));
  expectDone(answers, 201, 1, "conflict");
  expect(await count(ada)).toBe(1);
});

test("who is invited while others accept is never one too many, nor refused for a seat that is counted twice", async () => {
  const ada = await here.owner();
  const open = await atOnce(10, (api) => invited(api, ada));
  const tokens = await Promise.all(open.map(({ body }) => tokenOf(here.db, body.id)));
  await set(ada, "seat_ceiling = 21"); // the owner, ten invited, and ten more
  const [accepted, more] = await Promise.all([
    atOnce(10, (api, each) => accept(api, tokens[each] ?? "")),
    atOnce(15, (api) => invited(api, ada)),
  ]);
  expect(accepted.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expectDone(more, 201, 10, "quota_exceeded");
  expect((await ada.get("/organisation")).body.seats).toMatchObject({ members: 11, openInvitations: 10 });
});

test("a link opened by twenty at once makes one member, and all are told that it is accepted", async () => {
  const ada = await here.owner();
  const { body: row } = await invited(here.api, ada);
  const token = await tokenOf(here.db, row.id);
  const answers = await atOnce(20, (api, each) => accept(api, token, `Name ${each}`));
  for (const { status, html } of answers) {
    expect(status).toBe(200);
    expect(html).toContain("<h1>Accepted</h1>");
  }
  expect(await count(ada, "app.memberships")).toBe(2);
});

test("an invitation that is accepted and revoked at once is one of the two", async () => {
  for (let round = 0; round < 10; round += 1) {
    const ada = await here.owner();
    const { body: row } = await invited(here.api, ada);
    const token = await tokenOf(here.db, row.id);
    const [accepted, revoked] = await Promise.all([
      accept(here.api, token),
      second.call("DELETE", `/invitations/${row.id}`, { key: ada.key.text }),
    ]);
    const joined = (await count(ada, "app.memberships")) === 2;
    expect(accepted.html).toContain(joined ? "<h1>Accepted</h1>" : "taken back");
    if (joined) expectRefusal(revoked, "conflict");
    else expectAnswer("revoke_invitation", revoked);
  }
});

test("sent again by ten at once, it has one link that works", async () => {
  const ada = await here.owner();
  const { body: row } = await invited(here.api, ada);
  const answers = await atOnce(10, (api) => api.call("POST", `/invitations/${row.id}/resend`, { key: ada.key.text }));
  for (const answer of answers) expectAnswer("resend_invitation", answer);
  expect(await count(ada, "app.mails", "kind = 'invitation'")).toBe(1); // the others were withdrawn unsent
  expect((await accept(here.api, await tokenOf(here.db, row.id))).status).toBe(200);
});

test("one that is sent again does not wait in a ring with whoever has made another and comes to the same", async () => {
  const ada = await here.owner();
  const { body: row } = await invited(here.api, ada);
  const batch = await begun(here.db, "server");
  const link = () => ({ tokenDigest: digestOf(randomUUID()).toString("hex"), tokenSealed: "00" });
  const within = async (operation: string, input: Json) => {
    const { text, values } = call(ada.key.digest, operation, { ...input, ...link() });
    return (await batch.query(text, values)).rows[0].answer;
  };
  expect(await within("create_invitation", { email: address(), role: "member" })).toMatch(/^\{"status":201/);
  const again = here.api.call("POST", `/invitations/${row.id}/resend`, { key: ada.key.text });
  await untilWaiting(here.db, 1, again);
  expect(await within("resend_invitation", { id: row.id })).toMatch(/^\{"status":200/);
  await batch.query("commit");
  expectAnswer("resend_invitation", await again);
});

test("an acceptance that waits behind a revocation finds what became of the invitation, and makes nobody a member", async () => {
  const ada = await here.owner();
  const { body: row } = await invited(here.api, ada);
  const token = await tokenOf(here.db, row.id);
  const holder = new Client({ connectionString: here.db.adminUrl });
  await holder.connect();
  try {
    await holder.query("begin");
    await holder.query("update app.invitations set revoked_at = now() where id = $1", [row.id]);
    const waiting = accept(here.api, token);
    await eventually(async () => {
      const [line] = await here.db.sql<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%api.handle%'`,
      );
      return line?.waiting === 1;
    });
    await holder.query("commit");
    expect(await waiting).toEqual({ status: 410, html: expect.stringContaining("taken back") });
    expect(await count(ada, "app.memberships")).toBe(1);
  } finally {
    await holder.end();
  }
});
