/** The dialog of a secret that is shown once. */

import type { Locator } from "playwright-core";
import { gone } from "./page-change.ts";

/** Closes it without copying the secret. It asks before it does. */
export async function giveUp(dialog: Locator): Promise<void> {
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  await dialog.getByRole("button", { name: "Close without copying" }).click();
  await gone(dialog);
}
