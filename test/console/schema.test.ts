/** The GraphQL schema of the console: when it is made, and from which views. */
import { mintToken, type TestConsole, testConsole } from "../support/console.ts";
import { makeOrganisation, type TestDatabase, testDatabase } from "../support/database.ts";
import { slowNetworkTo } from "../support/slow-network.ts";

const nicknames = "{ organisations(first: 1) { nodes { nickname } } }";
const added = { organisations: { nodes: [{ nickname: "added" }] } };

let db: TestDatabase;
let token: string;
let running: TestConsole | undefined;
beforeEach(async () => {
  db = await testDatabase();
  await makeOrganisation(db);
  token = (await mintToken(db, "view")).text;
});
afterEach(async () => {
  await stop();
  await db.drop();
});

async function start(adminUrl = db.adminUrl): Promise<TestConsole> {
  running = await testConsole({ ...db, adminUrl });
  return running;
}

async function stop(): Promise<void> {
  await running?.stop();
  running = undefined;
}

async function addColumn(): Promise<void> {
  const [view] = await db.sql<{ text: string }>("select pg_get_viewdef('operator.organisations') as text");
  const text = view?.text.replace(";", "");
  await db.sql(
    `create or replace view operator.organisations as select present.*, 'added' as nickname from (${text}) present`,
  );
}

/** Of the console with the database. */
const sessions = async () => {
  const rows = await db.sql(
    "select from pg_stat_activity where datname = current_database() and application_name = 'botstead console'",
  );
  return rows.length;
};

test("a column added to a view of operator shows after a restart of the console, and not before", async () => {
  const before = await start();
  expect(await sessions()).toBe(0); // it has not read the catalogue
  expect(await before.ask("{ organisations { nodes { id } } }", token)).toMatchObject({ status: 200 });
  await addColumn();
  expect(await before.ask(nicknames, token)).toMatchObject({
    status: 400,
    errors: [{ message: expect.stringContaining('Cannot query field "nickname" on type "Organisation".') }],
  });
  await stop();
  const after = await start();
  expect(await after.ask(nicknames, token)).toMatchObject({ status: 200, data: added });
});

test("a console that starts before botstead migrate shows the new columns without a restart", async () => {
  const [built] = await db.sql<{ digest: string }>("select digest from app.definition_builds");
  await db.sql("update app.definition_builds set digest = 'another'");
  const early = await start();
  expect(await early.ask(nicknames, token)).toMatchObject({ status: 400 });
  await addColumn();
  await db.sql("update app.definition_builds set digest = $1", [built?.digest]);
  expect(await early.ask(nicknames, token)).toMatchObject({ status: 200, data: added });
});

test("a console that starts without a database answers /healthz, and queries once the database is reachable", async () => {
  const network = await slowNetworkTo(Number(new URL(db.adminUrl).port));
  try {
    network.refuse(true);
    const url = new URL(db.adminUrl);
    url.port = String(network.port);
    const early = await start(url.href);
    expect((await fetch(`${early.url}/healthz`)).status).toBe(200);
    network.refuse(false);
    expect(await early.ask("{ organisations { nodes { id } } }", token)).toMatchObject({ status: 200 });
  } finally {
    network.cut();
    await network.close();
  }
});

test("a console whose schema cannot be made answers 500, and queries after the repair", async () => {
  const [view] = await db.sql<{ comment: string }>(
    "select obj_description('operator.organisations'::regclass) as comment",
  );
  const comment = (text = "") => db.sql(`comment on view operator.organisations is $$${text}$$`);
  await comment(view?.comment.replace(/^@orders .*$/m, "@orders missing"));
  const early = await start();
  expect(await early.ask("{ organisations { nodes { id } } }", token)).toMatchObject({
    status: 500,
    errors: [{ extensions: { code: "internal" } }],
  });
  await comment(view?.comment);
  expect(await early.ask("{ organisations { nodes { id } } }", token)).toMatchObject({ status: 200 });
});
