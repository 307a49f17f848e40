/** Who may act, and what an act leaves behind. (docs/console.md.) */
import { makeCredential } from "../../src/secrets/credentials.ts";
import { type Seeded, seedOrganisation, seedService } from "../sql/seed.ts";
import { mintToken, type TestConsole, type Token, type Told, testConsole } from "../support/console.ts";
import { type TestDatabase, testDatabase } from "../support/database.ts";
import { acts, mutation, seenIn } from "./acts.ts";

let db: TestDatabase;
let here: TestConsole;
const tokens: Record<string, Token> = {};

beforeAll(async () => {
  db = await testDatabase();
  await seedService(db);
  // Each call comes from an address of its own, as a proxy tells it: none is refused because of the failures before it.
  here = await testConsole(db, { TRUSTED_PROXIES: "127.0.0.0/8" });
  for (const name of ["expired", "revoked", "view", "act"]) {
    tokens[name] = await mintToken(db, name === "view" ? "view" : "act", `Otto ${name}`);
  }
  await db.sql("update app.operator_tokens set expires_at = now() where id = $1", [tokens.expired?.id]);
  await db.sql("select operator.revoke_token($1)", [tokens.revoked?.id]);
}, 60_000);

afterAll(async () => {
  await here.stop();
  await db.drop();
});

const credentials: [string, () => string | undefined, string][] = [
  ["no token", () => undefined, "unauthenticated"],
  ["a malformed token", () => "bso_nothing", "unauthenticated"],
  ["a token that never was", () => makeCredential("bso").text, "unauthenticated"],
  ["an expired token", () => tokens.expired?.text, "unauthenticated"],
  ["a revoked token", () => tokens.revoked?.text, "unauthenticated"],
  ["a token of scope view", () => tokens.view?.text, "forbidden"],
];

let calls = 0;

async function call(name: string, input: object, token: string | undefined): Promise<Told> {
  calls += 1;
  const response = await fetch(`${here.url}/graphql`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-forwarded-for": `198.51.${calls >> 8}.${calls & 255}`,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({ query: mutation(name), variables: { input } }),
  });
  return { status: response.status, ...((await response.json()) as Omit<Told, "status">) };
}

const codeOf = ({ errors }: Told) => errors?.[0]?.extensions?.code;

const writtenDown = (seeded: Seeded) =>
  db.sql(
    `select operator, action, reason, subject_id, arguments from app.operator_acts
     where organisation_id = $1 and operator <> 'matrix'`,
    [seeded.ids.organisation],
  );

test("every mutation of the console is an act that is tried here", async () => {
  const { data } = await here.ask("{ __schema { mutationType { fields { name } } } }", tokens.view?.text ?? "");
  const names = data.__schema.mutationType.fields.map(({ name }: { name: string }) => name);
  expect(names.sort()).toEqual(Object.keys(acts).sort());
});

describe.each(Object.entries(acts))("%s", (name, act) => {
  let seeded: Seeded;
  let input: object;
  let was: unknown;

  beforeAll(async () => {
    seeded = await seedOrganisation(db);
    if (act.before) await seenIn(db, seeded, act.before);
    input = { organisation: seeded.ids.organisation, reason: " Ticket 7 ", ...act.input?.(seeded) };
    was = await seenIn(db, seeded, act.seen);
  });

  test.each(credentials)("is refused to %s, and nothing is done or written down", async (_, token, code) => {
    expect(codeOf(await call(name, input, token()))).toBe(code);
    expect(await seenIn(db, seeded, act.seen)).toEqual(was);
    expect(await writtenDown(seeded)).toEqual([]);
  });

  test.each([
    ["", 0],
    [" ", 0],
    ["x".repeat(501), 501],
  ])("needs a reason of 1 to 500 characters: %j is refused", async (reason) => {
    const told = await call(name, { ...input, reason }, tokens.act?.text);
    expect(codeOf(told)).toBe("invalid_request");
    expect(await seenIn(db, seeded, act.seen)).toEqual(was);
  });

  test("does nothing to an organisation that is not there", async () => {
    const nowhere = "00000000-0000-7000-8000-000000000000";
    expect(codeOf(await call(name, { ...input, organisation: nowhere }, tokens.act?.text))).toBe("not_found");
    expect(await seenIn(db, seeded, act.seen)).toEqual(was);
  });

  test("is done with a token of scope act, and written down with the reason", async () => {
    expect(was).not.toEqual(act.becomes);
    const answer = await call(name, input, tokens.act?.text);
    expect(answer.errors).toBeUndefined();
    expect(answer.data[name].result).not.toBeNull();
    expect(await seenIn(db, seeded, act.seen)).toEqual(act.becomes);
    const [written, ...more] = await writtenDown(seeded);
    expect(more).toEqual([]);
    expect(written).toMatchObject({
      operator: "Otto act",
      action: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      reason: "Ticket 7",
    });
    const told = await db.sql(
      "select distinct actor, operator, reason from app.audit_trail where organisation_id = $1 and operator is not null",
      [seeded.ids.organisation],
    );
    const byOtto = { actor: "operator", operator: "Otto act", reason: "Ticket 7" };
    expect(told).toEqual(act.onlyLooks ? [] : [byOtto]);
    expect(JSON.stringify(written)).not.toMatch(/bsk_|bsi_|"We"/); // neither secrets nor who it was about
  });

  test("a second time is no other, or is refused", async () => {
    const told = await call(name, input, tokens.act?.text);
    expect(codeOf(told)).toBe(act.again);
  });
});
