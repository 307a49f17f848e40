/**
 * Walks a page by the keyboard alone. Each stop is judged while it has the focus: its outline, the outline's contrast
 * to what is behind it, and whether the stop is in view.
 */
import type { Page } from "playwright-core";
import { rulesOfColours, violationsOf } from "./axe.ts";
import { laptop, phone } from "./console-page.ts";

/** Elements that a person operates. Others with the cursor of a link have to be part of one of these. */
const interactive = "a[href], button, input, select, textarea, summary, [tabindex='0'], [role='button'], [role='link']";

const maxPresses = 400;

/** Runs in the page. `walk.start` forgets former stops; `walk.wanted` lists what has to be a stop. */
const script = `(() => {
  if (globalThis.walk) return;
  const interactive = ${JSON.stringify(interactive)};
  const nameOf = (element) =>
    (element.getAttribute("aria-label") || (element.labels?.[0]?.querySelector("span") ?? element.labels?.[0] ?? element).textContent || element.name || "").trim().slice(0, 60);
  const describe = (element) => element.localName + " " + nameOf(element);
  const pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    pixel.clearRect(0, 0, 1, 1);
    pixel.fillStyle = colour;
    pixel.fillRect(0, 0, 1, 1);
    return [...pixel.getImageData(0, 0, 1, 1).data];
  };
  const luminance = ([...rgb]) => {
    const [r, g, b] = rgb.map((value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element.parentElement; at; at = at.parentElement) {
      const colour = rgba(getComputedStyle(at).backgroundColor);
      if (colour[3] === 255) return colour;
    }
    return [255, 255, 255, 255];
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const faultsOf = (element) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    const faults = [];
    if (outlineStyle === "none" || Number.parseFloat(outlineWidth) < 1) faults.push("no outline");
    else if (contrast(rgba(outlineColor), behind(element)) < 3) faults.push("faint outline");
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + Math.min(box.width, innerWidth) / 2, box.top + Math.min(box.height, innerHeight) / 2];
    const top = document.elementFromPoint(x, y);
    if (!top || !(element.contains(top) || top.contains(element) || element.labels?.[0]?.contains(top))) faults.push("out of view");
    return faults;
  };
  let stops = new Set();
  let faults = [];
  document.addEventListener("focusin", ({ target }) => {
    if (stops.has(target)) return;
    stops.add(target);
    faults.push(...faultsOf(target).map((fault) => describe(target) + ": " + fault));
  });
  const isShown = (element) => !element.disabled && element.checkVisibility({ visibilityProperty: true });
  const within = () => document.querySelector("dialog[open]") ?? document;
  const all = (selector) => [...within().querySelectorAll(selector)].filter(isShown);
  const isClickable = (element) =>
    getComputedStyle(element).cursor === "pointer" && getComputedStyle(element).pointerEvents !== "none" && !element.closest(interactive + ", label, [role='option']");
  const wanted = () => [...all(interactive), ...all("*").filter(isClickable)];
  // Tab reaches one radio button of a group, and arrow keys reach the others.
  const isInGroup = ({ type, name }) => type === "radio" && [...stops].some((stop) => stop.type === "radio" && stop.name === name);
  globalThis.walk = {
    start: () => { stops = new Set(); faults = []; },
    missed: () => wanted().filter((element) => !stops.has(element) && !isInGroup(element)).map((element) => describe(element)),
    strays: () => [...stops].filter((element) => !within().contains(element)).map((element) => describe(element)),
    faults: () => faults,
    name: () => nameOf(document.activeElement),
  };
})()`;

export type Walk = {
  /** Operable elements that the key never reaches: behind a trap, or taken out of the order. */
  missed: string[];
  /** Stops outside the open dialog. */
  strays: string[];
  faults: string[];
};

/** Presses the key until each operable element of the page, or of its open dialog, had the focus. */
export async function walk(page: Page, key: "Tab" | "Shift+Tab"): Promise<Walk> {
  await page.evaluate(script);
  await page.evaluate("walk.start()");
  const isBack = key === "Shift+Tab";
  let missed = await page.evaluate<string[]>("walk.missed()");
  if (isBack) await page.keyboard.down("Shift");
  for (let presses = 0; missed.length > 0 && presses < maxPresses; presses += missed.length) {
    for (const _ of missed) await page.keyboard.down("Tab"); // held: half the round trips
    missed = await page.evaluate<string[]>("walk.missed()");
  }
  await page.keyboard.up("Tab");
  if (isBack) await page.keyboard.up("Shift");
  const [strays, faults] = await page.evaluate<[string[], string[]]>("[walk.strays(), walk.faults()]");
  return { missed, strays, faults };
}

/** A walk without anything to report. */
export const nothing: Walk = { missed: [], strays: [], faults: [] };

/** Buttons of a page's head, without its menu and the button that copies the id. */
const headButtons = ".heading button:not(.menu *, .copy)";

/** Captions of tables on a phone in which every value of a row has a line of its own. Other lists have two lines a row. */
const tallTables = `[...document.querySelectorAll("main table:not(.short, .numbers *, .unseen *)")].filter((table) => {
  const cells = [...(table.querySelector("tbody tr:not(.spacer)")?.cells ?? [])].filter((cell) => cell.checkVisibility());
  const boxes = cells.map((cell) => cell.getBoundingClientRect());
  const lines = boxes.filter(({ top }, at) => at === 0 || top >= boxes[at - 1].bottom - 2);
  return cells.length > 3 && lines.length === cells.length;
}).map((table) => table.caption.textContent)`;

/** Pixels above the content on a phone. */
const maxHead = 150;

/**
 * Expects that axe reports nothing in light and dark, that the page fits a phone, and that Tab and Shift+Tab show the focus.
 * The head has at most three buttons.
 */
export async function checkPage(page: Page, name: string, open: () => Promise<void>): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await open();
  expect([name, "light", await violationsOf(page)]).toEqual([name, "light", []]);
  const buttons = await page.locator(headButtons).filter({ visible: true }).allInnerTexts();
  expect([name, buttons.length <= 3 ? [] : buttons]).toEqual([name, []]);
  expect([name, "Tab", await walk(page, "Tab")]).toEqual([name, "Tab", nothing]);
  await page.emulateMedia({ colorScheme: "dark" }); // changes nothing but colours
  expect([name, "dark", await violationsOf(page, rulesOfColours)]).toEqual([name, "dark", []]);
  expect([name, "Shift+Tab", await walk(page, "Shift+Tab")]).toEqual([name, "Shift+Tab", nothing]);
  await page.setViewportSize(phone.viewport);
  expect([name, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([name, phone.viewport.width]);
  expect([name, await page.evaluate(tallTables)]).toEqual([name, []]);
  const top = await page.evaluate<number>("document.querySelector('main').getBoundingClientRect().top + scrollY");
  expect([name, top <= maxHead || top]).toEqual([name, true]);
  await page.setViewportSize(laptop.viewport);
}

/** Presses Tab until an element of this name has the focus. @throws Error if no stop has the name */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  await page.evaluate(script);
  for (let presses = 0; presses < maxPresses; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate<string>("walk.name()");
    if (typeof name === "string" ? focused === name : name.test(focused)) return;
  }
  throw new Error(`Tab does not lead to ${name}.`);
}

/** Goes to an element by Tab, and presses it. */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press("Enter");
}
