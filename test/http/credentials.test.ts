/** Unauthenticated callers. All such refusals look the same. (docs/specification/conventions.md#credentials) */
import { createServer } from "node:net";
import { startApi } from "../../src/api/server.ts";
import { readConfig } from "../../src/config.ts";
import { makeCredential } from "../../src/secrets/credentials.ts";
import { expectAnswer, expectRefusal, sameButForRequestId } from "../support/answers.ts";
import type { Json } from "../support/api.ts";
import { apiOfFile } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { log } from "../support/logged.ts";

const here = apiOfFile();

const asks = (authorization?: string) =>
  here.api.call("GET", "/keys", { headers: authorization === undefined ? {} : { authorization } });

test("Refusals of missing, unknown, malformed, revoked, expired and insufficient credentials are byte for byte the same", async () => {
  const ada = await here.owner();
  const [revoked, expired, reader] = [
    await here.another(ada),
    await here.another(ada),
    await here.another(ada, "read"),
  ];
  await ada.delete(`/keys/${revoked.key.id}`);
  await here.db.sql("update app.api_keys set expires_at = now() where id = $1", [expired.key.id]);
  const operator = await here.platform();
  const good = ada.key.text;
  expect((await asks(`Bearer ${good}`)).status).toBe(200);

  const flipped = good.slice(0, -1) + (good.endsWith("0") ? "1" : "0");
  const refused = [
    await asks(),
    await asks(""),
    await asks("Bearer"),
    await asks(good),
    await asks(`Basic ${Buffer.from(`${good}:`).toString("base64")}`),
    await asks(`Bearer ${flipped}`),
    await asks(`Bearer ${good}x`),
    await asks(`Bearer ${good} ${good}`),
    await asks(`Bearer ${"bsk_".padEnd(4_000, "x")}`),
    await asks(`Bearer ${makeCredential("bsk").text}`),
    await asks(`Bearer ${makeCredential("bso").text}`),
    await asks(`Bearer ${revoked.key.text}`),
    await asks(`Bearer ${expired.key.text}`),
    await asks(`Bearer ${reader.key.text}`),
    await asks(`Bearer ${operator.key.text}`),
  ];
  for (const each of refused) {
    expectRefusal(each, "unauthenticated");
    expect(sameButForRequestId(each)).toEqual(sameButForRequestId(refused[0] as Json));
  }
});

test("The authorization scheme is case-insensitive", async () => {
  const ada = await here.owner();
  for (const scheme of ["bearer", "BEARER", "Bearer "])
    expect((await asks(`${scheme} ${ada.key.text}`)).status).toBe(200);
});

test("api.handle without a credential is refused, for an operation and for the names of what a process asks for itself", async () => {
  const server = here.db.poolAs("server", 1);
  for (const operation of ["get_me", "signing_keys", "organisation_of", "request_minutes", null]) {
    const { rows } = await server.query("select api.handle(null, $1, null, null, null, null, null, null) as answer", [
      operation,
    ]);
    expect([operation, rows]).toEqual([operation, [{ answer: '{"refusal":"unauthenticated"}' }]]);
  }
});

test("A key with a wrong checksum is refused without a database connection", async () => {
  const connections: unknown[] = [];
  const nowhere = createServer((socket) => connections.push(socket.destroy()));
  await new Promise<void>((resolve) => nowhere.listen(0, "127.0.0.1", resolve));
  const { port } = nowhere.address() as Json;
  const config = readConfig({ PORT: "0", DATA_DIR: here.db.dataDir });
  const url = `postgres://nobody@127.0.0.1:${port}/nothing`;
  const api = await startApi(config, url, here.db.key, log);
  try {
    const ask = (key: string) => fetch(`${api.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } });
    const good = makeCredential("bsk").text;
    expect((await ask(`${good.slice(0, -6)}000000`)).status).toBe(401);
    expect((await ask("bsk_short")).status).toBe(401);
    expect(connections).toHaveLength(0);
    expect((await ask(good)).status).toBe(503);
    expect(connections.length).toBeGreaterThan(0);
  } finally {
    await api.stop();
    nowhere.close();
  }
});

test.each([
  ["demoted to member", "update app.memberships set role = 'member' where person_id = $1"],
  ["removed", "delete from app.memberships where person_id = $1"],
])(
  "A key of a person who is %s is unauthenticated, and stays listed and counted until an admin revokes it",
  async (_story, statement) => {
    const ada = await here.owner();
    const admin = await makeMember(here.db, ada.organisation.id, "admin");
    const bob = await here.another(ada, "admin", admin);
    const { body: made } = await bob.post("/keys", { name: "Bob's", scope: "read" });
    expect((await bob.get("/me")).status).toBe(200);
    expect((await here.api.call("GET", "/me", { key: made.key })).status).toBe(200);

    await here.db.sql(statement, [admin]);
    expectRefusal(await bob.get("/me"), "unauthenticated");
    expectRefusal(await bob.post("/keys", { name: "CI" }), "unauthenticated");
    expectRefusal(await here.api.call("GET", "/me", { key: made.key }), "unauthenticated");
    const listed = expectAnswer("get_key", await ada.get(`/keys/${made.id}`));
    expect(listed.revokedAt).toBeNull();
    expect((await ada.get("/me")).body.limits.liveKeys.used).toBe(3);
    expect(expectAnswer("revoke_key", await ada.delete(`/keys/${made.id}`)).revokedAt).not.toBeNull();
  },
);

test("A key works again once its creator is an owner again", async () => {
  const ada = await here.owner();
  const admin = await makeMember(here.db, ada.organisation.id, "admin");
  const bob = await here.another(ada, "admin", admin);
  const be = (role: string) => here.db.sql("update app.memberships set role = $2 where person_id = $1", [admin, role]);
  await be("member");
  expectRefusal(await bob.get("/me"), "unauthenticated");
  await be("owner");
  expect(expectAnswer("get_me", await bob.get("/me")).person.role).toBe("owner");
});

test("A key is unauthenticated when its creator is an admin only of another organisation", async () => {
  const ada = await here.owner();
  const eve = await here.owner();
  const key = await here.another(ada, "admin", eve.organisation.ownerId);
  expectRefusal(await key.get("/me"), "unauthenticated");
  await here.db.sql("insert into app.memberships (organisation_id, person_id, role) values ($1, $2, 'admin')", [
    ada.organisation.id,
    eve.organisation.ownerId,
  ]);
  expect((await key.get("/me")).body.organisation.id).toBe(ada.organisation.id);
});
