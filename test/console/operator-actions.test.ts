/** Operator actions: required credentials, effects and log entries. (docs/console.md) */
import { makeCredential } from "../../src/secrets/credentials.ts";
import { type Seeded, seedOrganisation, seedService } from "../sql/seed.ts";
import { type GraphQlResult, mintToken, type TestConsole, type Token, testConsole } from "../support/console.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { actionCases, mutation, readValue } from "./operator-action-cases.ts";

let db: TestDatabase;
let testServer: TestConsole;
const tokens: Record<string, Token> = {};

beforeAll(async () => {
  db = await testDatabase();
  await seedService(db);
  // Each request has its own client address, so that earlier failures do not rate-limit it.
  testServer = await testConsole(db, { TRUSTED_PROXIES: "127.0.0.0/8" });
  for (const name of ["expired", "revoked", "view", "act"]) {
    tokens[name] = await mintToken(db, name === "view" ? "view" : "act", `Otto ${name}`);
  }
  await db.sql("update app.operator_tokens set expires_at = now() where id = $1", [tokens.expired?.id]);
  await db.sql("select operator.revoke_token($1)", [tokens.revoked?.id]);
});

afterAll(async () => {
  await testServer.stop();
  await db.drop();
});

const credentials: [string, () => string | undefined, string][] = [
  ["no token", () => undefined, "unauthenticated"],
  ["a malformed token", () => "bso_nothing", "unauthenticated"],
  ["an unknown token", () => makeCredential("bso").text, "unauthenticated"],
  ["an expired token", () => tokens.expired?.text, "unauthenticated"],
  ["a revoked token", () => tokens.revoked?.text, "unauthenticated"],
  ["a token of scope view", () => tokens.view?.text, "forbidden"],
];

let calls = 0;

async function call(name: string, input: object, token: string | undefined): Promise<GraphQlResult> {
  calls += 1;
  const response = await fetch(`${testServer.url}/graphql`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-forwarded-for": `198.51.${calls >> 8}.${calls & 255}`,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query: mutation(name), variables: { input } }),
  });
  return { status: response.status, ...((await response.json()) as Omit<GraphQlResult, "status">) };
}

const tokenOf = (name: string) => tokens[name]?.text;
const codeOf = ({ errors }: GraphQlResult) => errors?.[0]?.extensions?.code;

const logEntries = (seeded: Seeded) =>
  db.sql(
    `select operator, action, reason, subject_id, arguments from app.operator_actions
     where organisation_id = $1 and operator <> 'matrix'`,
    [seeded.ids.organisation],
  );

test("every mutation of the console has a test case here", async () => {
  const { data } = await testServer.ask("{ __schema { mutationType { fields { name } } } }", tokens.view?.text ?? "");
  const names = data.__schema.mutationType.fields.map(({ name }: { name: string }) => name);
  expect(names.sort()).toEqual(Object.keys(actionCases).sort());
});

describe.each(Object.entries(actionCases))("%s", (name, action) => {
  let seeded: Seeded;
  let input: object;
  let valueBefore: unknown;

  beforeAll(async () => {
    seeded = await seedOrganisation(db);
    if (action.prepare) await readValue(db, seeded, action.prepare);
    input = { organisation: seeded.ids.organisation, reason: " Ticket 7 ", ...action.input?.(seeded) };
    valueBefore = await readValue(db, seeded, action.query);
  });

  test.each(credentials)("is refused with %s, and changes and logs nothing", async (_, token, code) => {
    expect(codeOf(await call(name, input, token()))).toBe(code);
    expect(await readValue(db, seeded, action.query)).toEqual(valueBefore);
    expect(await logEntries(seeded)).toEqual([]);
  });

  test.each([
    ["", 0],
    [" ", 0],
    ["x".repeat(501), 501],
  ])("is refused with the reason %j, because it needs 1 to 500 characters", async (reason) => {
    const result = await call(name, { ...input, reason }, tokenOf("act"));
    expect(codeOf(result)).toBe("invalid_request");
    expect(await readValue(db, seeded, action.query)).toEqual(valueBefore);
  });

  test("is refused with not_found for an unknown organisation", async () => {
    const nowhere = "00000000-0000-7000-8000-000000000000";
    expect(codeOf(await call(name, { ...input, organisation: nowhere }, tokenOf("act")))).toBe("not_found");
    expect(await readValue(db, seeded, action.query)).toEqual(valueBefore);
  });

  test("changes the row and logs the reason with a token of scope act", async () => {
    expect(valueBefore).not.toEqual(action.expected);
    const answer = await call(name, input, tokenOf("act"));
    expect(answer.errors).toBeUndefined();
    expect(answer.data[name].result).not.toBeNull();
    expect(await readValue(db, seeded, action.query)).toEqual(action.expected);
    const [logged, ...more] = await logEntries(seeded);
    expect(more).toEqual([]);
    expect(logged).toMatchObject({
      operator: "Otto act",
      action: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      reason: "Ticket 7",
    });
    const entries = await db.sql(
      "select distinct actor, operator, reason from app.audit_log where organisation_id = $1 and operator is not null",
      [seeded.ids.organisation],
    );
    expect(entries).toEqual([{ actor: "operator", operator: "Otto act", reason: "Ticket 7" }]);
    expect(JSON.stringify(logged)).not.toMatch(/bsk_|bsi_|bsl_|"We"/); // neither secrets nor the subject
  });

  test("has the same result a second time, or is refused", async () => {
    const result = await call(name, input, tokenOf("act"));
    expect(codeOf(result)).toBe(action.secondCode);
  });
});
