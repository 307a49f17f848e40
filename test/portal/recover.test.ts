/** Recovery of a long period in Chromium: call by call, with progress, until it is done or the person stops. */
import { makeDeliveries, makeEvents } from "../support/events.ts";
import { portalOfFile } from "../support/portal-page.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile();
const { test } = here.chromium;
const count = 1_200;

test("recovery of 1,200 deliveries shows its progress, stops, and continues from there to the end", () =>
  here.portal(async ({ page, open }) => {
    const { db } = here.office;
    const whose = { organisationId: here.data.who.organisation.id, endpointId: here.data.endpoint };
    const [eventId = ""] = await makeEvents(db, whose);
    await makeDeliveries(db, { ...whose, eventId }, { count, ago: "5 minutes" });
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
    await page.getByRole("button", { name: "Recover…" }).click();
    const dialog = page.getByRole("dialog", { name: "Recover deliveries" });
    const minute = new Date(Date.now() - 3_600_000 - new Date().getTimezoneOffset() * 60_000)
      .toISOString()
      .slice(0, 16);
    await dialog.getByLabel("From").fill(minute);
    await dialog.getByRole("button", { name: "Recover", exact: true }).click();
    await dialog
      .getByRole("status")
      .getByText(/^[45]\d\d deliveries are on their way, the time from .+ is left\.$/)
      .waitFor();
    await dialog.getByRole("button", { name: "Stop" }).click();
    resume();
    await dialog.getByText("Stopped. Recover again to continue.").waitFor();
    expect(calls).toBe(2);
    expect(await left()).toBeGreaterThan(0);
    expect(await dialog.getByLabel("From").inputValue()).not.toBe(minute);

    await dialog.getByRole("button", { name: "Recover", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await left()).toBe(0);
    await eventually(async () => (await page.locator(".toast").last().innerText()).includes("are on their way"));
  }));
