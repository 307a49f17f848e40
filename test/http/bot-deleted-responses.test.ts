/** Stored idempotent responses that show a deleted bot's memories. (docs/decisions/0022-names-and-erasure.md) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { type Member, ownApiOfFile } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { tablesWithText } from "../support/tables-with-text.ts";

const here = ownApiOfFile();
const about = (subject: string, more: object = {}) => ({ scope: "organisation", kind: "note", subject, ...more });
const tablesHere = (text: string) => tablesWithText(here.db, text);
const canary = "Eisenhut";
/** Creates, changes and reads a memory with the canary, each in a stored response. Returns the replay of the first. */
async function createMemory(who: Member, botId: string) {
  const once = {
    key: who.key.text,
    idempotencyKey: "tell",
    body: about("Nora", { scope: "bot", botId, value: canary }),
  };
  const first = await here.api.call("POST", "/memories", once);
  const { id } = expectAnswer("create_memory", first);
  await who.patch(`/memories/${id}`, { value: `${canary} 2` });
  for (const path of [`/memories/${id}`, `/memories/${id}/history`, `/bots/${botId}`]) {
    const operations = [
      { method: "GET", path },
      { method: "POST", path: "/bots", body: {} }, // a write, so that the response is stored
    ];
    expect((await who.post("/batch", { operations })).body.results[0].status).toBe(200);
  }
  const { body: removed } = await who.post("/memories", about("Nora", { scope: "bot", botId, value: `${canary} 3` }));
  await who.delete(`/memories/${removed.id}`);
  expect(await tablesHere(canary)).toContain("app.idempotency_records");
  return () => here.api.call("POST", "/memories", once);
}

test("After delete_bot a replay shows no memory of the bot and has no second effect", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const { body: kept } = await ada.post("/memories", about("Nora", { value: "Aster" }), { idempotencyKey: "kept" });
  const again = await createMemory(ada, bot.id);
  await ada.delete(`/bots/${bot.id}`);
  expect(await tablesHere(canary)).toEqual([]);
  const replay = await again();
  expectRefusal(replay, "not_found");
  expect(replay.headers.get("idempotent-replayed")).toBe("true");
  const stays = await ada.post("/memories", about("Nora", { value: "Aster" }), { idempotencyKey: "kept" });
  expect([stays.status, stays.body]).toEqual([201, kept]);
});

test("delete_bot erases its memories from stored responses among thousands of others", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  await createMemory(ada, bot.id);
  await here.db.sql(
    `insert into app.idempotency_records (organisation_id, key_id, digest, fingerprint, request_id, status, body)
     select $1, $2, sha256(n::text::bytea), sha256(''), uuidv7(), 200, '{}' from generate_series(1, 5000) n`,
    [ada.organisation.id, ada.key.id],
  );
  expectAnswer("delete_bot", await ada.delete(`/bots/${bot.id}`));
  expect((await ada.get("/memories")).body.data).toEqual([]);
  expect(await here.db.sql("select has_memories_left as more from app.bots where id = $1", [bot.id])).toEqual([
    { more: false },
  ]);
  expect(await tablesHere(canary)).toEqual([]);
});

test("Stored responses are erased too when a bot goes with its owner or in parts", async () => {
  const ada = await here.owner();
  const id = await makeMember(here.db, ada.organisation.id, "admin");
  const bob = await here.another(ada, "admin", id);
  const { body: bot } = await bob.post("/bots", { name: "Bob's", visibility: "personal" });
  await createMemory(bob, bot.id);
  expectAnswer("remove_member", await ada.delete(`/members/${id}`));
  expect(await tablesHere(canary)).toEqual([]);
  const { body: elephant } = await ada.post("/bots", { name: "Elephant" });
  await here.db.sql(
    `insert into app.memories (organisation_id, scope, bot_id, kind, subject, value, provenance, source)
     select $1, 'bot', $2, 'note', 'Memory', 'Before', 'member', 'test' from generate_series(1, 1000)`,
    [ada.organisation.id, elephant.id],
  );
  await createMemory(ada, elephant.id);
  expectAnswer("delete_bot", await ada.delete(`/bots/${elephant.id}`));
  for (let more = true; more; )
    more = (await here.db.sql("select jobs.delete_memories_of_bots() as more"))[0]?.more === true;
  expect(await tablesHere(canary)).toEqual([]);
});
