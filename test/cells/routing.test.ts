/** One API in front of two cells, which finds the cell of each credential. (docs/directory.md) */

import { startApi } from "../../src/api/server.ts";
import { readConfig } from "../../src/config.ts";
import { extensions } from "../../src/extensions/api.ts";
import { makeRegistry } from "../../src/metrics/registry.ts";
import { makeCredential } from "../../src/secrets/credentials.ts";
import { expectRefusal } from "../support/answers.ts";
import type { Json, TestApi } from "../support/api.ts";
import { linkOf, press, raiseApproval } from "../support/approvals.ts";
import { makeExecutor, makeKey, makeOrganisation, makePlatformKey, type TestDatabase } from "../support/database.ts";
import { type DirectedCells, directedCells } from "../support/directory.ts";
import { accept, tokenOf } from "../support/invitations.ts";
import { log } from "../support/logged.ts";
import { signed } from "../support/sign.ts";
import { eventually } from "../support/worker.ts";

let cells: DirectedCells;
let api: TestApi;

beforeAll(async () => {
  cells = await directedCells();
  api = await cells.api("one");
  await Promise.all([cells.source, cells.target].map((each) => makeExecutor(each)));
});
afterAll(async () => {
  await api?.stop();
  await cells?.end();
});

async function member(cell: TestDatabase) {
  const organisation = await makeOrganisation(cell);
  const { text: key, digest } = await makeKey(cell, organisation.id, organisation.ownerId);
  return { ...organisation, key, digest };
}

const placesOf = (id: string) =>
  cells.directory.rows<{ cell: string }>("select cell from directory.organisations where id = $1", [id]);

test("a key, a portal session, an invitation, an approval link and a hook of either cell reach their organisation", async () => {
  for (const [name, cell] of [
    ["one", cells.source],
    ["two", cells.target],
  ] as const) {
    const ada = await member(cell);
    const me = await api.call("GET", "/me", { key: ada.key });
    expect([me.status, me.body.organisation.id]).toEqual([200, ada.id]);
    expect(await placesOf(ada.id)).toEqual([{ cell: name }]);

    const minted = await api.call("POST", "/keys", {
      key: ada.key,
      body: { name: "second", scope: "read", expiresInDays: 5 },
    });
    expect((await api.call("GET", "/memories", { key: minted.body.key })).status).toBe(200);

    const link = await api.call("POST", "/portal-sessions", { key: ada.key, body: {} });
    const entered = await fetch(`${api.url}/portal/enter`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ token: new URL(link.body.url).hash.slice(1) }),
    });
    expect(entered.status).toBe(200);
    const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
    const own = await api.call("GET", "/portal-session", { headers: { cookie } });
    expect(own.body.organisation.id).toBe(ada.id);

    const invitation = await api.call("POST", "/invitations", { key: ada.key, body: { email: `guest@${name}.test` } });
    expect((await accept(api, await tokenOf(cell, invitation.body.id))).status).toBe(200);
    expect((await api.call("GET", "/members", { key: ada.key })).body.data).toHaveLength(2);

    const bot = await api.call("POST", "/bots", { key: ada.key, body: { name: "Ada" } });
    const run = await api.call("POST", "/runs", { key: ada.key, body: { botId: bot.body.id, message: "Hi" } });
    const approval = await linkOf(cell, await raiseApproval(cell, run.body.id));
    expect((await press(api, approval, "approved")).status).toBe(200);

    const hook = await api.call("POST", "/hooks", { key: ada.key, body: { botId: bot.body.id, name: "Alerts" } });
    const posted = await api.call("POST", `/hooks/${hook.body.id}/receive`, {
      idempotencyKey: null,
      ...signed(hook.body.secret, "Deep."),
    });
    expect(posted.status).toBe(202);
  }
});

test("an unknown credential is refused, and a revoked key of the other cell too", async () => {
  const ada = await member(cells.target);
  expect((await api.call("GET", "/me", { key: makeCredential("bsk").text })).status).toBe(401);
  expect((await api.call("GET", "/me", { key: ada.key })).status).toBe(200);
  await cells.target.sql("update app.api_keys set revoked_at = now() where digest = $1", [ada.digest]);
  expect((await api.call("GET", "/me", { key: ada.key })).status).toBe(401);
  expect((await api.call("GET", "/me")).status).toBe(401);
});

