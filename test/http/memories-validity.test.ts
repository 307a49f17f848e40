/** When memories are valid. (docs/specification/memories.md#fields) */
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";

const here = apiOfFile();
const newMemory = { scope: "organisation", kind: "policy", subject: "Hours", value: "Nine to five" };
const past = "2001-01-01T00:00:00.000Z";
const future = "2999-01-01T00:00:00.000Z";
const later = "2999-06-01T00:00:00.000Z";

test("validFrom is set by create_memory and update_memory, with any offset, and removed by null", async () => {
  const ada = await here.owner("write");
  const made = expectAnswer(
    "create_memory",
    await ada.post("/memories", { ...newMemory, validFrom: "2999-01-01T02:00:00+02:00", validTo: later }),
  );
  expect(made).toMatchObject({ validFrom: future, validTo: later });
  const change = async (body: object) =>
    expectAnswer("update_memory", await ada.patch(`/memories/${made.id}`, body)).validFrom;
  expect(await change({ validFrom: past })).toBe(past);
  expect(await change({ value: "Ten to six" })).toBe(past);
  expect(await change({ validFrom: null })).toBeNull();
  expectRefusal(await ada.patch(`/memories/${made.id}`, { validFrom: "soon" }), "invalid_request", ["body.validFrom"]);
});

test.each([
  ["later", { validFrom: later, validTo: future }],
  ["the same", { validFrom: future, validTo: future }],
])(
  "a validFrom that is %s than validTo is refused in one request, and in two",
  async (_name, { validFrom, validTo }) => {
    const ada = await here.owner("write");
    const refused = ["body.validTo"];
    expectRefusal(await ada.post("/memories", { ...newMemory, validFrom, validTo }), "invalid_request", refused);
    const { id } = expectAnswer("create_memory", await ada.post("/memories", { ...newMemory, validTo }));
    expectRefusal(await ada.patch(`/memories/${id}`, { validFrom, validTo }), "invalid_request", refused);
    expectRefusal(await ada.patch(`/memories/${id}`, { validFrom }), "invalid_request", refused);
    expect(expectAnswer("get_memory", await ada.get(`/memories/${id}`))).toMatchObject({ validFrom: null, validTo });
    await expect(
      here.db.sql(
        `begin; set local session_replication_role = replica; update app.memories set valid_from = '${validFrom}' where id = '${id}'; commit`,
      ),
    ).rejects.toMatchObject({ constraint: "memories_validity_check" });
  },
);

test("current=true omits memories that are not valid yet, in each list", async () => {
  const ada = await here.owner("write");
  const create = async (more: object) =>
    expectAnswer("create_memory", await ada.post("/memories", { ...newMemory, ...more })).id;
  const [began, , always] = [
    await create({ validFrom: past }),
    await create({ validFrom: future }),
    await create({ validTo: future }),
  ];
  const ids = async (query: string) =>
    expectAnswer("list_memories", await ada.get(`/memories?${query}`)).data.map(({ id }: Json) => id);
  for (const query of ["", "&subject=hours", "&q=hours"]) {
    expect((await ids(`current=true${query}`)).sort()).toEqual([began, always].sort());
    expect(await ids(`current=false${query}`)).toHaveLength(3);
  }
});

test("asOf with current=true refers to the validity at that instant, as it was stored then", async () => {
  const ada = await here.owner("write");
  const { id, createdAt } = expectAnswer("create_memory", await ada.post("/memories", newMemory));
  const [{ at } = { at: "" }] = await here.db.sql<{ at: string }>(
    "select rows.time(clock_timestamp() + interval '2 ms') as at, pg_sleep(0.005)", // sleeps until the instant has passed
  );
  await ada.patch(`/memories/${id}`, { validFrom: future });
  const listed = async (instant: string) =>
    expectAnswer("list_memories", await ada.get(`/memories?asOf=${instant}&current=true`)).data;
  expect(await listed(at)).toEqual([expect.objectContaining({ id, validFrom: null })]);
  await ada.patch(`/memories/${id}`, { value: "Ten to six" });
  const [{ at: now } = { at: "" }] = await here.db.sql<{ at: string }>(
    "select rows.time(clock_timestamp() + interval '2 ms') as at, pg_sleep(0.005)", // as above
  );
  expect(await listed(now)).toEqual([]);
  expect(createdAt < at).toBe(true);
  const history = expectAnswer("list_memory_history", await ada.get(`/memories/${id}/history`)).data;
  expect(history.map(({ validFrom }: Json) => validFrom)).toEqual([future, null]);
});
