import { randomUUID } from "node:crypto";
import { expectRefused, expectSuccess } from "./client.ts";
import { aBot, aMember, anExecutor, anOrganisation, another, handModel, keyOf } from "./service.ts";
import { specifies } from "./specified.ts";

const aMemory = { scope: "organisation", kind: "fact", subject: "Harbour", value: "Closes at nine" };
const invalid = ["invalid_request"] as const;

specifies("4-memories-bounds", async () => {
  const ours = await anOrganisation();
  for (const [field, max] of [
    ["kind", 60],
    ["subject", 200],
    ["value", 4000],
  ] as const) {
    for (const text of ["x", "x".repeat(max), "😀".repeat(max)]) {
      const made = expectSuccess(await ours.post("/memories", { ...aMemory, [field]: text }), 201);
      expect(made[field]).toBe(text);
    }
    for (const text of ["", "x".repeat(max + 1), "😀".repeat(max + 1), undefined]) {
      expectRefused(await ours.post("/memories", { ...aMemory, [field]: text }), 400, ...invalid, [`body.${field}`]);
    }
  }
});

specifies("4-memories-confidence", async () => {
  const ours = await anOrganisation();
  for (const confidence of [0, 0.5, 1]) {
    expect(expectSuccess(await ours.post("/memories", { ...aMemory, confidence }), 201).confidence).toBe(confidence);
  }
  for (const confidence of [-0.01, 1.01, "1"]) {
    expectRefused(await ours.post("/memories", { ...aMemory, confidence }), 400, ...invalid, ["body.confidence"]);
  }
});

specifies("4-memories-bot", async () => {
  const ours = await anOrganisation();
  const botId = await aBot(ours);
  const made = expectSuccess(await ours.post("/memories", { ...aMemory, scope: "bot", botId }), 201);
  expect(made).toMatchObject({ scope: "bot", botId });
  expectRefused(await ours.post("/memories", { ...aMemory, botId }), 400, ...invalid, ["body.botId"]);
  expect(expectSuccess(await ours.post("/memories", { ...aMemory, botId: null }), 201).botId).toBeNull();
  for (const missing of [undefined, null, "ada"]) {
    const refused = await ours.post("/memories", { ...aMemory, scope: "bot", botId: missing });
    expectRefused(refused, 400, ...invalid, ["body.botId"]);
  }
  expectRefused(await ours.post("/memories", { ...aMemory, scope: "bot", botId: randomUUID() }), 404, "not_found");
});

specifies("4-memories-enumerations", async () => {
  const ours = await anOrganisation();
  for (const subjectKind of ["organisation", "member", "third_party"]) {
    expect(expectSuccess(await ours.post("/memories", { ...aMemory, subjectKind }), 201).subjectKind).toBe(subjectKind);
  }
  for (const [field, value] of [
    ["subjectKind", "person"],
    ["lawfulBasis", "none"],
    ["scope", "team"],
  ] as const) {
    expectRefused(await ours.post("/memories", { ...aMemory, [field]: value }), 400, ...invalid, [`body.${field}`]);
  }
});

specifies("4-memories-list", async () => {
  const ours = await anOrganisation();
  const botId = await aBot(ours);
  const ofBot = expectSuccess(await ours.post("/memories", { ...aMemory, scope: "bot", botId }), 201).id;
  const ofAll = expectSuccess(await ours.post("/memories", aMemory), 201).id;
  const ids = async (query: string) =>
    expectSuccess(await ours.get(`/memories${query}`)).data.map(({ id }: { id: string }) => id);
  expect(await ids("")).toEqual([ofAll, ofBot]);
  expect(await ids("?scope=organisation")).toEqual([ofAll]);
  expect(await ids(`?scope=bot&botId=${botId}`)).toEqual([ofBot]);
  expect(await ids(`?botId=${botId}`)).toEqual([ofBot]);
});

