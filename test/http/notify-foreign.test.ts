/** NOTIFY by logins other than the API's: reveals nothing about runs, and disturbs no listener. */
import { Client } from "pg";
import { urlAs } from "../../src/database/urls.ts";
import { makeExecutor } from "../support/database.ts";
import { customer, ownOfficeOfFile } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";

const office = ownOfficeOfFile();

async function sessionOf(role: "runner" | "auditor"): Promise<Client> {
  const client = new Client({ connectionString: urlAs(role, office.db.adminUrl, office.db.key) });
  await client.connect();
  return client;
}

test.each(["runner", "auditor"] as const)("%s receives only that a run is queued, and no run events", async (role) => {
  const who = await customer(office, "unserved");
  await makeExecutor(office.db, ["unserved"]);
  const listener = await sessionOf(role);
  const heard: unknown[] = [];
  listener.on("notification", ({ channel, payload }) => heard.push([channel, payload]));
  await listener.query("listen botstead_runs");
  await listener.query("listen botstead_run_events");
  const run = await who.run();
  await who.ask("POST", `/runs/${run}/cancel`);
  await listener.query("select 1");
  expect(heard).toEqual([["botstead_runs", ""]]);
  await expect(listener.query("select service.run_events_channel()")).rejects.toMatchObject({ code: "42501" });
  await expect(listener.query("select run_events_secret from app.service_settings")).rejects.toMatchObject({
    code: "42501",
  });
  await listener.end();
});

test("The worker keeps running after a forged breaking-migration notification and 4,000 others", async () => {
  const who = await customer(office);
  const sender = await sessionOf("runner");
  await sender.query(`notify "worker:migrate", '{"migrationNumber":99,"breaking":true}'`);
  for (let round = 0; round < 20; round += 1) {
    await sender.query(
      `select pg_notify(channel, repeat('x', 7900) || i)
       from generate_series(1, 50) i, unnest('{jobs:insert,worker:migrate,botstead_runs,botstead_run_events}'::text[]) channel`,
    );
  }
  const began = performance.now();
  const run = await who.run();
  await eventually(async () => (await who.ask("GET", `/runs/${run}`)).body.state === "completed");
  expect(performance.now() - began).toBeLessThan(10_000);
  expect(process.exitCode).not.toBe(57);
  await sender.end();
});
