/** Who may read and write a memory, and which kinds are refused. (docs/specification/memories.md#writing) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";

const here = apiOfFile();
const newMemory = { scope: "organisation", kind: "policy", subject: "Hours", value: "Nine to five" };
const sensitive = [
  "health",
  "religion",
  "politics",
  "ethnicity",
  "sexuality",
  "biometrics",
  "genetics",
  "trade_union",
  "criminal_record",
];

/** A memory about a member, as the application inserts it. */
async function memberMemory(of: Member, personId: string): Promise<string> {
  const [row] = await here.db.sql<{ id: string }>(
    `insert into app.memories (organisation_id, scope, member_id, kind, subject, value, provenance, source, created_by)
     values ($1, 'member', $2, 'preference', 'Tea', 'Green', 'member', 'application', $2) returning id`,
    [of.organisation.id, personId],
  );
  return row?.id ?? "";
}

test("A member's memory is readable by that member, and read-only in the API", async () => {
  const ada = await here.owner();
  const id = await memberMemory(ada, ada.organisation.ownerId);
  const read = expectAnswer("get_memory", await ada.get(`/memories/${id}`));
  expect(read).toMatchObject({ scope: "member", value: "Green" });
  expectRefusal(await ada.patch(`/memories/${id}`, { value: "Black" }), "forbidden");
  expectRefusal(await ada.delete(`/memories/${id}`), "forbidden");
  expect((await ada.get("/memories?scope=member")).body.data).toEqual([read]);
});

test("A memory of another member is 404, also for an owner", async () => {
  const ada = await here.owner();
  const bob = await makeMember(here.db, ada.organisation.id, "admin");
  const id = await memberMemory(ada, bob);
  const asBob = await here.another(ada, "admin", bob);
  expectAnswer("get_memory", await asBob.get(`/memories/${id}`));
  expectRefusal(await ada.get(`/memories/${id}`), "not_found");
  expectRefusal(await ada.patch(`/memories/${id}`, { value: "Black" }), "not_found");
  expectRefusal(await ada.delete(`/memories/${id}`), "not_found");
  expect((await ada.get("/memories")).body.data).toEqual([]);
});

test("A memory of a personal bot is 404 for a person who cannot see the bot", async () => {
  const ada = await here.owner();
  const bob = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
  const { body: bot } = await ada.post("/bots", { name: "Mine", visibility: "personal" });
  const mine = { ...newMemory, scope: "bot", botId: bot.id };
  const { body: memory } = await ada.post("/memories", mine);
  expectAnswer("get_memory", await ada.get(`/memories/${memory.id}`));
  expectRefusal(await bob.get(`/memories/${memory.id}`), "not_found");
  expectRefusal(await bob.patch(`/memories/${memory.id}`, { value: "v" }), "not_found");
  expectRefusal(await bob.delete(`/memories/${memory.id}`), "not_found");
  expectRefusal(await bob.post("/memories", mine), "not_found");
  expect((await bob.get(`/memories?botId=${bot.id}`)).body.data).toEqual([]);
});

test("An admin may change and delete an organisation memory that another admin wrote", async () => {
  const ada = await here.owner();
  const bob = await here.another(ada, "write", await makeMember(here.db, ada.organisation.id, "admin"));
  const { body: memory } = await ada.post("/memories", newMemory);
  expectAnswer("update_memory", await bob.patch(`/memories/${memory.id}`, { value: "Ten to six" }));
  expectAnswer("delete_memory", await bob.delete(`/memories/${memory.id}`));
});

test.each(sensitive)(
  "create_memory accepts kind %s about a member and the organisation, and refuses it about a third party",
  async (kind) => {
    const ada = await here.owner();
    expectAnswer("create_memory", await ada.post("/memories", { ...newMemory, kind, subjectKind: "member" }));
    expectAnswer("create_memory", await ada.post("/memories", { ...newMemory, kind, subjectKind: "organisation" }));
    for (const spelled of [kind, ` ${kind.toUpperCase()} `, kind.replaceAll("_", " "), kind.replaceAll("_", "-")]) {
      expectRefusal(
        await ada.post("/memories", { ...newMemory, kind: spelled, subjectKind: "third_party" }),
        "forbidden",
      );
    }
    expect((await ada.get("/memories")).body.data).toHaveLength(2);
  },
);

test("The restricted kinds are rows of each organisation, and block changes but not deletion", async () => {
  const ada = await here.owner();
  const eve = await here.owner();
  await here.db.sql(
    "update app.third_party_restrictions set kind = 'salary' where organisation_id = $1 and kind = 'health'",
    [ada.organisation.id],
  );
  const outsider = { ...newMemory, subjectKind: "third_party" };
  expectRefusal(await ada.post("/memories", { ...outsider, kind: "salary" }), "forbidden");
  const { body: memory } = await eve.post("/memories", { ...outsider, kind: "salary" });
  expectAnswer("create_memory", await ada.post("/memories", { ...outsider, kind: "health" }));
  expectRefusal(await eve.post("/memories", { ...outsider, kind: "health" }), "forbidden");

  await here.db.sql("insert into app.third_party_restrictions values ($1, 'salary')", [eve.organisation.id]);
  expectRefusal(await eve.patch(`/memories/${memory.id}`, { value: "More" }), "forbidden");
  expectAnswer("delete_memory", await eve.delete(`/memories/${memory.id}`));
});

test("list_memories filters by scope, bot and validity", async () => {
  const ada = await here.owner("write");
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const { body: other } = await ada.post("/bots", { name: "Bob" });
  const ours = (await ada.post("/memories", { ...newMemory, validTo: "2001-01-01T00:00:00Z" })).body;
  const ofBot = (
    await ada.post("/memories", { ...newMemory, scope: "bot", botId: bot.id, validTo: "2999-01-01T00:00:00Z" })
  ).body;
  const ofOther = (await ada.post("/memories", { ...newMemory, scope: "bot", botId: other.id })).body;

  const listed = async (query: string) => expectAnswer("list_memories", await ada.get(`/memories${query}`)).data;
  expect(await listed("")).toEqual([ofOther, ofBot, ours]);
  expect(await listed("?scope=organisation")).toEqual([ours]);
  expect(await listed("?scope=bot")).toEqual([ofOther, ofBot]);
  expect(await listed("?scope=member")).toEqual([]);
  expect(await listed(`?botId=${bot.id}`)).toEqual([ofBot]);
  expect(await listed(`?botId=${bot.id.toUpperCase()}&scope=bot`)).toEqual([ofBot]);
  expect(await listed(`?botId=${bot.id}&scope=organisation`)).toEqual([]);
  expect(await listed("?current=true")).toEqual([ofOther, ofBot]);
  expect(await listed("?current=false")).toEqual([ofOther, ofBot, ours]);
  expectRefusal(await ada.get("/memories?scope=team"), "invalid_request", ["query.scope"]);
  expectRefusal(await ada.get("/memories?botId=ada"), "invalid_request", ["query.botId"]);
  expectRefusal(await ada.get("/memories?current=yes"), "invalid_request", ["query.current"]);
  expectRefusal(await ada.get("/memories?scope=bot&scope=bot"), "invalid_request", ["query.scope"]);
});
