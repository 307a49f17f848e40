/** What a bot was told that is gone, in the answers that are kept for replays. (docs/decisions.md, "Kept answers are copies".) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { tablesHolding } from "../support/holding.ts";

const here = apiOfFile();
const about = (subject: string, more: object = {}) => ({ scope: "organisation", kind: "note", subject, ...more });
const holding = (text: string) => tablesHolding(here.db, text);
const canary = "Eisenhut";
/** Says it, changes it and looks at what it was, each in an answer that is kept. Answers how to ask the first again. */
async function tell(who: Member, botId: string) {
  const once = {
    key: who.key.text,
    idempotencyKey: "tell",
    body: about("Nora", { scope: "bot", botId, value: canary }),
  };
  const first = await here.api.call("POST", "/memories", once);
  const { id } = expectAnswer("create_memory", first);
  await who.patch(`/memories/${id}`, { value: `${canary} 2` });
  for (const path of [`/memories/${id}`, `/memories/${id}/history`, `/bots/${botId}`]) {
    expect((await who.post("/batch", { operations: [{ method: "GET", path }] })).body.results[0].status).toBe(200);
  }
  const { body: removed } = await who.post("/memories", about("Nora", { scope: "bot", botId, value: `${canary} 3` }));
  await who.delete(`/memories/${removed.id}`);
  expect(await holding(canary)).toContain("app.idempotency_records");
  return () => here.api.call("POST", "/memories", once);
}

test("what a deleted bot was told is shown by no replay, and nothing is done twice", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const { body: kept } = await ada.post("/memories", about("Nora", { value: "Aster" }), { idempotencyKey: "kept" });
  const again = await tell(ada, bot.id);
  await ada.delete(`/bots/${bot.id}`);
  expect(await holding(canary)).toEqual([]);
  const replay = await again();
  expectRefusal(replay, "not_found");
  expect(replay.headers.get("idempotent-replayed")).toBe("true");
  const stays = await ada.post("/memories", about("Nora", { value: "Aster" }), { idempotencyKey: "kept" });
  expect([stays.status, stays.body]).toEqual([201, kept]);
});

test("it is erased by the worker where the organisation keeps more answers than a call has time to read", async () => {
  const ada = await here.owner();
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  await tell(ada, bot.id);
  await here.db.sql(
    `insert into app.idempotency_records (organisation_id, key_id, digest, fingerprint, request_id, status, body)
     select $1, $2, sha256(n::text::bytea), sha256(''), uuidv7(), 200, '{}' from generate_series(1, 2000) n`,
    [ada.organisation.id, ada.key.id],
  );
  expectAnswer("delete_bot", await ada.delete(`/bots/${bot.id}`));
  expect((await ada.get("/memories")).body.data).toEqual([]);
  const left = () => here.db.sql("select has_claims_left as more from app.bots where id = $1", [bot.id]);
  expect([await left(), await holding(canary)]).toEqual([[{ more: true }], expect.arrayContaining(["app.memories"])]);
  for (let more = true; more; ) more = (await here.db.sql("select jobs.forget_claims() as more"))[0]?.more === true;
  expect([await left(), await holding(canary)]).toEqual([[{ more: false }], []]);
});

test("it is in no kept answer either when it goes with its owner, or is erased in parts", async () => {
  const ada = await here.owner();
  const id = await makeMember(here.db, ada.organisation.id, "admin");
  const bob = await here.another(ada, "admin", id);
  const { body: bot } = await bob.post("/bots", { name: "Bob's", visibility: "personal" });
  await tell(bob, bot.id);
  expectAnswer("remove_member", await ada.delete(`/members/${id}`));
  expect(await holding(canary)).toEqual([]);
  const { body: elephant } = await ada.post("/bots", { name: "Elephant" });
  await here.db.sql(
    `insert into app.memories (organisation_id, scope, bot_id, kind, subject, value, provenance, source)
     select $1, 'bot', $2, 'note', 'Claim', 'Before', 'member', 'test' from generate_series(1, 5000)`,
    [ada.organisation.id, elephant.id],
  );
  await tell(ada, elephant.id);
  await ada.delete(`/bots/${elephant.id}`);
  for (let more = true; more; ) more = (await here.db.sql("select jobs.forget_claims() as more"))[0]?.more === true;
  expect(await holding(canary)).toEqual([]);
});
