/** A database with locale C, where lower() knows ASCII only: names compare as elsewhere. (docs/decisions/0022-names-and-erasure.md) */
import { migrate } from "../../src/database/migrate.ts";
import { urlOfDatabase } from "../../src/database/urls.ts";
import { dropDatabase, sharedServer } from "../support/migrated.ts";
import { query } from "../support/query.ts";
import { distinct, spellings } from "../support/spellings.ts";

const server = sharedServer();
const name = `locale_c_${process.pid}`;
const url = urlOfDatabase(name, server.url);

beforeAll(async () => {
  await query(server.url, `create database ${name} template template0 locale_provider libc locale 'C'`);
  await query(server.url, `revoke connect on database ${name} from public`); // audits of other tests would find it
  await migrate({ adminUrl: url, key: server.key, isNew: true });
});
afterAll(() => dropDatabase(server, url));

test("lower() of this database does not know other letters than ASCII", async () => {
  expect(await query(url, "select lower('MÜLLER') as lower")).toEqual([{ lower: "mÜller" }]);
});

test.each(Object.entries(spellings))(
  "names.spelled and subject_key of %s equal those for its other spellings",
  async (spelling, others) => {
    const [organisation] = await query<{ id: string }>(
      url,
      "select operator.create_organisation('Acme', 'team', 'owner@example.test', null) as id",
    );
    const all = [spelling, ...others];
    await query(
      url,
      `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     select '${organisation?.id}', 'organisation', 'k', subject, 'v', 'member', 'test'
     from json_array_elements_text('${JSON.stringify(all).replaceAll("'", "''")}') subject`,
    );
    const keys = await query(
      url,
      `select distinct subject_key = names.spelled(subject) as same, subject_key
     from app.memories where organisation_id = '${organisation?.id}'`,
    );
    expect(keys).toEqual([{ same: true, subject_key: expect.any(String) }]);
  },
);

test("names that only look similar stay apart", async () => {
  const all = [...distinct, ...Object.keys(spellings)];
  const [counted] = await query<{ count: number }>(
    url,
    `select count(distinct names.spelled(name))::integer as count
     from json_array_elements_text('${JSON.stringify(all).replaceAll("'", "''")}') name`,
  );
  expect(counted?.count).toBe(all.length);
});

test("an e-mail address finds its person in upper and lower case, also with an international domain", async () => {
  await query(url, "insert into app.people (email) values ('anna@müller.example')");
  await expect(query(url, "insert into app.people (email) values ('ANNA@MÜLLER.example')")).rejects.toThrow(
    "people_by_address",
  );
});

test.each([
  ["«Встреча» в Москве", "ВСТРЕЧА москве"],
  ["Συνάντηση στην Αθήνα…", "ΑΘΉΝΑ"],
  ["Český ñandú, “Nẵng”", "ČESKÝ Ñandú nẵng"],
  ["Երևան🎉", "ԵՐԵՒԱՆ"],
  ["O’Brien", "o'brien"],
])("%s is found by %s", async (value, question) => {
  const lexemes = `search.lexemes('simple', $q$${question}$q$)`;
  const found = `tsvector_to_array(search.vector('simple', 'Note', 'fact', $q$${value}$q$))`;
  expect(await query(url, `select ${lexemes} <@ ${found} and ${lexemes} <> '{}' as found`)).toEqual([{ found: true }]);
});
