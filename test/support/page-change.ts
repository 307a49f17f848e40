/** Opens pages as a link does: the program stays loaded, which takes a fraction of the time of a new document. */
import type { Locator, Page } from "playwright-core";

/** The heading of both programs' page for unknown addresses. */
const nowhere = "No such page";

/** Removes the open page with its state, and then shows the page of the path. A document has to be open. */
export const changePage = (page: Page, path: string): Promise<void> =>
  page.evaluate(`(async () => {
    const heading = () => document.querySelector("main h1")?.textContent;
    const follow = async (path, isThere) => {
      history.pushState(null, "", path);
      dispatchEvent(new PopStateEvent("popstate"));
      while (!isThere()) await new Promise((painted) => requestAnimationFrame(painted));
    };
    const path = ${JSON.stringify(path)};
    await follow(path.startsWith("/portal/") ? "/portal/-" : "/-", () => heading() === "${nowhere}");
    await follow(path, () => heading() !== undefined && heading() !== "${nowhere}");
  })()`);

/** Waits until the page shows it. More than one may match while a page changes, as in a dialog that is still open. */
export const seen = (place: Locator): Promise<void> => place.filter({ visible: true }).first().waitFor();

/** Waits until nothing on the page matches. */
export const gone = (place: Locator): Promise<void> => place.first().waitFor({ state: "detached" });

/**
 * For a page that may find out by itself what the click shows, such as the end of its session, and then has no link.
 *
 * @param shown what the click leads to
 */
export async function clickUnlessShown(place: Locator, shown: Locator): Promise<void> {
  const click = place.click();
  click.catch(() => {}); // the place is gone
  await Promise.race([click, seen(shown)]);
}

/** Waits until effects of the last change have run, such as the focus on a new heading. */
export const painted = (page: Page): Promise<void> =>
  page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => setTimeout(done)))))",
  );
