/** Ruru, in a real browser: served from our own files, within its policy, and able to ask in a session. */
import { browserOfFile } from "../support/browser.ts";
import { mintToken, type TestConsole, testConsole } from "../support/console.ts";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";

const chromium = browserOfFile();
let db: TestDatabase;
let here: TestConsole;

beforeAll(async () => {
  db = await testDatabase();
  here = await testConsole(db);
}, 60_000);

afterAll(async () => {
  await here.stop();
  await db.drop();
});

chromium.test("an operator signs in on the way there, and a query is answered, from nowhere but here", async () => {
  await makeOrganisation(db);
  const { text } = await mintToken(db, "view");
  const page = await chromium.browser.newPage();
  const complaints: string[] = [];
  const elsewhere: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) complaints.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(here.url) && !/^(data|blob):/.test(request.url())) elsewhere.push(request.url());
  });
  await page.goto(`${here.url}/graphiql`);
  await page.getByLabel("An operator's token").fill(text);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator(".graphiql-query-editor .monaco-editor .view-line").first().click();
  await page.keyboard.press("Control+A");
  // The editor closes what it takes for an open bracket, after what was put in: there it is a comment.
  await page.keyboard.insertText("{ organisations(first: 1) { nodes { name } } } #");
  const answered = page.waitForResponse(
    (response) =>
      response.url().endsWith("/graphql") && (response.request().postData() ?? "").includes("organisations"),
  );
  await page.locator(".graphiql-execute-button").click();
  const answer = await answered;
  expect([answer.status(), await answer.json()]).toEqual([
    200,
    { data: { organisations: { nodes: [{ name: expect.stringMatching(/^Organisation/) }] } } },
  ]);
  expect({ complaints, elsewhere }).toEqual({ complaints: [], elsewhere: [] });
  await page.close();
});
