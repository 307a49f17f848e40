/** The stream of the audit log: its rows, refusals and secret. Sending is tested in test/worker. (docs/specification/audit-log.md#stream) */
import { expectRefusal } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";
import { absent } from "../support/requests.ts";
import { twoProcesses } from "../support/two-processes.ts";

const here = apiOfFile();
const { atOnce } = twoProcesses(here);
const url = "https://siem.example/botstead";

test("create_audit_stream shows the secret once, and rotate_audit_stream_secret a new one", async () => {
  const ada = await here.owner();
  const made = await ada.post("/audit/stream", { url });
  expect(made.status).toBe(201);
  expect(made.headers.get("location")).toMatch(/\/api\/v1\/audit\/stream$/);
  expect(made.body).toMatchObject({ url, format: "entries", state: "active", afterEntryId: null, afterSequence: 0 });
  expect(made.body.secret).toMatch(/^whsec_/);
  const got = await ada.get("/audit/stream");
  expect(got.body).toEqual({ ...made.body, secret: undefined });
  const rotated = (await ada.post("/audit/stream/rotate", {})).body;
  expect(rotated.secret).not.toBe(made.body.secret);
  expect({ ...rotated, secret: undefined }).toEqual(got.body);
});

test("each change of the secret queues a job, also two in the same millisecond", async () => {
  const ada = await here.owner();
  await ada.post("/audit/stream", { url });
  const operation = { method: "POST", path: "/audit/stream/rotate", body: {} };
  const { body } = await ada.post("/batch", { atomic: true, operations: [operation, operation] });
  expect(body.results).toMatchObject([{ status: 200 }, { status: 200 }]);
  const [jobs] = await here.db.sql(
    `select count(*)::integer from graphile_worker.jobs
     where task_identifier = 'stream_audit_log'
       and id in (select id from graphile_worker._private_jobs where payload ->> 'organisationId' = $1)`,
    [ada.organisation.id],
  );
  expect(jobs).toEqual({ count: 3 });
});

test("of concurrent creations one succeeds, and a deleted stream makes room for another", async () => {
  const ada = await here.owner();
  const answers = await atOnce(4, (api) => api.call("POST", "/audit/stream", { key: ada.key.text, body: { url } }));
  const [made, ...more] = answers.filter(({ status }) => status === 201);
  expect(more).toEqual([]);
  for (const answer of answers) if (answer !== made) expectRefusal(answer, "audit_stream_exists");
  expect((await ada.delete("/audit/stream")).body).toEqual({ id: made?.body.id, deleted: true });
  expectRefusal(await ada.delete("/audit/stream"), "not_found");
  expectRefusal(await ada.get("/audit/stream"), "not_found");
  expect((await ada.post("/audit/stream", { url, format: "ocsf" })).status).toBe(201);
});

test("a position is an entry of the own log, and a PATCH moves it back only", async () => {
  const [ada, bob] = [await here.owner(), await here.owner()];
  const entries = (await ada.get("/audit")).body.data;
  const [newest, older] = entries;
  const [foreign] = (await bob.get("/audit")).body.data;
  for (const afterEntryId of [absent, foreign.id])
    expectRefusal(await ada.post("/audit/stream", { url, afterEntryId }), "not_found");
  const made = await ada.post("/audit/stream", { url, afterEntryId: newest.id });
  expect(made.body).toMatchObject({ afterEntryId: newest.id, afterSequence: newest.sequence });
  const back = await ada.patch("/audit/stream", { afterEntryId: older.id });
  expect(back.body).toMatchObject({ afterEntryId: older.id, afterSequence: older.sequence });
  expectRefusal(await ada.patch("/audit/stream", { afterEntryId: newest.id }), "entry_not_sent");
  expectRefusal(await ada.patch("/audit/stream", { afterEntryId: foreign.id }), "not_found");
  const begin = await ada.patch("/audit/stream", { afterEntryId: null });
  expect(begin.body).toMatchObject({ afterEntryId: null, afterSequence: 0 });
});

test("private targets, other schemes and unknown formats are refused", async () => {
  const ada = await here.owner();
  for (const refused of ["http://siem.example/", "https://localhost/", "https://10.0.0.1/", "https://[::1]/"])
    expectRefusal(await ada.post("/audit/stream", { url: refused }), "invalid_request");
  expectRefusal(await ada.post("/audit/stream", { url, format: "cef" }), "invalid_request");
  await ada.post("/audit/stream", { url });
  expectRefusal(await ada.patch("/audit/stream", { url: "https://192.168.0.1/" }), "invalid_request");
  expectRefusal(await ada.patch("/audit/stream", { state: "disabled" }), "invalid_request");
});

test("creation, change and deletion are entries of the log without URL and secret", async () => {
  const ada = await here.owner();
  const { id } = (await ada.post("/audit/stream", { url })).body;
  await ada.patch("/audit/stream", { url: `${url}/2`, format: "ocsf" });
  await ada.delete("/audit/stream");
  const { body, text } = await ada.get(`/audit?resourceId=${id}`);
  expect(body.data).toMatchObject([
    { action: "deleted", resource: "audit_stream" },
    { action: "updated", changed: ["url", "format", "contentDigest"], after: { format: "ocsf" } },
    { action: "created", after: { format: "entries", state: "active" } },
  ]);
  expect(text).not.toContain("siem.example");
});
