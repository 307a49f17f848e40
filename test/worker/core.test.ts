/** The worker runs without its extensions: runs and deliveries need none, and no checkpoint of the audit log is signed. */
import { customer, ownOfficeOfFile } from "../support/post-office.ts";
import { eventually, testWorker } from "../support/worker.ts";

const office = ownOfficeOfFile({ worker: false });

const checkpoints = () => office.db.sql("select from app.audit_checkpoints");

test("a worker without extensions delivers the end of a run, and transparency signs checkpoints once it is attached", async () => {
  const core = await testWorker(office.db, office.settings, []);
  const ada = await customer(office);
  const endpoint = await ada.subscribe(office.hook());
  await ada.run();
  await ada.untilDelivery(endpoint, "delivered");
  await core.stop();
  expect(await checkpoints()).toEqual([]);
  expect(await office.db.sql("select attempted_at from app.audit_tree")).toEqual([{ attempted_at: null }]);
  const whole = await testWorker(office.db, office.settings);
  await eventually(async () => (await checkpoints()).length > 0);
  await whole.stop();
});
