/** What pages say when the API refuses something. */
import { reasons } from "../../src/contract/reasons.ts";
import { refusals } from "../../src/contract/refusals.ts";
import { refusalText } from "../../src/front/parts/texts/refusals.ts";
import { setLimits } from "../support/database.ts";
import { seen } from "../support/page-change.ts";
import { portalOfFile } from "../support/portal-page.ts";

const here = portalOfFile();
const { test: inBrowser } = here.chromium;

/** Words for programs: names of headers, of fields and of parts of a request. */
const forPrograms = /`|header|Retry-After|Idempotency|If-Match|CSRF|credential|contract|resource|request has|scope/;

test("each code and each reason of a refusal has a sentence for people", () => {
  const texts = [
    ...Object.keys(refusals).map((code) => refusalText(code, null)),
    ...Object.entries(reasons).map(([reason, { code }]) => refusalText(code, reason)),
  ];
  expect(texts.filter((text) => text === undefined || forPrograms.test(text) || !text.endsWith("."))).toEqual([]);
  expect(refusalText("rate_limited", null)).toBe("These are too many requests. Wait a minute, then try again.");
  expect(refusalText("conflict", "a_later_one")).toBe("Its state does not allow this. It may have changed meanwhile.");
});

inBrowser("a reached limit is said in a sentence for people", () =>
  here.portal(async ({ page, open }) => {
    await setLimits(here.office.db, here.data.who.organisation.id, { liveKeys: 1 });
    await open("/portal/keys");
    await page.getByRole("button", { name: "Create a key…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("One more");
    await dialog.getByRole("button", { name: "Create", exact: true }).click();
    const alert = dialog.getByRole("alert");
    await seen(alert);
    expect((await alert.innerText()).trim()).toBe("The organisation has reached its limit of live keys.");
  }),
);
