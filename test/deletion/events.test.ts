/** What endpoints receive when a deletion is scheduled or cancelled. (docs/specification/events.md, docs/leaving.md#deletion) */
import { customer, ownOfficeOfFile } from "../support/post-office.ts";
import { eventually } from "../support/worker.ts";
import { type Deletions, deletionsOf } from "./fixture.ts";

const kinds = ["organisation.deletion_scheduled", "organisation.deletion_cancelled"];
const office = ownOfficeOfFile();
let deletions: Deletions;
beforeAll(async () => {
  deletions = await deletionsOf(office.db);
});

test("scheduling and cancelling are delivered once each with the date, beside entries whose actor is the operator", async () => {
  const who = await customer(office);
  const { id } = who.organisation;
  const [hook, other] = [office.hook(), office.hook()];
  await who.subscribe(hook, kinds);
  await who.subscribe(other, ["key.created"]);
  await deletions.schedule(id, 9);
  const { deletionAt } = (await who.ask("GET", "/organisation")).body;
  await expect(deletions.schedule(id)).rejects.toThrow("conflict"); // announces nothing
  await eventually(async () => hook.posts().length === 1);
  await deletions.operator.perform("cancel_organisation_deletion($1, 'Came back')", [id]);
  await eventually(async () => hook.posts().length === 2);
  const expected = kinds.map((event) => ({ event, organisationId: id, data: { deletionAt } }));
  expect(hook.posts().map(({ body }) => JSON.parse(body))).toMatchObject(expected);
  expect(new Date(deletionAt).toISOString()).toBe(deletionAt);
  const listed = (await who.ask("GET", "/events")).body.data;
  expect(listed).toMatchObject(kinds.map((event) => ({ event, data: { deletionAt } })));
  const entries = (await who.ask("GET", `/audit?resource=organisation&resourceId=${id}&actor=operator`)).body.data;
  expect(entries).toMatchObject([{ after: { deletionAt: null } }, { after: { deletionAt } }]);
  expect(other.posts()).toEqual([]);
});

test("without an endpoint for the events nothing is stored, and a changed name or suspension announces nothing", async () => {
  const [silent, who] = [await customer(office), await customer(office)];
  await who.subscribe(office.hook(), kinds);
  await deletions.schedule(silent.organisation.id);
  await who.ask("PATCH", "/organisation", { name: "Harbour" });
  await deletions.operator.perform("suspend_organisation($1, 'Ticket 9')", [who.organisation.id]);
  const stored = "select kind from app.events where organisation_id = any ($1)";
  expect(await office.db.sql(stored, [[silent, who].map(({ organisation }) => organisation.id)])).toEqual([]);
});
