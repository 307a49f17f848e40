/** The values that the dialogs of a page show, for tests that compare them with the stored ones. */
import type { Page } from "playwright-core";
import { openMenuOf } from "./menu.ts";

/** By term of a list of facts, label of a field, or legend of a group of boxes. */
export type ShownValues = Record<string, string>;

const script = `(() => {
  const dialog = document.querySelector("dialog[open]");
  const shown = {};
  for (const fact of dialog.querySelectorAll(".facts > div")) {
    const value = fact.querySelector("dd");
    shown[fact.querySelector("dt").textContent] = value.querySelector("time")?.dateTime ?? value.textContent;
  }
  const textOf = (label) => [...(label.querySelector("span") ?? label).childNodes]
    .filter(({ nodeType, localName }) => nodeType === Node.TEXT_NODE || localName === "code").map(({ textContent }) => textContent).join("").trim();
  for (const control of dialog.querySelectorAll("input, select, textarea")) {
    const legend = control.closest("fieldset")?.querySelector("legend").textContent;
    const label = textOf(control.labels[0]);
    if (legend) shown[legend] = [shown[legend], control.checked && label].filter(Boolean).join(", ");
    else if (control.type === "checkbox") shown[label] = control.checked ? "on" : "off";
    else shown[label] = control.localName === "select" ? control.selectedOptions[0]?.text ?? "" : control.value;
  }
  return shown;
})()`;

/** Opens each dialog of a page's content once. @returns the values by the label of the button, which ends with "…" */
export async function valuesOfDialogs(page: Page): Promise<Record<string, ShownValues>> {
  const buttons = page.locator("main button:not(:disabled)").filter({ hasText: /…$/ });
  const found: Record<string, ShownValues> = {};
  for (const label of new Set(await buttons.allInnerTexts())) {
    const button = buttons.getByText(label, { exact: true }).first();
    await openMenuOf(button);
    await button.click();
    await page.waitForSelector("dialog[open]");
    found[label] = await page.evaluate<ShownValues>(script);
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog[open]", { state: "detached" });
  }
  return found;
}
