/** What the page of an invitation answers on the wire. (decisions: section 4.) */
import { makeBuckets, specified } from "../../src/http/buckets.ts";
import { makeCredential } from "../../src/secrets/credentials.ts";
import { expectAnswer } from "../support/answers.ts";
import { type TestApi, testApi } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { accept, tokenOf } from "../support/invitations.ts";
import { expectHeadersOfMailedPage } from "../support/mailed-page.ts";

const here = apiOfFile();

let made = 0;
async function invited(ada: Member, email = `guest${++made}.page@example.test`): Promise<string> {
  const { id } = expectAnswer("create_invitation", await ada.post("/invitations", { email }));
  return tokenOf(here.db, id);
}
const look = (token: string, api: TestApi = here.api) => fetch(`${api.url}/invitation/${token}`);

test("its headers keep the link to itself and allow nothing but its own style", async () => {
  const token = await invited(await here.owner());
  const pages = [
    await look(token),
    await look("nothing"),
    await fetch(`${here.api.url}/invitation/${token}`, { method: "POST" }),
  ];
  expect(pages.map(({ status }) => status)).toEqual([200, 404, 200]);
  for (const { headers } of pages) expectHeadersOfMailedPage(headers);
});

test("looking at it, as scanners of mail do, accepts nothing", async () => {
  const ada = await here.owner();
  const token = await invited(ada);
  for (const method of ["GET", "HEAD", "GET"]) {
    expect((await fetch(`${here.api.url}/invitation/${token}`, { method })).status).toBe(200);
  }
  expect((await ada.get("/members")).body.data).toHaveLength(1);
  expect((await ada.get("/invitations")).body.data).toHaveLength(1);
});

test("what is no token, a key, and a token that was never made lead to the same page", async () => {
  const ada = await here.owner();
  const pages = [];
  for (const token of ["x", "bsi_short", ada.key.text, makeCredential("bsi").text, "%00", "..%2f..%2fkeys"]) {
    const page = await look(token);
    pages.push([page.status, await page.text()]);
  }
  expect(pages[0]).toEqual([404, expect.stringContaining("This link leads to no invitation")]);
  for (const page of pages) expect(page).toEqual(pages[0]);
  expect((await look(await invited(ada))).status).toBe(200);
});

test("an invitation's token is no key of the API", async () => {
  const token = await invited(await here.owner());
  for (const [method, path] of [
    ["GET", "/me"],
    ["GET", "/members"],
    ["GET", "/platform/organisations"],
  ] as const) {
    expect((await here.api.call(method, path, { key: token })).status).toBe(401);
  }
});

test("a name that is too long or no text is complained of, changes nothing, and may be corrected", async () => {
  const ada = await here.owner();
  const token = await invited(ada);
  for (const name of ["a".repeat(121), "nul\0"]) {
    const { status, html } = await accept(here.api, token, name);
    expect([status, html]).toEqual([400, expect.stringContaining('role="alert"')]);
    expect(html).not.toContain(name);
  }
  expect((await ada.get("/members")).body.data).toHaveLength(1);
  expect((await accept(here.api, token, "  Grace  ")).status).toBe(200);
  expect((await ada.get("/members")).body.data[0].displayName).toBe("Grace");
});

test("a person known by their address alone gets the name they give; one who has a name keeps it", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const email = "nameless@example.test";
  await here.db.sql("insert into app.people (email) values ($1)", [email]);
  await accept(here.api, await invited(ada, email), "Grace");
  await accept(here.api, await invited(eve, email), "Other");
  for (const each of [ada, eve]) {
    expect((await each.get("/members")).body.data[0]).toMatchObject({ email, displayName: "Grace" });
  }
});

test("who is a member by the time they accept keeps the role they have", async () => {
  const ada = await here.owner();
  const email = "member.meanwhile@example.test";
  const token = await invited(ada, email);
  await here.db.sql(
    `with person as (insert into app.people (email) values ($2) returning id)
     insert into app.memberships (organisation_id, person_id, role) select $1, id, 'owner' from person`,
    [ada.organisation.id, email],
  );
  expect((await accept(here.api, token)).html).toContain("<h1>Accepted</h1>");
  const { data } = (await ada.get("/members")).body;
  expect(data.map((row: { role: string }) => row.role)).toEqual(["owner", "owner"]);
});

test("guessing is slowed down by address; a good link is not held up by it", async () => {
  const api = await testApi(
    here.db,
    {},
    makeBuckets(() => 0, { ...specified, address: 3 }),
  );
  try {
    const statuses = [];
    for (let tries = 0; tries < 5; tries += 1) statuses.push((await look(makeCredential("bsi").text, api)).status);
    expect(statuses).toEqual([404, 404, 404, 429, 429]);
    expect(await (await look("x", api)).text()).toContain("Try again in a minute");
    expect((await look(await invited(await here.owner()), api)).status).toBe(200);
  } finally {
    await api.stop();
  }
});

test("when the service can't answer, the page says that nothing was changed", async () => {
  const ada = await here.owner();
  const token = await invited(ada);
  await here.db.sql("revoke execute on function api.handle from server");
  try {
    const { status, html } = await accept(here.api, token);
    expect([status, html]).toEqual([503, expect.stringContaining("Nothing was changed")]);
  } finally {
    await here.db.sql("grant execute on function api.handle to server");
  }
  expect((await ada.get("/members")).body.data).toHaveLength(1);
});
