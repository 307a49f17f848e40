/** Ruru in Chromium: it loads the schema, uses only local files, and sends queries within the session. */
import { browserOfFile } from "../support/browser.ts";
import { consoleOfFile, mintToken } from "../support/console.ts";
import { makeOrganisation } from "../support/database.ts";
import { seen } from "../support/page-change.ts";

const chromium = browserOfFile();
const here = consoleOfFile();

chromium.test(
  "after sign-in /graphiql shows the schema in the console's frame and runs a query, without other origins or policy violations",
  async () => {
    await makeOrganisation(here.db);
    const { text } = await mintToken(here.db, "view");
    const page = await chromium.browser.newPage();
    const violations: string[] = [];
    const otherOrigins: string[] = [];
    page.on("console", (message) => {
      if (/Content Security Policy|Refused to/i.test(message.text())) violations.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(here.testServer.url) && !/^(data|blob):/.test(request.url()))
        otherOrigins.push(request.url());
    });
    const statuses: number[] = [];
    page.on("response", (response) => {
      if (response.url().endsWith("/graphql")) statuses.push(response.status());
    });
    await page.goto(`${here.testServer.url}/graphiql`);
    await page.getByLabel("Operator token").fill(text);
    const introspected = page.waitForResponse((response) =>
      (response.request().postData() ?? "").includes("IntrospectionQuery"),
    );
    await page.getByRole("button", { name: "Sign in" }).click();
    expect((await (await introspected).json()).data.__schema.queryType.name).toBe("Query");
    await seen(page.getByRole("link", { name: "GraphQL", exact: true, includeHidden: false })); // the console's navigation
    expect(await page.locator("nav [aria-current]").innerText()).toBe("GraphQL");
    const editor = page.frameLocator("iframe[title='GraphQL editor']");
    await editor.getByRole("button", { name: "Show Documentation Explorer" }).click();
    await editor.getByRole("link", { name: "Query", exact: true }).first().click();
    await seen(editor.getByText("organisations", { exact: true }));
    await editor.locator(".graphiql-query-editor .monaco-editor .view-line").first().click();
    await page.keyboard.press("Control+A");
    // The editor appends closing brackets; the trailing # makes them a comment.
    await page.keyboard.insertText("{ organisations(first: 1) { nodes { name } } } #");
    const answered = page.waitForResponse(
      (response) =>
        response.url().endsWith("/graphql") && (response.request().postData() ?? "").includes("organisations"),
    );
    await editor.locator(".graphiql-execute-button").click();
    const answer = await answered;
    expect([answer.status(), await answer.json()]).toEqual([
      200,
      { data: { organisations: { nodes: [{ name: expect.stringMatching(/^Organisation/) }] } } },
    ]);
    expect({ violations, otherOrigins }).toEqual({ violations: [], otherOrigins: [] });
    expect(new Set(statuses)).toEqual(new Set([200]));
    await page.close();
  },
);
