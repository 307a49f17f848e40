/** Scrolls the long lists of a page through, in the browser, and reports where the page does not come to rest or has a gap. */
import type { Page } from "playwright-core";

export type ScrolledList = {
  name: string;
  /** Loaded rows, and scroll positions looked at. */
  rows: number;
  positions: number;
  /** What was wrong, with the scroll position. */
  faults: string[];
};

/** Frames that a page has to be still, and frames until it has to be. */
const stillFrames = 3;
const maxFrames = 40;

const script = (rows: number, positions: number) => `(async () => {
  const frame = () => new Promise((painted) => requestAnimationFrame(painted));
  const state = () => [document.documentElement.scrollHeight, scrollY, ...[...document.querySelectorAll("tr[data-index]")].map(({ dataset }) => dataset.index)].join();
  const isStill = async () => {
    let [last, still] = [state(), 0];
    for (let frames = 0; frames < ${maxFrames}; frames += 1) {
      await frame();
      const now = state();
      still = now === last ? still + 1 : 0;
      if (still === ${stillFrames}) return true;
      last = now;
    }
    return false;
  };
  const gaps = (part) => [...part.querySelectorAll("tr.spacer")].filter((spacer) => {
    const { top, bottom } = spacer.getBoundingClientRect();
    return bottom > 1 && top < innerHeight - 1;
  }).length;
  const lists = [];
  for (const part of document.querySelectorAll(".table-part")) {
    const more = () => [...part.querySelectorAll(".table-foot button")].find(({ textContent }) => textContent === "Load more");
    const count = () => Number.parseInt(part.querySelector(".table-foot span").textContent.replaceAll(/\\D/g, ""), 10);
    if (!more()) continue;
    while (more() && count() < ${rows}) {
      const before = count();
      more().click();
      while (count() === before || more()?.disabled) await frame();
    }
    const faults = [];
    const [top, bottom] = [part.getBoundingClientRect().top + scrollY, part.getBoundingClientRect().bottom + scrollY];
    for (let at = 0; at <= ${positions}; at += 1) {
      // Down, and then from the other end up, so that unknown rows are met from both sides.
      const share = at <= ${positions} / 2 ? at / ${positions} : 1.5 - at / ${positions};
      scrollTo(0, top + share * (bottom - top - innerHeight));
      if (!(await isStill())) faults.push("moves at " + Math.round(scrollY));
      if (gaps(part) > 0) faults.push("gap at " + Math.round(scrollY));
    }
    lists.push({ name: part.querySelector("caption").textContent, rows: count(), positions: ${positions} + 1, faults });
  }
  return lists;
})()`;

/** Loads this many rows of each list of the page, and scrolls through them. */
export const scrollThrough = (page: Page, rows: number, positions: number): Promise<ScrolledList[]> =>
  page.evaluate<ScrolledList[]>(script(rows, positions));
