/** Memories: create, update, delete. (docs/specification/memories.md) */
import { Memory } from "../../src/contract/memory-fields.ts";
import { expectAnswer, expectRefusal, nulls } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";
import { absent } from "../support/requests.ts";

const here = apiOfFile();
const newMemory = { scope: "organisation", kind: "policy", subject: "Hours", value: "Nine to five" };

test("create_memory fills in defaults and records its caller as creator", async () => {
  const ada = await here.owner("write");
  const made = await ada.post("/memories", newMemory);
  const memory = expectAnswer("create_memory", made);
  expect(memory).toEqual({
    ...nulls(Memory),
    ...newMemory,
    id: memory.id,
    subjectKind: "organisation",
    confidence: 1,
    provenance: "member",
    createdAt: memory.createdAt,
    lawfulBasis: "legitimate_interests",
  });
  expect(made.headers.get("location")).toMatch(new RegExp(`/api/v1/memories/${memory.id}$`));
  expect(expectAnswer("get_memory", await ada.get(`/memories/${memory.id}`))).toEqual(memory);
  const [stored] = await here.db.sql("select source, created_by from app.memories where id = $1", [memory.id]);
  expect(stored).toEqual({ source: "api", created_by: ada.organisation.ownerId });
});

test("create_memory stores each field, also for a bot", async () => {
  const ada = await here.owner("write");
  const { body: bot } = await ada.post("/bots", { name: "Ada" });
  const botMemory = {
    ...newMemory,
    scope: "bot",
    botId: bot.id,
    subjectKind: "third_party",
    confidence: 0.25,
    validTo: "2031-05-06T07:08:09.123Z",
    lawfulBasis: "consent",
  };
  expect(expectAnswer("create_memory", await ada.post("/memories", botMemory))).toMatchObject(botMemory);
});

test("create_memory accepts exactly the values of each enumeration", async () => {
  const ada = await here.owner();
  const lists = {
    subjectKind: ["organisation", "member", "third_party"],
    lawfulBasis: ["consent", "contract", "legal_obligation", "vital_interests", "public_task", "legitimate_interests"],
  };
  for (const [field, values] of Object.entries(lists)) {
    for (const value of values)
      expect((await ada.post("/memories", { ...newMemory, [field]: value })).body[field]).toBe(value);
    for (const value of ["other", null, 1, ""]) {
      expectRefusal(await ada.post("/memories", { ...newMemory, [field]: value }), "invalid_request", [
        `body.${field}`,
      ]);
    }
  }
});

test("create_memory names each missing field", async () => {
  const ada = await here.owner();
  expectRefusal(await ada.post("/memories", {}), "invalid_request", [
    "body.scope",
    "body.kind",
    "body.subject",
    "body.value",
  ]);
});

test("confidence accepts any number from 0 to 1 and keeps its precision", async () => {
  const ada = await here.owner();
  for (const confidence of [0, 5e-324, 0.1, 0.30000000000000004, 1 - Number.EPSILON / 2, 1]) {
    expect((await ada.post("/memories", { ...newMemory, confidence })).body.confidence).toBe(confidence);
  }
  for (const confidence of [-0.0001, 1.0001, "1", null, true]) {
    expectRefusal(await ada.post("/memories", { ...newMemory, confidence }), "invalid_request", ["body.confidence"]);
  }
  const raw = JSON.stringify(newMemory).replace("}", ',"confidence":1e100000}');
  expectRefusal(await ada.post("/memories", undefined, { raw }), "invalid_request", ["body.confidence"]);
});

