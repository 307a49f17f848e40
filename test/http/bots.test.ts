/** Bots over HTTP. (docs/specification/bots.md) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember, noteModels } from "../support/database.ts";
import { absent } from "../support/requests.ts";

const here = apiOfFile();

/** An owner and an admin of one organisation. */
async function two(): Promise<[Member, Member]> {
  const ada = await here.owner();
  const admin = await makeMember(here.db, ada.organisation.id, "admin");
  return [ada, await here.another(ada, "admin", admin)];
}

test("create_bot without options makes a team bot with the built-in model and no instructions", async () => {
  const ada = await here.owner("write");
  const made = await ada.post("/bots", { name: "Ada" });
  const bot = expectAnswer("create_bot", made);
  expect(bot).toMatchObject({
    name: "Ada",
    instructions: "",
    model: "recall",
    visibility: "team",
    directConversation: "members",
    ownerId: ada.organisation.ownerId,
  });
  expect(made.headers.get("location")).toMatch(new RegExp(`/api/v1/bots/${bot.id}$`));
  expect(expectAnswer("get_bot", await ada.get(`/bots/${bot.id}`))).toEqual(bot);
  expect(expectAnswer("list_bots", await ada.get("/bots"))).toEqual({ data: [bot], nextCursor: null });
});

test("create_bot stores each option and refuses unknown values", async () => {
  await noteModels(here.db, "m");
  const ada = await here.owner();
  const newBot = {
    name: "B",
    instructions: "Be brief.",
    model: "m",
    visibility: "personal",
    directConversation: "owner",
  };
  expect(expectAnswer("create_bot", await ada.post("/bots", newBot))).toMatchObject(newBot);
  for (const field of ["visibility", "directConversation"]) {
    expectRefusal(await ada.post("/bots", { ...newBot, [field]: "none" }), "invalid_request", [`body.${field}`]);
  }
  expectRefusal(await ada.post("/bots", {}), "invalid_request", ["body.name"]);
});

test("update_bot changes one field and keeps the others", async () => {
  await noteModels(here.db, "m");
  const ada = await here.owner();
  let { body: bot } = await ada.post("/bots", { name: "Ada" });
  const changes = {
    name: "B",
    instructions: "Now do.",
    model: "m",
    visibility: "personal",
    directConversation: "owner",
  };
  for (const [field, value] of Object.entries(changes)) {
    const changed = expectAnswer("update_bot", await ada.patch(`/bots/${bot.id}`, { [field]: value }));
    expect(changed).toEqual({ ...bot, [field]: value });
    bot = changed;
  }
  expect((await ada.get(`/bots/${bot.id}`)).body).toEqual(bot);
  expect((await ada.patch(`/bots/${bot.id}`, { instructions: "" })).body.instructions).toBe("");
});

test("update_bot without a known field returns invalid_request", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  expectRefusal(await ada.patch(`/bots/${bot.id}`, {}), "invalid_request", ["body"]);
  expectRefusal(await ada.patch(`/bots/${bot.id}`, { ownerId: absent }), "invalid_request", ["body"]);
  expectRefusal(await ada.patch(`/bots/${bot.id}`), "invalid_request", ["body"]);
  expectRefusal(await ada.patch(`/bots/${bot.id}`, { name: null }), "invalid_request", ["body.name"]);
});

test("A personal bot is 404 for everyone but its owner", async () => {
  const [ada, bob] = await two();
  const { body: bot } = await ada.post("/bots", { name: "Mine", visibility: "personal" });
  expectAnswer("get_bot", await ada.get(`/bots/${bot.id}`));
  expectRefusal(await bob.get(`/bots/${bot.id}`), "not_found");
  expectRefusal(await bob.patch(`/bots/${bot.id}`, { name: "Ours" }), "not_found");
  expectRefusal(await bob.delete(`/bots/${bot.id}`), "not_found");
  expect((await bob.get("/bots")).body.data).toEqual([]);
  expect((await ada.get(`/bots/${bot.id}`)).body).toEqual(bot);
});

test("An admin may update a team bot, but only its owner may change its visibility", async () => {
  const [ada, bob] = await two();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  expectAnswer("update_bot", await bob.patch(`/bots/${bot.id}`, { name: "Ada II", visibility: "team" }));
  expectRefusal(await bob.patch(`/bots/${bot.id}`, { visibility: "personal" }), "forbidden");
  expect((await ada.get(`/bots/${bot.id}`)).body).toMatchObject({ name: "Ada II", visibility: "team" });
  expectAnswer("update_bot", await ada.patch(`/bots/${bot.id}`, { visibility: "personal" }));
  expectRefusal(await bob.get(`/bots/${bot.id}`), "not_found");
});

test("delete_bot deletes the bot's memories and cancels its open runs", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const newMemory = { scope: "bot", botId: bot.id, kind: "fact", subject: "S", value: "V" };
  const { body: memory } = await ada.post("/memories", newMemory);
  const { body: run } = await ada.post("/runs", { botId: bot.id, message: "Hello" });
  expectAnswer("get_memory", await ada.get(`/memories/${memory.id}`));

  const deleted = expectAnswer("delete_bot", await ada.delete(`/bots/${bot.id.toUpperCase()}`));
  expect(deleted).toEqual({ id: bot.id, deleted: true });
  expectRefusal(await ada.get(`/bots/${bot.id}`), "not_found");
  expectRefusal(await ada.delete(`/bots/${bot.id}`), "not_found");
  expectRefusal(await ada.patch(`/bots/${bot.id}`, { name: "Back" }), "not_found");
  expectRefusal(await ada.get(`/memories/${memory.id}`), "not_found");
  expectRefusal(await ada.post("/memories", newMemory), "not_found");
  expectRefusal(await ada.post("/runs", { botId: bot.id, message: "Hello" }), "not_found");
  expect(expectAnswer("get_run", await ada.get(`/runs/${run.id}`)).state).toBe("cancelled");
  expect((await ada.get("/bots")).body.data).toEqual([]);
  expect(await here.db.sql("select from app.memories where bot_id = $1", [bot.id])).toEqual([]);
});

test("list_bots with deleted lists the deleted bots that the person could see, and no others", async () => {
  const [ada, admin] = await two();
  const team = (await ada.post("/bots", { name: "Team" })).body;
  const personal = (await ada.post("/bots", { name: "Personal", visibility: "personal" })).body;
  const live = (await ada.post("/bots", { name: "Live" })).body;
  for (const { id } of [team, personal]) await ada.delete(`/bots/${id}`);
  expect(expectAnswer("list_bots", await ada.get("/bots?deleted=true")).data).toEqual([personal, team]);
  expect((await admin.get("/bots?deleted=true")).body.data).toEqual([team]);
  expect((await ada.get("/bots?deleted=false")).body.data).toEqual([live]);
});
