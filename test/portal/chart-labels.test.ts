/** Labels of the charts' axes, which uPlot draws on a canvas: none leaves the box of its chart. */
import type { Page } from "playwright-core";
import { laptop, phone } from "../support/console-page.ts";
import { seen } from "../support/page-change.ts";
import { portalPagesOf } from "../support/portal-data.ts";
import { portalOfFile } from "../support/portal-page.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile();
const { test } = here.chromium;

/** Notes the corners of each text that was drawn since the canvas was last cleared, in pixels of the canvas. */
const note = `(() => {
  const { fillText, clearRect } = CanvasRenderingContext2D.prototype;
  const texts = (window.drawnTexts = new Map());
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    texts.set(this.canvas, []);
    return clearRect.apply(this, box);
  };
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const { actualBoundingBoxLeft, actualBoundingBoxRight, actualBoundingBoxAscent, actualBoundingBoxDescent } = this.measureText(text);
    const corner = (dx, dy) => this.getTransform().transformPoint({ x: x + dx, y: y + dy });
    const from = corner(-actualBoundingBoxLeft, -actualBoundingBoxAscent);
    texts.get(this.canvas)?.push({ text, from, to: corner(actualBoundingBoxRight, actualBoundingBoxDescent) });
    return fillText.call(this, text, x, y);
  };
})()`;

/** The labels, and the names of labels that leave the canvas or the figure, which cuts what overflows. */
const read = `(() => {
  const labels = [];
  const outside = [];
  const charts = new Set();
  for (const [canvas, drawn] of window.drawnTexts) {
    const figure = canvas.closest("figure");
    if (!figure) continue; // of a former drawing
    charts.add(figure);
    const inner = canvas.getBoundingClientRect();
    const outer = figure.getBoundingClientRect();
    const scale = canvas.width / inner.width;
    for (const { text, from, to } of drawn) {
      const isInside = from.x >= 0 && from.y >= 0 && to.x <= canvas.width && to.y <= canvas.height
        && inner.left + to.x / scale <= outer.right && inner.left + from.x / scale >= outer.left;
      labels.push(text);
      if (!isInside) outside.push(figure.querySelector("figcaption").textContent + ": " + text);
    }
  }
  return { charts: charts.size, labels: labels.length, outside };
})()`;

type Drawn = { charts: number; labels: number; outside: string[] };

/** A chart follows the width of its box in a later frame. */
async function drawnAt(page: Page, viewport: { width: number; height: number }): Promise<Drawn> {
  await page.setViewportSize(viewport);
  const drawn = () => page.evaluate<Drawn>(read);
  await eventually(async () => (await drawn()).outside.length === 0, 5_000).catch(() => {}); // the test names what is outside
  return drawn();
}

const charts: Record<string, number> = { overview: 2, endpoint: 2, key: 1 };

/** Spanish has long times, such as "12:30 p. m.". */
for (const locale of ["en-US", "es-MX"]) {
  test(`no label of an axis leaves the box of its chart, on a laptop and on a phone, in ${locale}`, () =>
    here.portal(
      async ({ page, open }) => {
        await page.addInitScript(note);
        for (const [name, count] of Object.entries(charts)) {
          await open(portalPagesOf(here.data)[name] ?? "");
          await seen(page.locator("figure.chart canvas").nth(count - 1));
          for (const { viewport } of [laptop, phone]) {
            const { charts, labels, outside } = await drawnAt(page, viewport);
            expect([name, viewport.width, charts, outside]).toEqual([name, viewport.width, count, []]);
            expect(labels).toBeGreaterThan(3 * count);
          }
        }
      },
      { options: { locale } },
    ));
}