test("validTo accepts any offset, returns UTC with milliseconds, and refuses other formats", async () => {
  const ada = await here.owner();
  const times = {
    "2030-01-01T00:00:00Z": "2030-01-01T00:00:00.000Z",
    "2030-01-01T00:00:00+23:59": "2029-12-31T00:01:00.000Z",
    "2030-01-01T00:00:00.123456789-15:59": "2030-01-01T15:59:00.123Z",
    "0001-01-02T00:00:00+05:00": "0001-01-01T19:00:00.000Z",
    "9999-12-31T23:59:59.999Z": "9999-12-31T23:59:59.999Z",
  };
  const { body: memory } = await ada.post("/memories", newMemory);
  for (const [sent, kept] of Object.entries(times)) {
    expect((await ada.post("/memories", { ...newMemory, validTo: sent })).body.validTo).toBe(kept);
    expect((await ada.patch(`/memories/${memory.id}`, { validTo: sent })).body.validTo).toBe(kept);
  }
  const refused = [
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "2030-02-30T00:00:00Z",
    "2030-01-01T24:00:00Z",
    "2030-01-01T00:00:00",
    "2030-01-01",
    "tomorrow",
    "infinity",
    1893456000,
  ];
  for (const validTo of refused) {
    expectRefusal(await ada.post("/memories", { ...newMemory, validTo }), "invalid_request", ["body.validTo"]);
  }
});

test("update_memory changes one field and keeps the others", async () => {
  const ada = await here.owner("write");
  let { body: memory } = await ada.post("/memories", newMemory);
  const changes = { value: "Ten to six", confidence: 0, validTo: "2030-01-01T00:00:00.000Z", lawfulBasis: "contract" };
  for (const [field, value] of [...Object.entries(changes), ["validTo", null]] as const) {
    const changed = expectAnswer(
      "update_memory",
      await ada.patch(`/memories/${memory.id}`, { [field as string]: value }),
    );
    expect(changed).toEqual({ ...memory, [field as string]: value });
    memory = changed;
  }
  expect((await ada.get(`/memories/${memory.id}`)).body).toEqual(memory);
});

test("update_memory without a changeable field returns invalid_request", async () => {
  const ada = await here.owner();
  const { body: memory } = await ada.post("/memories", newMemory);
  for (const body of [{}, { subject: "Other", provenance: "run", kind: "other", subjectKind: "member" }]) {
    expectRefusal(await ada.patch(`/memories/${memory.id}`, body), "invalid_request", ["body"]);
  }
  for (const field of ["value", "confidence", "lawfulBasis"]) {
    expectRefusal(await ada.patch(`/memories/${memory.id}`, { [field]: null }), "invalid_request", [`body.${field}`]);
  }
  expect((await ada.get(`/memories/${memory.id}`)).body).toEqual(memory);
});

test("update_memory keeps the provenance run-tainted", async () => {
  const ada = await here.owner();
  const [tainted] = await here.db.sql<{ id: string }>(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source)
     values ($1, 'organisation', 'k', 's', 'v', 'run-tainted', 'run') returning id`,
    [ada.organisation.id],
  );
  const changed = expectAnswer("update_memory", await ada.patch(`/memories/${tainted?.id}`, { value: "Checked" }));
  expect(changed).toMatchObject({ value: "Checked", provenance: "run-tainted" });
});

test("The database sets provenance, source and creator; values in the request are ignored", async () => {
  const ada = await here.owner();
  const said = { provenance: "import", source: "application", createdBy: absent, runId: absent, search: "'x'" };
  const { body: memory } = await ada.post("/memories", { ...newMemory, ...said });
  await ada.patch(`/memories/${memory.id}`, { ...said, value: "Ten to six" });
  const [stored] = await here.db.sql(
    "select provenance, source, created_by, run_id, search_vector @@ 'x' as written from app.memories where id = $1",
    [memory.id],
  );
  expect(stored).toEqual({
    provenance: "member",
    source: "api",
    created_by: ada.organisation.ownerId,
    run_id: null,
    written: false,
  });
  const [past] = (await ada.get(`/memories/${memory.id}/history`)).body.data;
  expect(past).toMatchObject({ provenance: "member", changedBy: ada.organisation.ownerId });
});

test("delete_memory deletes once; later calls on the memory return 404", async () => {
  const ada = await here.owner("write");
  const { body: memory } = await ada.post("/memories", newMemory);
  expect(expectAnswer("delete_memory", await ada.delete(`/memories/${memory.id}`))).toEqual({
    id: memory.id,
    deleted: true,
  });
  expectRefusal(await ada.get(`/memories/${memory.id}`), "not_found");
  expectRefusal(await ada.delete(`/memories/${memory.id}`), "not_found");
  expectRefusal(await ada.patch(`/memories/${memory.id}`, { value: "v" }), "not_found");
});
