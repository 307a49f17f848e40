/** Minting credentials: printed alone, once, working, or refused in a sentence. (Part 5.3; decisions: section 6.) */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { digestOf } from "../../src/secrets/credentials.ts";
import { type TestApi, testApi } from "../support/api.ts";
import { makeMember, makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { command, type Ending, killPrograms } from "../support/program.ts";

let db: TestDatabase;
let api: TestApi;
let cwd: string;

beforeAll(async () => {
  db = await testDatabase();
  api = await testApi(db);
  cwd = mkdtempSync(join(tmpdir(), "botstead-cli-"));
});
afterAll(async () => {
  await killPrograms();
  await api.stop();
  await db.drop();
  rmSync(cwd, { recursive: true });
});

const masterKey = () => readFileSync(join(db.dataDir, "master.key"), "utf8").trim();
const botstead = (...args: string[]): Promise<Ending> =>
  command(args, { cwd, env: { DATABASE_URL: db.adminUrl, MASTER_KEY: masterKey() } });

/** What a command printed that could be done: one credential and nothing else. */
function credential({ code, stdout, stderr }: Ending, of: string): string {
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(new RegExp(`^${of}_[0-9A-Za-z]{49}\n$`));
  return stdout.trim();
}

function refused({ code, stdout, stderr }: Ending, sentence: string): void {
  expect([code, stdout, stderr]).toEqual([1, "", `${sentence}\n`]);
}

test("a platform key is printed alone, works, is listed by its prefix, and is revoked by it", async () => {
  const key = credential(await botstead("platform-key", "mint", "--name", "Sales", "--expires-days", "1"), "bsp");
  expect((await api.call("GET", "/platform/organisations", { key })).status).toBe(200);
  const [row] = await db.sql<{ days: number }>(
    "select extract(epoch from expires_at - created_at)::float / 86400 as days from app.platform_keys where prefix = $1",
    [key.slice(0, 12)],
  );
  expect(row?.days).toBeCloseTo(1, 3);

  const listed = await botstead("platform-key", "list");
  expect(listed.code).toBe(0);
  expect(listed.stdout).toMatch(
    new RegExp(`^[0-9a-f-]{36}\t${key.slice(0, 12)}\tuntil \\d{4}-\\d\\d-\\d\\d\tSales$`, "m"),
  );
  expect(listed.stdout).not.toContain(key);

  const revoked = await botstead("platform-key", "revoke", key.slice(0, 12));
  expect(revoked).toMatchObject({ code: 0, stdout: "", stderr: "" });
  expect((await api.call("GET", "/platform/organisations", { key })).status).toBe(401);
  expect((await botstead("platform-key", "list")).stdout).toMatch(/\trevoked \d{4}-\d\d-\d\d\tSales$/m);
});

test("a platform key is revoked by its id; one that is not there is told in a sentence", async () => {
  const key = credential(await botstead("platform-key", "mint", "--name", "Other"), "bsp");
  const [row] = await db.sql<{ id: string }>("select id from app.platform_keys where prefix = $1", [key.slice(0, 12)]);
  refused(await botstead("platform-key", "revoke", "bsp_nothing0"), "No platform key has that id or prefix.");
  expect((await api.call("GET", "/platform/organisations", { key })).status).toBe(200);
  expect((await botstead("platform-key", "revoke", row?.id ?? "")).code).toBe(0);
  expect((await api.call("GET", "/platform/organisations", { key })).status).toBe(401);
});

const mint = (organisation: string, person: string, ...more: string[]) =>
  botstead("key", "mint", "--organisation", organisation, "--person", person, "--name", "Minted", ...more);

test("a key is minted for an organisation by name or id, and a person by address or id", async () => {
  const { id, ownerId, email } = await makeOrganisation(db);
  const [row] = await db.sql<{ name: string }>("select name from app.organisations where id = $1", [id]);
  const ways = [
    [row?.name ?? "", email],
    [row?.name ?? "", email.toUpperCase()],
    [id, ownerId],
    [id.toUpperCase(), ownerId.toUpperCase()],
  ];
  for (const [organisation = "", person = ""] of ways) {
    const key = credential(await mint(organisation, person), "bsk");
    const me = (await api.call("GET", "/me", { key })).body;
    expect(me.key).toMatchObject({ name: "Minted", scope: "read", createdBy: ownerId });
    expect(me.organisation.id).toBe(id);
  }
});

test("a key has the scope and the life that it is given", async () => {
  const { id, ownerId } = await makeOrganisation(db);
  const key = credential(await mint(id, ownerId, "--scope", "admin", "--expires-days", "365"), "bsk");
  const [row] = (await api.call("GET", "/keys", { key })).body.data;
  expect(row.scope).toBe("admin");
  expect(Date.parse(row.expiresAt) - Date.parse(row.createdAt)).toBeCloseTo(365 * 86_400_000, -4);
});

test("who is no owner or admin there gets no key, nor does a stranger", async () => {
  const [organisation, other] = [await makeOrganisation(db), await makeOrganisation(db)];
  const sentence = "No owner or admin of such an organisation is such a person.";
  const member = await makeMember(db, organisation.id, "member");
  refused(await mint(organisation.id, member), sentence);
  refused(await mint(organisation.id, other.ownerId), sentence); // an owner, but of another
  refused(await mint("No such organisation", organisation.ownerId), sentence);
  refused(await mint(organisation.id, "nobody@example.test"), sentence);
  const admin = await makeMember(db, organisation.id, "admin");
  credential(await mint(organisation.id, admin), "bsk");
});

test("a name that several of a person's organisations have is refused: it would be a guess", async () => {
  const [one, two] = [await makeOrganisation(db), await makeOrganisation(db)];
  await db.sql("update app.organisations set name = 'Twins' where id = any ($1)", [[one.id, two.id]]);
  await db.sql("insert into app.memberships (organisation_id, person_id, role) values ($1, $2, 'owner')", [
    two.id,
    one.ownerId,
  ]);
  refused(await mint("Twins", one.email), "Several organisations have that name: give the id.");
  credential(await mint(two.id, one.email), "bsk");
});

test("the ceiling of live keys holds here too", async () => {
  const { id, ownerId } = await makeOrganisation(db);
  await db.sql("update app.organisations set live_key_ceiling = 1 where id = $1", [id]);
  credential(await mint(id, ownerId), "bsk");
  refused(await mint(id, ownerId), "The organisation has as many live keys as it may: revoke one first.");
});

test("an operator's token is printed alone, opens the console to look, and to act when it is made for that", async () => {
  for (const [more, scope] of [
    [[], "view"],
    [["--scope", "act", "--expires-days", "7"], "act"],
  ] as const) {
    const token = credential(await botstead("operator", "mint", "--name", "Otto", ...more), "bso");
    const admitted = "select name, scope from operator.admit($1)";
    expect(await db.sql(admitted, [digestOf(token)])).toEqual([{ name: "Otto", scope }]);
    expect(await db.sql(admitted, [digestOf(`${token}x`)])).toEqual([{ name: null, scope: null }]);
  }
});

test("operators' tokens are listed without themselves, and revoked by id or by the name of whoever left", async () => {
  const [one, two, other] = [
    credential(await botstead("operator", "mint", "--name", "Leaver"), "bso"),
    credential(await botstead("operator", "mint", "--name", "Leaver"), "bso"),
    credential(await botstead("operator", "mint", "--name", "Stayer", "--scope", "act"), "bso"),
  ];
  const { stdout } = await botstead("operator", "list");
  expect(stdout).toMatch(/^[0-9a-f-]{36}\tact\tuntil \d{4}-\d\d-\d\d\tnever used\tStayer$/m);
  expect(stdout).not.toContain("bso_");
  const admitted = async (token: string) =>
    (await db.sql<{ name: string | null }>("select name from operator.admit($1)", [digestOf(token)]))[0]?.name;

  expect(await botstead("operator", "revoke", "Leaver")).toMatchObject({ code: 0, stdout: "", stderr: "" });
  expect([await admitted(one), await admitted(two), await admitted(other)]).toEqual([null, null, "Stayer"]);
  const id = stdout.match(/^(\S+)\tact\t.*\tStayer$/m)?.[1] ?? "";
  expect((await botstead("operator", "revoke", id)).code).toBe(0);
  expect(await admitted(other)).toBeNull();
  expect((await botstead("operator", "list")).stdout).toMatch(
    /\trevoked \d{4}-\d\d-\d\d\tused \d{4}-\d\d-\d\d\tStayer$/m,
  );
  refused(await botstead("operator", "revoke", "Nobody"), "No operator's token has that id or name.");
});

test("migrate may be run at any time, twice at once, on an empty database and on one that is as it should be", async () => {
  const name = `migrated_${process.pid}`;
  await db.sql(`create database ${name}`);
  const url = new URL(db.adminUrl);
  url.pathname = `/${name}`;
  const env = { DATABASE_URL: url.href, MASTER_KEY: masterKey() };
  try {
    for (const endings of [
      await Promise.all([command(["migrate"], { cwd, env }), command(["migrate"], { cwd, env })]),
      [await command(["migrate"], { cwd, env })],
    ]) {
      for (const { code, stdout, stderr } of endings) {
        expect([code, stdout]).toEqual([0, ""]);
        expect(stderr).toMatch(/The database is up to date\.\n$/);
      }
    }
    const listed = await command(["platform-key", "list"], { cwd, env });
    expect(listed).toMatchObject({ code: 0, stdout: "" });
  } finally {
    await db.sql(`drop database ${name} with (force)`);
  }
});