test("a platform key creates in the named cell or the open one with the fewest organisations, replays there, and lists all cells in one order", async () => {
  const platform = makeCredential("bsp");
  for (const cell of [cells.source, cells.target]) {
    await cell.sql("select operator.mint_platform_key('test', 90, $1, $2)", [platform.prefix, platform.digest]);
  }
  const key = platform.text;
  const create = (name: string, idempotencyKey: string, query = "") =>
    api.call("POST", `/platform/organisations${query}`, {
      ...{ key, idempotencyKey },
      body: { name, owner: { email: `${name}@example.test` } },
    });
  await cells.directory.rows("update directory.cells set state = 'draining' where name = 'one'");
  const two = await create("two", "creation-in-two-01");
  expect([two.status, await placesOf(two.body.id)]).toEqual([201, [{ cell: "two" }]]);
  await cells.directory.rows("update directory.cells set state = case name when 'one' then 'open' else 'draining' end");
  const one = await create("one", "creation-in-one-01");
  expect(await placesOf(one.body.id)).toEqual([{ cell: "one" }]);
  const replay = await create("two", "creation-in-two-01");
  expect([replay.text, replay.headers.get("idempotent-replayed")]).toEqual([two.text, "true"]);
  await cells.directory.rows("update directory.cells set state = 'draining'");
  expect((await create("three", "creation-in-none-01")).status).toBe(503);
  await cells.directory.rows("update directory.cells set state = 'open'");
  for (const cell of ["one", "two"]) {
    const named = await create(`named-${cell}`, `creation-named-${cell}`, `?cell=${cell}`);
    expect(await placesOf(named.body.id)).toEqual([{ cell }]);
    await cells.directory.rows("update directory.cells set state = 'draining' where name = $1", [cell]);
    const repeated = await create(`named-${cell}`, `creation-named-${cell}`, `?cell=${cell}`);
    expect([repeated.text, repeated.headers.get("idempotent-replayed")]).toEqual([named.text, "true"]);
    const refused = await create("refused", `creation-refused-${cell}`, `?cell=${cell}`);
    expectRefusal(refused, "invalid_request", ["query.cell"]);
  }
  await cells.directory.rows("update directory.cells set state = 'open'");
  expectRefusal(await create("refused", "creation-in-unknown", "?cell=three"), "invalid_request", ["query.cell"]);
  const creations = () => cells.directory.rows<{ request: Buffer }>("select request from directory.creations");
  const before = (await creations()).length;
  const unknown = { key: makeCredential("bsp").text, body: {} };
  expect((await api.call("POST", "/platform/organisations", unknown)).status).toBe(401);
  expect(await creations()).toHaveLength(before);

  const all = await api.call("GET", "/platform/organisations?limit=200", { key });
  const ids = all.body.data.map(({ id }: Json) => id);
  expect(ids).toEqual([...ids].sort().reverse());
  for (const { id } of [one.body, two.body]) {
    expect(ids).toContain(id);
    expect((await api.call("GET", `/platform/organisations/${id}`, { key })).body.id).toBe(id);
    expect((await api.call("POST", `/platform/organisations/${id}/owner-key`, { key, body: {} })).status).toBe(201);
  }
  const paged: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: Json = await api.call("GET", `/platform/organisations?limit=2${cursor && `&cursor=${cursor}`}`, {
      key,
    });
    paged.push(...page.body.data.map(({ id }: Json) => id));
    cursor = page.body.nextCursor;
  }
  expect(paged).toEqual(ids);
});

test("the connection for notifications is measured in each cell that uses it", async () => {
  const registry = makeRegistry("api");
  const settings = { PORT: "0", DATA_DIR: cells.source.dataDir, DIRECTORY_URL: cells.directoryUrl, CELL: "one" };
  const { adminUrl, key } = cells.source;
  const served = await startApi(readConfig(settings), adminUrl, key, log, { extensions, registry });
  const listening = async () =>
    (await registry.metrics()).split("\n").filter((line) => line.startsWith("botstead_listening{"));
  expect(await listening()).toEqual([]);
  const streams: Response[] = [];
  for (const [name, cell] of [
    ["one", cells.source],
    ["two", cells.target],
  ] as const) {
    const { key: bearer } = await member(cell);
    const headers = { authorization: `Bearer ${bearer}`, accept: "text/event-stream" };
    streams.push(await fetch(`${served.url}/api/v1/events`, { headers }));
    await eventually(async () =>
      (await listening()).some((line) => line.includes(`cell="${name}"`) && line.endsWith(" 1")),
    );
  }
  await Promise.all(streams.map(({ body }) => body?.cancel()));
  await served.stop(0);
});

test("a person who is in organisations of both cells has one id", async () => {
  const email = "everywhere@example.test";
  const platform = makeCredential("bsp");
  for (const cell of [cells.source, cells.target]) {
    await cell.sql("select operator.mint_platform_key('test', 90, $1, $2)", [platform.prefix, platform.digest]);
  }
  const [one, two] = [await member(cells.source), await member(cells.target)];
  for (const [ada, cell] of [
    [one, cells.source],
    [two, cells.target],
  ] as const) {
    const { body } = await api.call("POST", "/invitations", { key: ada.key, body: { email } });
    expect((await accept(api, await tokenOf(cell, body.id))).status).toBe(200);
  }
  const idIn = (cell: TestDatabase) => cell.sql("select id from app.people where email = $1", [email]);
  expect(await idIn(cells.source)).toEqual(await idIn(cells.target));
});

test("with the directory away known and new credentials still work, and creations get 503", async () => {
  const [known, fresh] = [await member(cells.target), await member(cells.target)];
  const platform = await makePlatformKey(cells.source);
  expect((await api.call("GET", "/me", { key: known.key })).status).toBe(200);
  const name = new URL(cells.directoryUrl).pathname.slice(1);
  await cells.source.sql(`alter database ${name} allow_connections false`);
  await cells.source.sql("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
  try {
    expect((await api.call("GET", "/me", { key: known.key })).status).toBe(200);
    expect((await api.call("GET", "/me", { key: fresh.key })).status).toBe(200);
    const body = { name: "None", owner: { email: "none@example.test" } };
    expect((await api.call("POST", "/platform/organisations", { key: platform.text, body })).status).toBe(503);
    const ready = await fetch(`${api.url}/readyz`);
    expect(await ready.json()).toMatchObject({
      directory: "away",
      cells: { known: 2 },
    });
  } finally {
    await cells.source.sql(`alter database ${name} allow_connections true`);
    await cells.reconnect();
  }
  expect(await placesOf(fresh.id)).toEqual([]);
  const other = await cells.api("two");
  expect((await other.call("GET", "/me", { key: fresh.key })).status).toBe(200);
  expect(await placesOf(fresh.id)).toEqual([{ cell: "two" }]);
  await other.stop();
});
