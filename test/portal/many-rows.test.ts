/** Lists of 10,000 memories and runs: a page is there in less than 100 ms, and the table stays short. */
import { insertMemories } from "../support/many-memories.ts";
import { portalOfFile, settled } from "../support/portal-page.ts";
import { eventually } from "../support/worker.ts";

const here = portalOfFile();
const { test } = here.chromium;
const rows = 10_000;
const pageSize = 100;
const maxMs = 100;

beforeAll(async () => {
  const { db } = here.office;
  const { who } = here.data;
  const organisation = who.organisation.id;
  await insertMemories(db, { organisation, subject: "Berths", count: rows, changes: 0 });
  await db.sql(
    `insert into app.runs (organisation_id, id, bot_id, conversation_id, person_id, trigger, state, finished_at)
     select run.organisation_id, uuidv7(-number * interval '1 second'), run.bot_id, run.conversation_id, run.person_id, 'api',
       'cancelled', now()
     from app.runs run, generate_series(1, $2) number where run.id = $1`,
    [here.data.runs.queued, rows],
  );
  await db.sql("analyze app.memories");
  await db.sql("analyze app.runs");
}, 120_000);

for (const [path, name] of [
  ["/portal/memories", "Memories"],
  ["/portal/runs", "Runs, newest first"],
] as const) {
  test(`${path} loads a page of 100 rows in less than ${maxMs} ms (median of 100), and renders few rows`, () =>
    here.portal(async ({ page, open }) => {
      await open(path);
      const table = page.getByRole("table", { name });
      await table.waitFor();
      // In the page, because the test's own round trips take longer than a page.
      const times = await page.evaluate<number[]>(`(async () => {
        const times = [];
        const more = () => [...document.querySelectorAll(".table-foot button")].find(({ textContent }) => textContent === "Load more");
        const count = () => Number.parseInt(document.querySelector(".table-foot span").textContent.replaceAll(/\\D/g, ""), 10);
        while (more()) {
          const before = count();
          const start = performance.now();
          more().click();
          while (count() === before) await new Promise((painted) => requestAnimationFrame(painted));
          times.push(performance.now() - start);
        }
        return times;
      })()`);
      expect(times.length).toBeGreaterThanOrEqual(rows / pageSize - 1);
      const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
      expect(median).toBeLessThan(maxMs);
      expect(await table.locator("tbody tr").count()).toBeLessThan(200);
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
      await eventually(async () => (await table.locator("tbody tr").count()) < 200);
      await settled(page);
    }));
}