specifies("4-memories-patch", async () => {
  const ours = await anOrganisation();
  const { id, ...made } = expectSuccess(await ours.post("/memories", aMemory), 201);
  const changes = {
    value: "Closes at ten",
    confidence: 0.5,
    validTo: "2030-01-01T00:00:00.000Z",
    lawfulBasis: "consent",
  };
  for (const [field, value] of Object.entries(changes)) {
    expect(expectSuccess(await ours.patch(`/memories/${id}`, { [field]: value }))[field]).toBe(value);
  }
  expect(expectSuccess(await ours.get(`/memories/${id}`))).toEqual({ id, ...made, ...changes });
  for (const body of [{}, { subject: "Pier" }, { provenance: "run" }]) {
    expectRefused(await ours.patch(`/memories/${id}`, body), 400, ...invalid);
  }
  expect(expectSuccess(await ours.patch(`/memories/${id}`, { validTo: null })).validTo).toBeNull();
  expectRefused(await ours.patch(`/memories/${randomUUID()}`, { value: "x" }), 404, "not_found");
});

specifies("4-memories-delete", async () => {
  const ours = await anOrganisation();
  const { id } = expectSuccess(await ours.post("/memories", aMemory), 201);
  expect(expectSuccess(await ours.delete(`/memories/${id}`))).toEqual({ id, deleted: true });
  for (const answer of [await ours.get(`/memories/${id}`), await ours.delete(`/memories/${id}`)]) {
    expectRefused(answer, 404, "not_found");
  }
});

specifies("4-memories-member", async () => {
  const ours = await anOrganisation();
  expectRefused(await ours.post("/memories", { ...aMemory, scope: "member" }), 400, ...invalid, ["body.scope"]);
  const executor = await anExecutor();
  const botId = await aBot(ours, { model: handModel });
  expectSuccess(await ours.post("/runs", { botId, message: "Hello" }), 202);
  const assignment = await executor.lease();
  if (!assignment) throw new Error("No run waits.");
  const { memoryId } = await executor.propose(assignment, { ...aMemory, scope: "member" });
  await executor.finish(assignment);
  expect(expectSuccess(await ours.get(`/memories/${memoryId}`))).toMatchObject({ scope: "member", provenance: "run" });
  expectRefused(await ours.patch(`/memories/${memoryId}`, { value: "x" }), 403, "forbidden");
  expectRefused(await ours.delete(`/memories/${memoryId}`), 403, "forbidden");
  const theirs = await keyOf(ours, (await aMember(ours, "admin")).userId);
  expectRefused(await theirs.get(`/memories/${memoryId}`), 404, "not_found");
});

specifies("4-memories-invisible-bot", async () => {
  const ours = await anOrganisation();
  const botId = await aBot(ours, { visibility: "personal" });
  const { id } = expectSuccess(await ours.post("/memories", { ...aMemory, scope: "bot", botId }), 201);
  const theirs = await keyOf(ours, (await aMember(ours, "admin")).userId);
  expectRefused(await theirs.get(`/memories/${id}`), 404, "not_found");
  expectRefused(await theirs.patch(`/memories/${id}`, { value: "x" }), 404, "not_found");
  expectRefused(await theirs.post("/memories", { ...aMemory, scope: "bot", botId }), 404, "not_found");
  expect(expectSuccess(await theirs.get("/memories")).data).toEqual([]);
});

specifies("4-memories-third-party", async () => {
  const ours = await anOrganisation();
  for (const kind of [
    "health",
    "religion",
    "politics",
    "ethnicity",
    "sexuality",
    "biometrics",
    "genetics",
    "trade_union",
    "criminal_record",
    "Health ",
  ]) {
    expectRefused(await ours.post("/memories", { ...aMemory, subjectKind: "third_party", kind }), 403, "forbidden");
    expectSuccess(await ours.post("/memories", { ...aMemory, kind }), 201);
  }
});

specifies("4-memories-scopes", async () => {
  const ours = await anOrganisation();
  const [reader, writer] = [await another(ours, "read"), await another(ours, "write")];
  const { id } = expectSuccess(await writer.post("/memories", aMemory), 201);
  expectSuccess(await reader.get(`/memories/${id}`));
  expectRefused(await reader.post("/memories", aMemory), 401, "unauthenticated");
  expectRefused(await reader.patch(`/memories/${id}`, { value: "x" }), 401, "unauthenticated");
  expectRefused(await reader.delete(`/memories/${id}`), 401, "unauthenticated");
  expectSuccess(await writer.delete(`/memories/${id}`));
});
