/** What neighbours say counts for a memory's rank. They are readable memories that were written next to it. */
import type { Pool } from "pg";
import {
  makeMember,
  makeOrganisation,
  type Organisation,
  type TestDatabase,
  testDatabase,
} from "../support/database.ts";
import { asPerson } from "../support/transactions.ts";

let db: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  db = await testDatabase();
  pool = db.adminPool({ max: 1 });
});
afterAll(() => db.drop());

/** `member`: the person whose memory it is; undefined: a memory of the organisation. */
type Turn = { minutesAgo: number; value: string; member?: string };

async function insert({ id }: Organisation, turns: Turn[]): Promise<void> {
  await db.sql(
    `insert into app.memories (organisation_id, id, scope, member_id, kind, subject, value, provenance, source)
     select $1, uuidv7(-make_interval(mins => "minutesAgo")), case when member is null then 'organisation' else 'member' end::app.memory_scope,
       member, 'said', 'talk', value, 'member', 'test'
     from jsonb_to_recordset($2) turn ("minutesAgo" integer, value text, member uuid)`,
    [id, JSON.stringify(turns)],
  );
}

/** Ranks by value. */
function ranks(
  { id }: Organisation,
  person: string,
  question: string,
  filters: object = {},
): Promise<Record<string, number>> {
  return asPerson(pool, id, person, async (client) => {
    const { rows } = await client.query<{ value: string; rank: string }>(
      `select memory.value, found.rank
       from search.memories('english', $1, (select policies.visible_bots()), caller.person_id(), $2, rows.time(now()), null, 100) found
         join app.memories memory on memory.id = found.id`,
      [question, filters],
    );
    return Object.fromEntries(rows.map(({ value, rank }) => [value, Number(rank)]));
  });
}

const question: Turn = { minutesAgo: 100, value: "Did the plumber call about the boiler?" };
const near = "The plumber comes on Tuesday";
const far = "The plumber comes on Friday";

test("a reply ranks before the same words elsewhere, if it was written within ten minutes", async () => {
  for (const [minutesLater, isNear] of [
    [9, true],
    [11, false],
  ] as const) {
    const organisation = await makeOrganisation(db);
    await insert(organisation, [
      question,
      { minutesAgo: 100 - minutesLater, value: near },
      { minutesAgo: 50, value: far },
    ]);
    const found = await ranks(organisation, organisation.ownerId, "plumber boiler");
    expect(Object.keys(found)).toHaveLength(3);
    expect(found[near] === found[far]).toBe(!isNear);
    expect(found[near]).toBeGreaterThanOrEqual(found[far] ?? Number.NaN);
  }
});

test("the memory before counts twice as much as the memory after", async () => {
  const organisation = await makeOrganisation(db);
  const value = "The boiler hums";
  await insert(organisation, [
    { minutesAgo: 90, value: "The plumber sees a boiler" },
    { minutesAgo: 89, value },
    { minutesAgo: 60, value: `${value}.` },
    { minutesAgo: 59, value: "A boiler sees the plumber" },
    { minutesAgo: 30, value: `${value}!` },
  ]);
  const found = await ranks(organisation, organisation.ownerId, "boiler plumber");
  const [after, before, alone] = [found[value], found[`${value}.`], found[`${value}!`]].map(Number);
  expect(before).toBeGreaterThan(Number(alone));
  expect((Number(after) - Number(alone)) / (Number(before) - Number(alone))).toBeCloseTo(2, 3);
});

test("no hidden memory between two others and no filtered one changes a rank", async () => {
  const organisation = await makeOrganisation(db);
  const { id, ownerId } = organisation;
  await insert(organisation, [question, { minutesAgo: 98, value: near }]);
  const current = { current: "true" };
  const shown = await ranks(organisation, ownerId, "plumber boiler", current);
  await insert(organisation, [
    { minutesAgo: 99, value: "A boiler and a plumber", member: await makeMember(db, id, "member") },
  ]);
  expect(await ranks(organisation, ownerId, "plumber boiler", current)).toEqual(shown);

  await db.sql("update app.memories set valid_to = now() where organisation_id = $1 and value = $2", [
    id,
    question.value,
  ]);
  const alone = await ranks(organisation, ownerId, "plumber boiler", current);
  expect(alone[near]).toBeLessThan(shown[near] ?? Number.NaN);
});
