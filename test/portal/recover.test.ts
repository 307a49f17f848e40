/**
 * Recovery of a long period in Chromium, by the keyboard alone: call by call, with progress, until it is done or the person
 * stops. A call ends after the millisecond of its 500th delivery, so each delivery has a millisecond of its own.
 */
import type { Page } from "playwright-core";
import { makeDeliveries, makeEvents } from "../support/events.ts";
import { gone, seen } from "../support/page-change.ts";
import { press, tabTo } from "../support/page-walk.ts";
import { portalOfFile } from "../support/portal-page.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile();
const { test } = here.chromium;
const count = 1_200;

test("recovery of 1,200 deliveries by the keyboard alone shows its progress, stops, and continues from there to the end", () =>
  here.portal(async ({ page, open }) => {
    const { db } = here.office;
    const whose = { organisationId: here.data.who.organisation.id, endpointId: here.data.endpoint };
    const [eventId = ""] = await makeEvents(db, whose);
    await makeDeliveries(db, { ...whose, eventId }, { count, ago: "5 minutes", apart: "1 millisecond" });
    const left = async () =>
      (await db.sql("select from app.deliveries where endpoint_id = $1 and state = 'failed'", [whose.endpointId]))
        .length;
    expect(await left()).toBeGreaterThanOrEqual(count);

    let calls = 0;
    let resume = () => {};
    const stopped = new Promise<void>((resolve) => {
      resume = resolve;
    });
    await page.route("**/recover", async (route) => {
      calls += 1;
      if (calls === 2) await stopped;
      await route.continue();
    });
    await open(`/portal/endpoints/${whose.endpointId}`);
    await press(page, "More");
    await press(page, "Recover…");
    const dialog = page.getByRole("dialog", { name: "Recover deliveries" });
    await seen(dialog);
    const since = new Date(Date.now() - 3_600_000);
    await typeTime(page, "From", since);
    await press(page, "Recover");
    await seen(dialog.getByRole("status").or(dialog.getByRole("alert")));
    expect(await dialog.getByRole("status").innerText()).toMatch(
      /^5\d\d deliveries are on their way, the time from .+ is left\.$/, // 500, and other deliveries of the last delivery's millisecond
    );
    await press(page, "Stop");
    resume();
    await seen(dialog.getByText("Stopped. Recover again to continue."));
    expect(calls).toBe(2);
    expect(await left()).toBeGreaterThan(0);
    expect(new Date(await dialog.getByLabel("From").inputValue()).getTime()).toBeGreaterThan(since.getTime());

    await press(page, "Recover");
    await gone(dialog);
    expect(await left()).toBe(0);
    await page.waitForFunction("document.activeElement.textContent === 'More'"); // after the dialog is gone
    await eventually(async () => (await page.locator(".toast").last().innerText()).includes("are on their way"));
  }));

/** Types a local time into the parts of a field of type datetime-local. */
async function typeTime(page: Page, label: string, at: Date): Promise<void> {
  const two = (number: number) => String(number).padStart(2, "0");
  await tabTo(page, label);
  await page.keyboard.type(`${two(at.getMonth() + 1)}${two(at.getDate())}${at.getFullYear()}`);
  await page.keyboard.press("ArrowRight"); // a year can have six digits
  await page.keyboard.type(
    `${two(at.getHours() % 12 || 12)}${two(at.getMinutes())}${at.getHours() < 12 ? "AM" : "PM"}`,
  );
}
