/** What forms say about a refused value: a sentence for people, beside the field. */
import { globSync, readFileSync } from "node:fs";
import { operations } from "../../src/contract/operations.ts";
import { fieldFault } from "../../src/front/parts/texts/field-faults.ts";
import { gone, seen } from "../support/page-change.ts";
import { portalOfFile } from "../support/portal-page.ts";

const here = portalOfFile();
const { test: inBrowser } = here.chromium;

/** Values that a field may refuse. */
const values = [
  ...[undefined, null, true, -1, 0.5, 1e9, {}, [], ["x"], [{}], Array(200).fill("192.0.2.0/24")],
  ...["", "x", "x\0", "a\nb\u0007", "\u2800", "www.example.com", "x".repeat(40_000), "9999999-13-01T00:00:00Z"],
  ...[
    "http://x",
    "https://",
    "https://a@b",
    "https://b#c",
    "https://b\\c",
    "https://b:0",
    "https://b..c",
    "https://b_c",
  ],
  ...[
    `https://${"a".repeat(64)}.example`,
    `https://${"abc.".repeat(70)}example`,
    "0 0 30 2 *",
    "99999-01-01T00:00:00Z",
  ],
];
/** A portal has no form for them. */
const withoutForm = ["batch", "create_portal_session"];

function messagesOfContract(): string[] {
  const bodies = operations
    .filter(({ keyClass, name }) => keyClass === "organisation" && !withoutForm.includes(name))
    .flatMap(({ body }) => body ?? []);
  return bodies
    .flatMap((body) => {
      const fields = Object.keys(body.shape);
      const tried = fields.flatMap((field) => values.map((value) => body.safeParse({ [field]: value })));
      return tried.flatMap(({ error }) => (error?.issues ?? []).filter(({ path }) => path.length > 0));
    })
    .map(({ message }) => message);
}

const messagesOfSql = () =>
  globSync("sql/{api,api_private,models,triggers,operator}/**/*.sql").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/"message": ?"([^"]+)"|'(must [^']+)'/g)].map(
      ([, inJson, inText]) => inJson ?? inText ?? "",
    ),
  );

/** Words for programs. */
const forPrograms =
  /`|contract|UUID|ISO|IANA|U\+|GET |null|cron|bidi|surrogate|\blabels?\b|fragment|integer|JSON|since|until|\bis is\b|\.\.$/;

test("each message about a field has a sentence for people", () => {
  const ofContract = [...new Set(messagesOfContract())];
  const ofSql = [...new Set(messagesOfSql())].filter((message) => !/caller\.|1 to 255/.test(message)); // of no form
  expect([ofContract.length > 30, ofSql.length > 15]).toEqual([true, true]);
  const texts = [...ofContract, ...ofSql].map(fieldFault);
  expect(texts.filter((text) => !/^[A-Z].*\.$/.test(text) || forPrograms.test(text))).toEqual([]);
});

test.each([
  ["must have 1 to 60 characters", "This must have 1 to 60 characters."],
  ["must have 1 to 32000 characters", "This must have 1 to 32,000 characters."],
  ["must be an integer from 1 to 365", "This must be a whole number from 1 to 365."],
  ["must be read, write or admin", "Choose one of the list."],
  ["must not contain :// or www.", "This must not contain :// or www."],
  ["must be later than since", "This must be later than the beginning."],
  ["must hold 1 to 50 blocks; null allows any address", "Write at most 50 addresses."],
  ["has a fault that only a later version knows", "This has a fault that only a later version knows."],
])("fieldFault says for: %s", (message, sentence) => {
  expect(fieldFault(message)).toBe(sentence);
});

inBrowser("a fault of one entry of a list is said beside the list, until the value is accepted", () =>
  here.portal(async ({ page, open }) => {
    await open("/portal/keys");
    await page.getByRole("button", { name: "Create a key…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Office");
    const field = dialog.locator("label", { has: page.locator('[name="allowedIps"]') });
    await field.getByRole("textbox").fill("192.0.2.0/24\n192.0.2.1/24");
    await dialog.getByRole("button", { name: "Create", exact: true }).click();
    await seen(
      field.getByText("This must be an address or a block of addresses, such as 192.0.2.0/24.", { exact: true }),
    );
    await field.getByRole("textbox").fill("127.0.0.1");
    await dialog.getByRole("button", { name: "Create", exact: true }).click();
    await gone(field);
  }),
);
