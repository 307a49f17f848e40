/** Organisations of the time before the trail: their chains begin with the first write after it. */
import { migrate } from "../../src/database/migrate.ts";
import { databaseBefore, dropDatabase, sharedServer } from "../support/migrated.ts";
import { query } from "../support/query.ts";

const server = sharedServer();
let url: string;

beforeAll(async () => {
  url = await databaseBefore(server, "000016");
});
afterAll(() => dropDatabase(server, url));

test("what lay there is told of nowhere, and the first write to each organisation is its entry 1", async () => {
  await query(
    url,
    `with organisation as (insert into app.organisations (name) values ('One'), ('Another') returning id),
     person as (insert into app.people (email) values ('ada@example.test') returning id),
     member as (
       insert into app.memberships (organisation_id, person_id, role) select organisation.id, person.id, 'owner'
       from organisation, person
     )
     insert into app.bots (organisation_id, name, owner_id) select organisation.id, 'Guide', person.id
     from organisation, person`,
  );
  await migrate({ adminUrl: url, key: server.key, rebuild: false });
  expect(await query(url, "select from app.audit_trail")).toEqual([]);
  expect(await query(url, "select from audit.heads")).toHaveLength(2);
  expect(await query(url, "select * from audit.verify_chain()")).toEqual([]);

  await query(url, "update app.bots set name = 'Mentor'");
  await query(url, "update app.organisations set name = name || ' more'");
  const told = await query<{ entries: object }>(
    url,
    `select array_agg(row(sequence, action, resource, changed)::text order by sequence) as entries
     from app.audit_trail group by organisation_id`,
  );
  const chain = { entries: ["(1,updated,bot,{name})", "(2,updated,organisation,{name})"] };
  expect(told).toEqual([chain, chain]);
  expect(await query(url, "select * from audit.verify_chain()")).toEqual([]);
});
