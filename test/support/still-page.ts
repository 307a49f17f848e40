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

/** Functions in the page, of the parts with lists. A click of the program reaches the button also while the rows above it get their heights. */
export const listFunctions = `
  const frame = () => new Promise((painted) => requestAnimationFrame(painted));
  const moreOf = (part) => [...part.querySelectorAll(".table-foot button")].find(({ textContent }) => textContent === "Load more");
  const countOf = (part) => Number.parseInt(part.querySelector(".table-foot span").textContent.replaceAll(/\\D/g, ""), 10);
  const isBusy = (part) => part.querySelector(".table-foot > button[disabled]") !== null;
  const loadPage = async (part) => {
    const before = countOf(part);
    moreOf(part).click();
    while (countOf(part) === before || isBusy(part)) {
      if (part.querySelector("[role=alert]")) throw new Error(part.textContent);
      await frame();
    }
  };
  const load = async (part, rows) => {
    while (moreOf(part) && countOf(part) < rows) await loadPage(part);
  };`;

const script = (rows: number, positions: number) => `(async () => {
  ${listFunctions}
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
    while (isBusy(part)) await frame();
    if (!moreOf(part)) continue;
    await load(part, ${rows});
    const faults = [];
    const [top, bottom] = [part.getBoundingClientRect().top + scrollY, part.getBoundingClientRect().bottom + scrollY];
    for (let at = 0; at <= ${positions}; at += 1) {
      // Down, and then from the other end up, so that unknown rows are met from both sides.
      const share = at <= ${positions} / 2 ? at / ${positions} : 1.5 - at / ${positions};
      scrollTo(0, top + share * (bottom - top - innerHeight));
      if (!(await isStill())) faults.push("moves at " + Math.round(scrollY));
      if (gaps(part) > 0) faults.push("gap at " + Math.round(scrollY));
    }
    lists.push({ name: part.querySelector("caption").textContent, rows: countOf(part), positions: ${positions} + 1, faults });
  }
  return lists;
})()`;

/** Loads this many rows of each list of the page, and scrolls through them. */
export const scrollThrough = (page: Page, rows: number, positions: number): Promise<ScrolledList[]> =>
  page.evaluate<ScrolledList[]>(script(rows, positions));

/** Loads this many rows of the list of a page that has more, or all. */
export const loadRows = (page: Page, rows: number): Promise<void> =>
  page.evaluate(`(async () => {
    ${listFunctions}
    const partWithMore = () => [...document.querySelectorAll(".table-part")].find(moreOf);
    while (!partWithMore()) await frame();
    await load(partWithMore(), ${rows});
  })()`);
