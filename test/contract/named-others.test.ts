/**
 * A write must not succeed for another person or bot than its body names. (docs/specification/conventions.md#formats) Names of people
 * and bots are read from the contract, so a new field is in these tests.
 */
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { absent } from "../support/requests.ts";
import { type Documented, readDocument } from "./document.ts";
import { makeContractFixture } from "./fixture.ts";

const { operations, document, resolve } = readDocument(openApiDocument("http://127.0.0.1:3000"));
const writes = operations.filter(({ method, id }) => ["POST", "PATCH"].includes(method) && id !== "receive_hook");

const here = apiOfFile();

/** Names of ids and addresses that are no person and no bot. A further name fails the first test, until it is put on either side. */
const ofThings = [
  ...["id", "runId", "conversationId", "approvalId", "organisationId", "keyId", "requestId", "resourceId", "entryId"],
  ...["streamId", "afterEntryId"],
  ...["webhookId", "lastRunId", "invitationId", "memoryId", "memoryIds", "routineId", "retryOf", "auditEntryId"],
  ...["supersedes", "supersededBy", "conflictsWith"],
  ...["createdBy", "changedBy", "invitedBy"], // the database sets these; a client may send them back
];
const ofOthers = [...["userId", "personId", "ownerId", "email", "owner", "person", "botId", "botIds"]];
/** Names that the contract does not have. */
const close = ["memberId", "user_id", "OWNER-ID", "bot", "onBehalfOfUser", "emailAddress"];

/** The names of all properties whose values are ids or addresses, or objects with them. */
function idsIn(schema: Json, found = new Set<string>()): Set<string> {
  for (const [name, property] of Object.entries<Json>(schema?.properties ?? {})) {
    if (/"format":"(uuid|email)"/.test(JSON.stringify(property))) found.add(name);
  }
  for (const each of Object.values<Json>(schema ?? {})) if (typeof each === "object") idsIn(each, found);
  return found;
}

const propertiesOf = (schema: Json): string[] => Object.keys(resolve<Json>(schema ?? {})?.properties ?? {});
const fieldsOf = ({ body }: Documented) => propertiesOf(body?.content["application/json"].schema);
const replyOf = ({ responses, status }: Documented) =>
  propertiesOf((responses[status] as Json)?.content?.["application/json"]?.schema);

test("each id and address of the contract is known to name a person or a bot, or not to", () => {
  const listed = idsIn(document as Json);
  for (const name of ["data", "memories"]) listed.delete(name); // of an event, and the lines of an import
  expect([...listed].filter((name) => !ofThings.includes(name) && !ofOthers.includes(name))).toEqual([]);
});

test.each(writes.map((operation) => [operation.id, operation] as const))(
  "%s refuses each field that names a person or a bot, and that it does not have",
  async (_id, operation) => {
    const fixture = await makeContractFixture(here.db, here.api);
    const skipped = [...fieldsOf(operation), ...(operation.method === "PATCH" ? replyOf(operation) : [])];
    const others = [...ofOthers, ...close].filter((name) => !skipped.includes(name));
    const added = Object.fromEntries(others.map((name) => [name, absent]));
    const body = { ...(await fixture.example(operation)), ...added };
    const refused = await fixture.send(operation, { body });
    expectRefusal(refused, "invalid_request");
    expect(refused.body.error.details.map(({ path }: Json) => path).sort()).toEqual(
      others.map((name) => `body.${name}`).sort(),
    );
    const inQuery = await fixture.send(operation, { query: `?memberId=${absent}` });
    expectRefusal(inQuery, "invalid_request", ["query.memberId"]);
  },
);

test("an operation of a batch is refused in the same way", async () => {
  const ada = await here.owner();
  const operation = { method: "POST", path: "/keys", body: { name: "For Max", userId: absent } };
  const { body } = await ada.post("/batch", { operations: [operation] });
  expect(body.results).toMatchObject([{ status: 400, body: { error: { details: [{ path: "body.userId" }] } } }]);
  expect((await ada.get("/keys")).body.data).toHaveLength(1);
});

test("organisationId and other unknown fields are dropped, and so is a name that is too long", async () => {
  const ada = await here.owner();
  const long = `user${"_".repeat(40)}id`;
  const body = { name: "Ada", organisationId: absent, runId: absent, userAgent: "curl", [long]: absent };
  expectAnswer("create_bot", await ada.post("/bots", body));
});

test("PATCH accepts a resource as it was read, and refuses the id of another in the path's name", async () => {
  const ada = await here.owner();
  const bot = expectAnswer("create_bot", await ada.post("/bots", { name: "Ada" }));
  expect(expectAnswer("update_bot", await ada.patch(`/bots/${bot.id}`, { ...bot, name: "Bo" })).ownerId).toBe(
    bot.ownerId,
  );
  const max = await makeMember(here.db, ada.organisation.id, "member");
  const member = expectAnswer("get_member", await ada.get(`/members/${max}`));
  expectAnswer("change_member", await ada.patch(`/members/${max}`, { ...member, role: "admin" }));
  const mistaken = await ada.patch(`/members/${max}`, { userId: ada.organisation.ownerId, role: "member" });
  expectRefusal(mistaken, "invalid_request", ["body.userId"]);
  expect((await ada.get(`/members/${max}`)).body.role).toBe("admin");
});

test("create_portal_session opens a session as the member of userId or personId, and refuses memberId", async () => {
  const ada = await here.owner();
  const max = await makeMember(here.db, ada.organisation.id, "member");
  for (const name of ["userId", "personId"]) {
    const session = expectAnswer("create_portal_session", await ada.post("/portal-sessions", { [name]: max }));
    expect(session.personId).toBe(max);
  }
  expectRefusal(await ada.post("/portal-sessions", { memberId: max }), "invalid_request", ["body.memberId"]);
});
