/**
 * Minting credentials: printed once, working, or refused with a sentence (docs/specification/service.md#command-line).
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { digestOf } from "../../src/secrets/credentials.ts";
import { type TestApi, testApi } from "../support/api.ts";
import {
  createDatabase,
  makeMember,
  makeOrganisation,
  setLimits,
  type TestDatabase,
  testDatabase,
} from "../support/database.ts";
import { command, commandOn, type Ending, killPrograms } from "../support/program.ts";

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

const botstead = (...args: string[]) => commandOn(db, args);

/** The output of a successful command: one credential and nothing else. */
function credential({ code, stdout, stderr }: Ending, of: string): string {
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(new RegExp(`^${of}_[0-9A-Za-z]{49}\n$`));
  return stdout.trim();
}

function refused({ code, stdout, stderr }: Ending, sentence: string): void {
  expect([code, stdout, stderr]).toEqual([1, "", `${sentence}\n`]);
}

test("platform-key mint prints only the key, which works, and list and revoke know its prefix", async () => {
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
  const sentence = `The platform key ${key.slice(0, 12)} is revoked.\n`;
  expect(revoked).toMatchObject({ code: 0, stdout: sentence, stderr: "" });
  expect((await api.call("GET", "/platform/organisations", { key })).status).toBe(401);
  expect((await botstead("platform-key", "list")).stdout).toMatch(/\trevoked \d{4}-\d\d-\d\d\tSales$/m);
});

test("platform-key revoke accepts an id, and fails with a sentence for an unknown one", async () => {
  const key = credential(await botstead("platform-key", "mint", "--name", "Other"), "bsp");
  const [row] = await db.sql<{ id: string }>("select id from app.platform_keys where prefix = $1", [key.slice(0, 12)]);
  refused(await botstead("platform-key", "revoke", "bsp_nothing0"), "No platform key has that id or prefix.");
  expect((await api.call("GET", "/platform/organisations", { key })).status).toBe(200);
  expect((await botstead("platform-key", "revoke", row?.id ?? "")).code).toBe(0);
  expect((await api.call("GET", "/platform/organisations", { key })).status).toBe(401);
});

const mint = (organisation: string, person: string, ...more: string[]) =>
  botstead("key", "mint", "--organisation", organisation, "--person", person, "--name", "Minted", ...more);

