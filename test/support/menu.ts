/** The menu "More" in the head of a page. */
import type { Locator, Page } from "playwright-core";

/** Opens the menu that the button is in. @returns whether it is in one */
export function openMenuOf(button: Locator): Promise<boolean> {
  return button.evaluate((each) => {
    const menu = each.closest(".menu");
    if (menu && !menu.matches(":popover-open")) (menu.previousElementSibling as unknown as { click(): void }).click();
    return menu !== null;
  });
}

/** Clicks a button of a page, also in the menu. Labels are exact. */
export async function clickAction(page: Page, label: string): Promise<void> {
  const button = page.locator("main button").getByText(label, { exact: true }).first();
  await button.waitFor({ state: "attached" });
  await openMenuOf(button);
  await button.click();
}
