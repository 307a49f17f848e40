/** What charts draw: the colours of states, the interval that is not over, and the steps of axes. */

import { seen } from "../support/page-change.ts";
import { portalOfFile } from "../support/portal-page.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile();
const { test } = here.chromium;

/** Notes the texts, and for each dashed line its colour and the direction of its last step. */
const note = `(() => {
  const { arc, fillText, lineTo, stroke, beginPath } = CanvasRenderingContext2D.prototype;
  Object.assign(window, { drawnTexts: [], dashed: [], dots: 0 });
  CanvasRenderingContext2D.prototype.arc = function (...circle) { window.dots += 1; return arc.apply(this, circle); };
  let points = [];
  CanvasRenderingContext2D.prototype.beginPath = function () { points = []; return beginPath.call(this); };
  CanvasRenderingContext2D.prototype.lineTo = function (x, y) { points.push([x, y]); return lineTo.call(this, x, y); };
  CanvasRenderingContext2D.prototype.stroke = function (...path) {
    if (this.getLineDash().length > 0) dashed.push({ colour: this.strokeStyle, points });
    return stroke.apply(this, path);
  };
  CanvasRenderingContext2D.prototype.fillText = function (text, ...at) { drawnTexts.push(text); return fillText.call(this, text, ...at); };
})()`;

test("completed and failed have the colours of their badges, in light and dark", () =>
  here.portal(async ({ page, open }) => {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await open("/portal/");
      await seen(page.locator(".u-legend").nth(1)); // each chart makes its own, one after the other
      const colours = await page.evaluate(`(() => {
        const badges = ["good", "bad"].map((tone) => {
          const badge = Object.assign(document.createElement("span"), { className: "badge " + tone });
          document.querySelector("main").append(badge);
          return getComputedStyle(badge).color;
        });
        const lines = [...document.querySelectorAll(".u-legend .u-series")]
          .filter(({ textContent }) => /completed|delivered|failed/i.test(textContent))
          .map((row) => [/failed/i.test(row.textContent), getComputedStyle(row.querySelector(".u-marker")).backgroundColor]);
        return { badges, lines };
      })()`);
      const { badges, lines } = colours as { badges: string[]; lines: [boolean, string][] };
      expect(lines.length).toBe(4);
      for (const [isBad, colour] of lines)
        expect([colorScheme, isBad, colour]).toEqual([colorScheme, isBad, badges[isBad ? 1 : 0]]);
    }
  }));

test("the running hour is a dashed line to its count so far, and axes of counts have whole numbers", () =>
  here.portal(async ({ page, open }) => {
    await page.addInitScript(note);
    await open("/portal/");
    const drawn = () => page.evaluate<{ dashed: unknown[]; drawnTexts: string[] }>("({ dashed, drawnTexts })");
    await eventually(async () => (await drawn()).dashed.length >= 6);
    const { drawnTexts } = await drawn();
    const numbers = drawnTexts.filter((text) => /^[\d.,]+$/.test(text));
    expect(numbers).toContain("1");
    expect(numbers.filter((text) => !/^\d+$/.test(text))).toEqual([]);
    // The table has the running hour too.
    const { data } = (await here.data.who.ask("GET", "/runs?state=completed")).body;
    const last = page.getByRole("table", { name: /runs/i }).first().locator("tbody tr").last().locator("td").first();
    expect(Number.parseInt((await last.textContent()) ?? "", 10)).toBe(data.length);
  }));

test("a first value in the running hour is a dot", () =>
  here.portal(async ({ page, open }) => {
    await page.addInitScript(note);
    await open(`/portal/endpoints/${here.data.endpoint}`);
    await seen(page.locator("figure.chart canvas").nth(1));
    await eventually(async () => (await page.evaluate<number>("dots")) >= 3);
  }));