test("key mint accepts the organisation by name or id, and the person by address or id", async () => {
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

test("key mint sets scope and lifetime", async () => {
  const { id, ownerId } = await makeOrganisation(db);
  const key = credential(await mint(id, ownerId, "--scope", "admin", "--expires-days", "365"), "bsk");
  const [row] = (await api.call("GET", "/keys", { key })).body.data;
  expect(row.scope).toBe("admin");
  expect(Date.parse(row.expiresAt) - Date.parse(row.createdAt)).toBeCloseTo(365 * 86_400_000, -4);
});

test("key mint fails for a person who is no owner or admin of the organisation", async () => {
  const [organisation, other] = [await makeOrganisation(db), await makeOrganisation(db)];
  const sentence = "No organisation with that id or name has this person as owner or admin.";
  const member = await makeMember(db, organisation.id, "member");
  refused(await mint(organisation.id, member), sentence);
  refused(await mint(organisation.id, other.ownerId), sentence); // an owner of another organisation
  refused(await mint("No such organisation", organisation.ownerId), sentence);
  refused(await mint(organisation.id, "nobody@example.test"), sentence);
  const admin = await makeMember(db, organisation.id, "admin");
  credential(await mint(organisation.id, admin), "bsk");
});

test("key mint refuses a name that several organisations have", async () => {
  const [one, two] = [await makeOrganisation(db), await makeOrganisation(db)];
  await db.sql("update app.organisations set name = 'Twins' where id = any ($1)", [[one.id, two.id]]);
  await db.sql("insert into app.memberships (organisation_id, person_id, role) values ($1, $2, 'owner')", [
    two.id,
    one.ownerId,
  ]);
  refused(await mint("Twins", one.email), "Several organisations have that name: give the id.");
  credential(await mint(two.id, one.email), "bsk");
});

test("key mint enforces the limit of live keys", async () => {
  const { id, ownerId } = await makeOrganisation(db);
  await setLimits(db, id, { liveKeys: 1 });
  credential(await mint(id, ownerId), "bsk");
  refused(await mint(id, ownerId), "The organisation has reached its limit of live keys: revoke one first.");
});

test("operator mint prints only the token, which opens the console with its scope", async () => {
  for (const [more, scope] of [
    [[], "view"],
    [["--scope", "act", "--expires-days", "7"], "act"],
  ] as const) {
    const token = credential(await botstead("operator", "mint", "--name", "Otto", ...more), "bso");
    const statement = "select name, scope from operator.admit($1)";
    expect(await db.sql(statement, [digestOf(token)])).toEqual([{ name: "Otto", scope }]);
    expect(await db.sql(statement, [digestOf(`${token}x`)])).toEqual([{ name: null, scope: null }]);
  }
});

test("operator list shows no tokens, and revoke accepts an id or a name", async () => {
  const [one, two, other] = [
    credential(await botstead("operator", "mint", "--name", "Leaver"), "bso"),
    credential(await botstead("operator", "mint", "--name", "Leaver"), "bso"),
    credential(await botstead("operator", "mint", "--name", "Stayer", "--scope", "act"), "bso"),
  ];
  const { stdout } = await botstead("operator", "list");
  expect(stdout).toMatch(/^[0-9a-f-]{36}\tact\tuntil \d{4}-\d\d-\d\d\tnever used\tStayer$/m);
  expect(stdout).not.toContain("bso_");
  const operatorOf = async (token: string) =>
    (await db.sql<{ name: string | null }>("select name from operator.admit($1)", [digestOf(token)]))[0]?.name;

  expect(await botstead("operator", "revoke", "Leaver")).toMatchObject({
    ...{ code: 0, stdout: "The token Leaver is revoked.\n", stderr: "" },
  });
  expect([await operatorOf(one), await operatorOf(two), await operatorOf(other)]).toEqual([null, null, "Stayer"]);
  const id = stdout.match(/^(\S+)\tact\t.*\tStayer$/m)?.[1] ?? "";
  expect((await botstead("operator", "revoke", id)).code).toBe(0);
  expect(await operatorOf(other)).toBeNull();
  expect((await botstead("operator", "list")).stdout).toMatch(
    /\trevoked \d{4}-\d\d-\d\d\tused \d{4}-\d\d-\d\d\tStayer$/m,
  );
  refused(await botstead("operator", "revoke", "Unknown"), "No operator token has that id or name.");
});

test("mint, list and revoke of every kind of credential print JSON with --json", async () => {
  const json = async (...args: string[]) => JSON.parse((await botstead(...args, "--json")).stdout);
  const { id, email } = await makeOrganisation(db);
  const credential = (of: string) => expect.stringMatching(new RegExp(`^${of}_[0-9A-Za-z]{49}$`));

  const platform = await json("platform-key", "mint", "--name", "For JSON");
  expect(platform).toEqual({ prefix: platform.key.slice(0, 12), name: "For JSON", key: credential("bsp") });
  expect(await json("platform-key", "list")).toContainEqual({
    ...{ id: expect.any(String), name: "For JSON", prefix: platform.prefix, revoked_at: null },
    ...{ created_at: expect.any(String), expires_at: expect.any(String) },
  });
  expect(await json("platform-key", "revoke", platform.prefix)).toEqual({ key: platform.prefix, state: "revoked" });

  const key = await json("key", "mint", "--organisation", id, "--person", email, "--name", "For JSON");
  expect(key).toEqual({ prefix: key.key.slice(0, 12), name: "For JSON", scope: "read", key: credential("bsk") });

  const operator = await json("operator", "mint", "--name", "Jason");
  expect(operator).toEqual({ name: "Jason", scope: "view", token: credential("bso") });
  expect(await json("operator", "list")).toContainEqual(
    expect.objectContaining({ name: "Jason", scope: "view", last_used_at: null, revoked_at: null }),
  );
  expect(await json("operator", "revoke", "Jason")).toEqual({ token: "Jason", state: "revoked" });
});

test("migrate works at any time, concurrently, on an empty database and on a current one", async () => {
  const name = `migrated_${process.pid}`;
  await createDatabase(db.adminUrl, name, "template0");
  const url = new URL(db.adminUrl);
  url.pathname = `/${name}`;
  const env = { DATABASE_URL: url.href, MASTER_KEY: db.masterKey };
  try {
    for (const endings of [
      await Promise.all([command(["migrate"], { cwd, env }), command(["migrate"], { cwd, env })]),
      [await command(["migrate"], { cwd, env })],
    ]) {
      for (const { code, stdout, stderr } of endings) {
        expect([code, stdout]).toEqual([0, ""]);
        expect(stderr).toMatch(/^Migrations applied\./m);
      }
    }
    const listed = await command(["platform-key", "list"], { cwd, env });
    expect(listed).toMatchObject({ code: 0, stdout: "" });
  } finally {
    await db.sql(`drop database ${name} with (force)`);
  }
});

test("the operator log has every command that mints or revokes, with its user and without the credential", async () => {
  const { id, email } = await makeOrganisation(db);
  const minted = [
    [
      "key",
      "mint",
      "--organisation",
      id,
      "--person",
      email,
      "--name",
      "Logged",
      "--scope",
      "write",
      "--expires-days",
      "2",
    ],
    ["platform-key", "mint", "--name", "Logged", "--expires-days", "3"],
    ["operator", "mint", "--name", "Logged", "--scope", "act", "--expires-days", "4"],
  ];
  const printed: string[] = [];
  for (const args of minted) printed.push((await botstead(...args)).stdout.trim());
  expect((await botstead("operator", "revoke", "Logged")).code).toBe(0);
  expect((await botstead("platform-key", "revoke", printed[1]?.slice(0, 12) ?? "")).code).toBe(0);
  const console = db.poolAs("operator", 1);
  const { rows } = await console.query(
    `select organisation_id, token_id, operator, action, arguments, reason, subject_id is not null as of_something
     from operator.actions where arguments ->> 'name' = 'Logged' order by id`,
  );
  const common = {
    organisation_id: null,
    token_id: null,
    operator: userInfo().username,
    reason: null,
    of_something: true,
  };
  const commandLine = expect.stringMatching(/^.+@.+, command line$/);
  const person = (await db.sql<{ id: string }>("select id from app.people where email = $1", [email]))[0]?.id;
  expect(rows).toEqual([
    {
      ...common,
      organisation_id: id,
      action: "mint_key",
      arguments: { name: "Logged", scope: "write", days: 2, person, commandLine },
    },
    { ...common, action: "mint_platform_key", arguments: { name: "Logged", days: 3, commandLine } },
    { ...common, action: "mint_token", arguments: { name: "Logged", scope: "act", days: 4, commandLine } },
    { ...common, action: "revoke_token", arguments: { name: "Logged", commandLine } },
    { ...common, action: "revoke_platform_key", arguments: { name: "Logged", commandLine } },
  ]);
  expect(printed).toHaveLength(3);
  for (const credential of printed) expect(JSON.stringify(rows)).not.toContain(credential);
});

test("the operator log has no entry of a refused command", async () => {
  const count = async () => (await db.sql("select from operator.actions")).length;
  const before = await count();
  expect((await botstead("operator", "revoke", "Unknown name")).code).toBe(1);
  expect(
    (await botstead("key", "mint", "--organisation", "Nowhere", "--person", "nobody@example.test", "--name", "x")).code,
  ).toBe(1);
  expect(await count()).toBe(before);
});

test("a command with another master key, or for a database without Botstead, fails with a sentence", async () => {
  const wrong = { DATABASE_URL: db.adminUrl, MASTER_KEY: Buffer.alloc(32, 7).toString("base64") };
  refused(
    await command(["operator", "list"], { cwd, env: wrong }),
    'The database refused the login "cli": password authentication failed for user "cli". Its password is derived from ' +
      'the master key. Set MASTER_KEY to the key of the last "botstead migrate" on this database. If the role was changed by hand, run: botstead migrate --repair',
  );
  const admin = new URL(db.adminUrl);
  admin.password = "geheim";
  const { stderr } = await command(["executor", "list"], { cwd, env: { ...wrong, DATABASE_URL: admin.href } });
  expect(stderr).toMatch(/^The database refused the login of DATABASE_URL: .*\. Correct its user and password\.\n$/);
  expect(stderr).not.toContain("geheim");
  const of = (database: string) => ({
    DATABASE_URL: new URL(`/${database}`, db.adminUrl).href,
    MASTER_KEY: db.masterKey,
  });
  refused(
    await command(["platform-key", "list"], { cwd, env: of("template1") }),
    'The database refused a login: permission denied for database "template1". Correct DATABASE_URL. If it names the right database, run: botstead migrate',
  );
  const empty = `empty_${process.pid}`;
  await createDatabase(db.adminUrl, empty, "template0");
  const unmigrated = await command(["platform-key", "list"], { cwd, env: of(empty) });
  await db.sql(`drop database ${empty}`);
  expect(unmigrated.code).toBe(1);
  expect(unmigrated.stderr).toMatch(
    /^The database has not been migrated to this version \(.*\)\. Run: botstead migrate\n$/,
  );
});
