/** Bots over HTTP. (decisions: "Bots".) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";

const here = apiOfFile();
const absent = "01890000-0000-7000-8000-000000000000";

/** An owner and an admin of one organisation. */
async function two(): Promise<[Member, Member]> {
  const ada = await here.owner();
  const admin = await makeMember(here.db, ada.organisation.id, "admin");
  return [ada, await here.another(ada, "admin", admin)];
}

test("a bot begins as everybody's, with the built-in model and nothing to follow", async () => {
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

test("a bot is made as it is described", async () => {
  const ada = await here.owner();
  const asked = {
    name: "B",
    instructions: "Be brief.",
    model: "m",
    visibility: "personal",
    directConversation: "owner",
  };
  expect(expectAnswer("create_bot", await ada.post("/bots", asked))).toMatchObject(asked);
  for (const field of ["visibility", "directConversation"]) {
    expectRefusal(await ada.post("/bots", { ...asked, [field]: "nobody" }), "invalid_request", [`body.${field}`]);
  }
  expectRefusal(await ada.post("/bots", {}), "invalid_request", ["body.name"]);
});

test("each field of a bot can be changed by itself, and the rest stays", async () => {
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

test("a change that names nothing is refused, also when all that it names is unknown", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  expectRefusal(await ada.patch(`/bots/${bot.id}`, {}), "invalid_request", ["body"]);
  expectRefusal(await ada.patch(`/bots/${bot.id}`, { ownerId: absent }), "invalid_request", ["body"]);
  expectRefusal(await ada.patch(`/bots/${bot.id}`), "invalid_request", ["body"]);
  expectRefusal(await ada.patch(`/bots/${bot.id}`, { name: null }), "invalid_request", ["body.name"]);
});

test("a personal bot is there for its owner and for nobody else", async () => {
  const [ada, bob] = await two();
  const { body: bot } = await ada.post("/bots", { name: "Mine", visibility: "personal" });
  expectAnswer("get_bot", await ada.get(`/bots/${bot.id}`));
  expectRefusal(await bob.get(`/bots/${bot.id}`), "not_found");
  expectRefusal(await bob.patch(`/bots/${bot.id}`, { name: "Ours" }), "not_found");
  expectRefusal(await bob.delete(`/bots/${bot.id}`), "not_found");
  expect((await bob.get("/bots")).body.data).toEqual([]);
  expect((await ada.get(`/bots/${bot.id}`)).body).toEqual(bot);
});

test("an admin changes a team's bot, but who sees it is its owner's alone to decide", async () => {
  const [ada, bob] = await two();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  expectAnswer("update_bot", await bob.patch(`/bots/${bot.id}`, { name: "Ada II", visibility: "team" }));
  expectRefusal(await bob.patch(`/bots/${bot.id}`, { visibility: "personal" }), "forbidden");
  expect((await ada.get(`/bots/${bot.id}`)).body).toMatchObject({ name: "Ada II", visibility: "team" });
  expectAnswer("update_bot", await ada.patch(`/bots/${bot.id}`, { visibility: "personal" }));
  expectRefusal(await bob.get(`/bots/${bot.id}`), "not_found");
});

test("a deleted bot is gone, with its claims and the runs that were still open", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const claim = { scope: "bot", botId: bot.id, kind: "fact", subject: "S", value: "V" };
  const { body: memory } = await ada.post("/memories", claim);
  const { body: run } = await ada.post("/runs", { botId: bot.id, message: "Hello" });
  expectAnswer("get_memory", await ada.get(`/memories/${memory.id}`));

  const deleted = expectAnswer("delete_bot", await ada.delete(`/bots/${bot.id.toUpperCase()}`));
  expect(deleted).toEqual({ id: bot.id, deleted: true });
  expectRefusal(await ada.get(`/bots/${bot.id}`), "not_found");
  expectRefusal(await ada.delete(`/bots/${bot.id}`), "not_found");
  expectRefusal(await ada.patch(`/bots/${bot.id}`, { name: "Back" }), "not_found");
  expectRefusal(await ada.get(`/memories/${memory.id}`), "not_found");
  expectRefusal(await ada.post("/memories", claim), "not_found");
  expectRefusal(await ada.post("/runs", { botId: bot.id, message: "Hello" }), "not_found");
  expect(expectAnswer("get_run", await ada.get(`/runs/${run.id}`)).state).toBe("cancelled");
  expect((await ada.get("/bots")).body.data).toEqual([]);
  expect(await here.db.sql("select from app.memories where bot_id = $1", [bot.id])).toEqual([]);
});
