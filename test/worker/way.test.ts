/** docs/architecture.md lists the files on the way of a delivery and of a run in the worker. They are the files whose functions run. */
import { makeDue } from "../support/endpoint-leases.ts";
import { customer, ownOfficeOfFile } from "../support/post-office.ts";
import { listed, sourcesOf } from "../support/way.ts";
import { eventually } from "../support/worker.ts";

const office = ownOfficeOfFile();
const isSource = (file: string) => file.startsWith("src/");

const none = async (query: string) => (await office.db.sql(query)).length === 0;

test("a delivery passes the files that the page lists, from its job to its recorded outcome, and no other", async () => {
  const ada = await customer(office);
  const endpoint = await ada.subscribe(office.hook());
  const at = { organisationId: ada.organisation.id, endpointId: endpoint.id };
  const files = await sourcesOf(async () => {
    await makeDue(office.db, at, 1);
    await eventually(() => none("select from app.deliveries where state = 'pending'"));
  });
  expect([...files].sort()).toEqual(listed("The way of a delivery", 2).filter(isSource));
});

test("a run of a bot passes the files of src/runner that the page lists, and no other", async () => {
  const ada = await customer(office);
  const files = await sourcesOf(async () => {
    await ada.run();
    await eventually(() => none("select from app.runs where finished_at is null"));
  });
  const ofRunner = [...files].filter((file) => file.startsWith("src/runner/")).sort();
  expect(ofRunner).toEqual(listed("The way of a run", 2).filter(isSource));
});
