/** Several writers of one memory at once. (docs/specification/memories.md#superseding) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json, Reply, TestApi } from "../support/api.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { twoProcesses } from "../support/two-processes.ts";

const here = ownApiOfFile();
const both = twoProcesses(here);
const newMemory = { scope: "organisation", kind: "policy", subject: "Hours", value: "Nine to five" };
const rounds = 8;

const anOwner = async () => {
  const ada = await here.owner();
  const call =
    (api: TestApi) =>
    (method: string, path: string, body?: object): Promise<Reply<Json>> =>
      api.call(method, path, { key: ada.key.text, body });
  const create = async (more: object = {}): Promise<Json> =>
    expectAnswer("create_memory", await ada.post("/memories", { ...newMemory, ...more }));
  const read = async (id: string): Promise<Json> => expectAnswer("get_memory", await ada.get(`/memories/${id}`));
  return { ada, call, create, read };
};

/** Replaces the memory while another call is made. */
async function race(former: Json, { call }: Awaited<ReturnType<typeof anOwner>>, other: [string, string, object?]) {
  const [made, changed] = await both.atOnce(2, (api, each) =>
    each === 0
      ? call(api)("POST", "/memories", { ...newMemory, subject: "Hours today", value: "Ten", supersedes: former.id })
      : call(api)(...other),
  );
  return { made: made as Reply<Json>, changed: changed as Reply<Json> };
}

test("of several successors of a memory one is stored, and the others are 409", async () => {
  const { call, create, read, ada } = await anOwner();
  for (let round = 0; round < rounds; round += 1) {
    const former = await create();
    const replies = await both.atOnce(6, (api, each) =>
      call(api)("POST", "/memories", { ...newMemory, value: `Value ${each}`, supersedes: former.id }),
    );
    const made = replies.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    for (const reply of replies) if (reply.status !== 201) expectRefusal(reply, "memory_not_current");
    expect((await read(former.id)).supersededBy).toBe(made[0]?.body.id);
    const successors = await here.db.sql("select from app.memories where organisation_id = $1 and supersedes = $2", [
      ada.organisation.id,
      former.id,
    ]);
    expect(successors).toHaveLength(1);
  }
});

test("a memory that is deleted and replaced at once is gone, and its successor is not linked to it", async () => {
  const owner = await anOwner();
  for (let round = 0; round < rounds; round += 1) {
    const former = await owner.create();
    const { made, changed } = await race(former, owner, ["DELETE", `/memories/${former.id}`]);
    expectAnswer("delete_memory", changed);
    if (made.status === 201) expect((await owner.read(made.body.id)).supersedes).toBeNull();
    else expectRefusal(made, "not_found");
    expectRefusal(await owner.ada.get(`/memories/${former.id}`), "not_found");
  }
});

test("two neighbours that are deleted at once are both gone", async () => {
  const { ada, create } = await anOwner();
  for (let round = 0; round < rounds; round += 1) {
    const former = await create();
    const made = await create({ value: "Ten", supersedes: former.id });
    const replies = await both.atOnce(2, (api, each) =>
      api.call("DELETE", `/memories/${each ? former.id : made.id}`, { key: ada.key.text }),
    );
    for (const reply of replies) expectAnswer("delete_memory", reply);
  }
  const [{ deadlocks } = { deadlocks: "" }] = await here.db.sql<{ deadlocks: string }>(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  expect(deadlocks).toBe("0");
});

test("a memory that gets an end and a successor at once has the end of the second", async () => {
  const owner = await anOwner();
  const validTo = "2001-01-01T00:00:00.000Z";
  for (let round = 0; round < rounds; round += 1) {
    const former = await owner.create();
    const { made, changed } = await race(former, owner, ["PATCH", `/memories/${former.id}`, { validTo }]);
    expectAnswer("update_memory", changed);
    const ended = await owner.read(former.id);
    expect(ended.validTo).toBe(validTo);
    if (made.status === 201) expect(ended.supersededBy).toBe(made.body.id);
    else {
      expectRefusal(made, "memory_not_current");
      expect(ended.supersededBy).toBeNull();
    }
  }
});

test("a memory that is erased and replaced at once leaves no trace of its subject", async () => {
  const owner = await anOwner();
  for (let round = 0; round < rounds; round += 1) {
    const former = await owner.create({ subject: `Jane Roe ${round}` });
    const erased = { subjectKind: "organisation", subject: former.subject };
    const { made, changed } = await race(former, owner, ["POST", "/memories/erase", erased]);
    expect(expectAnswer("erase_memories", changed)).toMatchObject({ memories: 1, complete: true });
    if (made.status === 201) expect((await owner.read(made.body.id)).supersedes).toBeNull();
    else expectRefusal(made, "not_found");
  }
  const traces = await here.db.sql(
    "select from app.memory_history where organisation_id = $1 and former::text ~ 'Jane Roe'",
    [owner.ada.organisation.id],
  );
  expect(traces).toEqual([]);
});

test("memories that are written or changed at once are all found in conflict", async () => {
  const { ada, call, create } = await anOwner();
  for (let round = 0; round < rounds; round += 1) {
    const subject = `Hours ${round}`;
    const present = [await create({ subject }), await create({ subject })];
    const replies = await both.atOnce(8, (api, each) =>
      each < 2
        ? call(api)("PATCH", `/memories/${present[each].id}`, { confidence: 0.5 })
        : call(api)("POST", "/memories", { ...newMemory, subject, value: `Value ${each}` }),
    );
    for (const { status } of replies) expect(status).toBeLessThan(300);
    const found = expectAnswer("list_memories", await ada.get(`/memories?conflicts=true&subject=${subject}`)).data;
    expect(found.map(({ id }: Json) => id).sort()).toEqual(replies.map(({ body }) => body.id).sort());
    expect(found.every(({ conflictsWith }: Json) => conflictsWith.length >= 6)).toBe(true);
  }
});
