/** The invitation page: its HTTP responses. (docs/specification/invitations.md#accepting) */

import { makeCredential } from "../../src/secrets/credentials.ts";
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import { expectAnswer } from "../support/answers.ts";
import { type TestApi, testApi } from "../support/api.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { accept, tokenOf } from "../support/invitations.ts";
import { expectHeadersOfMailedPage } from "../support/mailed-page.ts";
import { anEmailAddress } from "../support/resources.ts";

const here = ownApiOfFile();

async function invited(ada: Member, email = anEmailAddress()): Promise<string> {
  const { id } = expectAnswer("create_invitation", await ada.post("/invitations", { email }));
  return tokenOf(here.db, id);
}
const look = (token: string, api: TestApi = here.api) => fetch(`${api.url}/invitation/${token}`);

test("The invitation page, any status, forbids caching, referrers and foreign content by its headers", async () => {
  const token = await invited(await here.owner());
  const pages = [
    await look(token),
    await look("nothing"),
    await fetch(`${here.api.url}/invitation/${token}`, { method: "POST" }),
  ];
  expect(pages.map(({ status }) => status)).toEqual([200, 404, 400]);
  for (const { headers } of pages) expectHeadersOfMailedPage(headers);
});

test("GET and HEAD of the invitation page accept nothing, as when a mail scanner follows the link", async () => {
  const ada = await here.owner();
  const token = await invited(ada);
  for (const method of ["GET", "HEAD", "GET"]) {
    expect((await fetch(`${here.api.url}/invitation/${token}`, { method })).status).toBe(200);
  }
  expect((await ada.get("/members")).body.data).toHaveLength(1);
  expect((await ada.get("/invitations")).body.data).toHaveLength(1);
});

test("The invitation page shows the same 404 for a malformed token, an API key and an unknown token", async () => {
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

test("After an answer the invitation page leads to APPLICATION_URL, and without it says that the page can be closed", async () => {
  const address = "https://app.example.com/?from=mail&x=1";
  const api = await testApi(here.db, { APPLICATION_URL: address });
  try {
    const [one, other] = [await invited(await here.owner()), await invited(await here.owner())];
    expect((await accept(api, one)).html).toContain(
      '<a href="https://app.example.com/?from=mail&amp;x=1">Go to the application</a>',
    );
    expect((await accept(here.api, other)).html).toContain("You can close this page.");
  } finally {
    await api.stop();
  }
});

test("The API refuses an invitation's token as a key", async () => {
  const token = await invited(await here.owner());
  for (const [method, path] of [
    ["GET", "/me"],
    ["GET", "/members"],
    ["GET", "/platform/organisations"],
  ] as const) {
    expect((await here.api.call(method, path, { key: token })).status).toBe(401);
  }
});

test("The invitation page refuses a missing, invisible, overlong or unreadable name, and accepts a corrected one", async () => {
  const ada = await here.owner();
  const token = await invited(ada);
  for (const name of [
    "",
    " \u200b\u00ad ",
    "a".repeat(121),
    "nul\0",
    "line\nbreak",
    "bidi\u202e",
    "www.evil.example",
  ]) {
    const { status, html } = await accept(here.api, token, name);
    expect([status, html]).toEqual([400, expect.stringContaining('role="alert"')]);
    if (name.trim() !== "") expect(html).not.toContain(`${name}<`);
  }
  expect((await ada.get("/members")).body.data).toHaveLength(1);
  expect((await accept(here.api, token, "  Grace  ")).status).toBe(200);
  expect((await ada.get("/members")).body.data[0].displayName).toBe("Grace");
});

test("Accepting sets the display name of a person without one, and keeps an existing name", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const email = "nameless@example.test";
  await here.db.sql("insert into app.people (email) values ($1)", [email]);
  await accept(here.api, await invited(ada, email), "Grace");
  await accept(here.api, await invited(eve, email), "Other");
  for (const each of [ada, eve]) {
    expect((await each.get("/members")).body.data[0]).toMatchObject({ email, displayName: "Grace" });
  }
});

test("Accepting keeps the role of a person who has become a member in the meantime", async () => {
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

test("The invitation page limits wrong tokens by address, but not valid ones", async () => {
  const api = await testApi(
    here.db,
    {},
    makeRateLimiter(() => 0, { ...specified, address: 3 }),
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

test("The invitation page returns 503 and says that nothing was changed when the database refuses", async () => {
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
