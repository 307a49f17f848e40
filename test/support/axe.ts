/** Accessibility of a page by axe. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules that depend on the colour scheme. */
export const rulesOfColours = ["color-contrast", "link-in-text-block"];

/**
 * Violations that axe reports.
 *
 * @param rules names of axe's rules. Defaults to all rules
 * @param within selector of the judged part of the page. Defaults to the page
 */
export async function violationsOf(page: Page, rules: string[] = [], within = "html"): Promise<string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe);
  return page.evaluate(
    async ([runOnly, within]) => {
      const { violations } = await (globalThis as unknown as Axe).axe.run(within, {
        ...(runOnly.length > 0 ? { runOnly } : {}),
        resultTypes: ["violations"],
        preload: false, // of media and style sheets, for rules that the pages have no element of
      });
      return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
    },
    [rules, within] as const,
  );
}

type Violation = { id: string; nodes: { html: string }[] };
type Axe = {
  axe: { run(within: string, options: object): Promise<{ violations: Violation[] }> };
};
