/** An organisation keeps an owner under concurrent changes. (docs/specification/members.md#roles) */
import { expectRefusal } from "../support/answers.ts";
import type { Reply } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember, setLimits } from "../support/database.ts";
import { begun, lockWaits, untilWaiting } from "../support/transactions.ts";
import { twoProcesses } from "../support/two-processes.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
const { atOnce } = twoProcesses(here);

type Owner = Member & { id: string };

async function owners(count: number): Promise<[Owner, ...Owner[]]> {
  const ada = await here.owner();
  await setLimits(here.db, ada.organisation.id, { liveKeys: 1000 });
  const others: Owner[] = [];
  for (let made = 1; made < count; made += 1) {
    const id = await makeMember(here.db, ada.organisation.id, "owner");
    others.push({ ...(await here.another(ada, "admin", id)), id });
  }
  return [{ ...ada, id: ada.organisation.ownerId }, ...others];
}

async function ownersLeft(ada: Owner): Promise<string[]> {
  const rows = await here.db.sql<{ id: string }>(
    "select person_id as id from app.memberships where organisation_id = $1 and role = 'owner'",
    [ada.organisation.id],
  );
  return rows.map(({ id }) => id);
}

type Deed = "demotes" | "removes";
const does = (deed: Deed, by: Owner, to: Owner, api = here.api): Promise<Reply> =>
  api.call(deed === "demotes" ? "PATCH" : "DELETE", `/members/${to.id}`, {
    key: by.key.text,
    ...(deed === "demotes" ? { body: { role: "member" } } : {}),
  });

/** Counts the successes. Each other answer is a refusal for the last owner or for a caller who lost the role. */
function countDone(answers: Reply[]): number {
  for (const answer of answers) {
    if (answer.status === 401) expectRefusal(answer, "unauthenticated");
    else if (answer.status === 404) expectRefusal(answer, "not_found");
    else if (answer.status !== 200) expectRefusal(answer, "forbidden");
  }
  return answers.filter(({ status }) => status === 200).length;
}

test.each([
  ["demotes", "demotes"],
  ["removes", "removes"],
  ["demotes", "removes"],
] as [Deed, Deed][])(
  "Of two owners, one %s and one %s the other at once: exactly one remains",
  async (first, second) => {
    for (let round = 0; round < 5; round += 1) {
      const [ada, bob] = (await owners(2)) as [Owner, Owner];
      const answers = await Promise.all([does(first, ada, bob), does(second, bob, ada)]);
      expect(countDone(answers)).toBe(1);
      expect(await ownersLeft(ada)).toEqual([answers[0].status === 200 ? ada.id : bob.id]);
    }
  },
);

test("Of two owners who demote themselves at once exactly one succeeds", async () => {
  for (let round = 0; round < 5; round += 1) {
    const [ada, bob] = (await owners(2)) as [Owner, Owner];
    const answers = await Promise.all([does("demotes", ada, ada), does("demotes", bob, bob)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
    expect(await ownersLeft(ada)).toHaveLength(1);
  }
});

test.each(["demotes", "removes"] as Deed[])(
  "Of twenty owners of whom each %s the next at once, all whose change was not refused are gone, and one remains",
  async (deed) => {
    const ring = await owners(20);
    const owner = (each: number) => ring[each % 20] as Owner;
    const answers = await atOnce(20, (api, each) => does(deed, owner(each), owner(each + 1), api));
    const done = countDone(answers);
    const left = await ownersLeft(ring[0]);
    expect(left.length).toBeGreaterThanOrEqual(1);
    expect(left).toHaveLength(20 - done);
  },
);

test("Of twenty owners who demote themselves at once one remains", async () => {
  const all = await owners(20);
  const answers = await atOnce(20, (api, each) => does("demotes", all[each] as Owner, all[each] as Owner, api));
  expect(countDone(answers)).toBe(19);
  expect(await ownersLeft(all[0])).toHaveLength(1);
});

test("Of nineteen owners who remove the same owner at once exactly one succeeds", async () => {
  const [victim, ...others] = await owners(20);
  const answers = await atOnce(19, (api, each) => does("removes", others[each] as Owner, victim, api));
  expect(countDone(answers)).toBe(1);
  expect(await ownersLeft(victim)).toHaveLength(19);
});

test("remove_member is refused if its caller is demoted while it waits for a lock", async () => {
  const [ada, bob] = (await owners(2)) as [Owner, Owner];
  const victim = await makeMember(here.db, ada.organisation.id, "member");
  const first = await begun(here.db);
  await first.query("select from app.organisations where id = $1 for no key update", [ada.organisation.id]);
  const waiting = here.api.call("DELETE", `/members/${victim}`, { key: bob.key.text });
  await eventually(async () => (await lockWaits(here.db)) === 1);
  await first.query("update app.memberships set role = 'member' where person_id = $1", [bob.id]);
  await first.query("commit");
  expectRefusal(await waiting, "unauthenticated");
  expect(await here.db.sql("select from app.memberships where person_id = $1", [victim])).toHaveLength(1);
});

test("Of two direct updates that each demote an owner at once, the second is refused", async () => {
  const [ada, bob] = (await owners(2)) as [Owner, Owner];
  const [first, second] = [await begun(here.db), await begun(here.db)];
  const demote = "update app.memberships set role = 'member' where person_id = $1";
  await first.query(demote, [ada.id]);
  const refused = expect(second.query(demote, [bob.id])).rejects.toMatchObject({ code: "OA001", message: "forbidden" });
  await eventually(async () => (await lockWaits(here.db, "query like 'update app.memberships%'")) === 1);
  await first.query("commit");
  await refused;
  await second.query("rollback");
  expect(await ownersLeft(ada)).toEqual([bob.id]);
});

describe("A personal bot of a person who is being removed", () => {
  const writes: Record<string, (bob: Owner, team: string) => Promise<Reply>> = {
    "that is made": (bob) => bob.post("/bots", { name: "Mine", visibility: "personal" }),
    "that was the team's": (bob, team) => bob.patch(`/bots/${team}`, { visibility: "personal" }),
  };
  /** Personal bots of a removed person, which no one could see. */
  const personal = (bob: Owner) =>
    here.db.sql("select from app.bots where owner_id = $1 and visibility = 'personal' and deleted_at is null", [
      bob.id,
    ]);

  test.each(Object.entries(writes))("%s is refused if the removal came first", async (_, write) => {
    const [, bob] = (await owners(2)) as [Owner, Owner];
    const { body: team } = await bob.post("/bots", { name: "Ours" });
    const remover = await begun(here.db);
    await remover.query("delete from app.memberships where person_id = $1", [bob.id]);
    const written = write(bob, team.id);
    await untilWaiting(here.db, 1, written);
    await remover.query("commit");
    expectRefusal(await written, "unauthenticated");
    expect(await personal(bob)).toEqual([]);
  });

  test.each([
    [
      "that is made",
      "insert into app.bots (organisation_id, owner_id, name, visibility) values ($1, $2, 'Mine', 'personal')",
    ],
    ["that was the team's", "update app.bots set visibility = 'personal' where organisation_id = $1 and owner_id = $2"],
  ])("%s is deleted if it came first", async (_, write) => {
    const [ada, bob] = (await owners(2)) as [Owner, Owner];
    await bob.post("/bots", { name: "Ours" });
    const writer = await begun(here.db);
    await writer.query(write, [ada.organisation.id, bob.id]);
    const removed = does("removes", ada, bob);
    await untilWaiting(here.db, 1, removed);
    await writer.query("commit");
    expect((await removed).status).toBe(200);
    expect(await personal(bob)).toEqual([]);
  });
});
