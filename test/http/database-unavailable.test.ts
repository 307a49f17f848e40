/** An API whose database stops or stops responding. (docs/specification/conventions.md#errors) */
import { Pool } from "pg";
import { startEmbedded } from "../../src/database/embedded.ts";
import { migrate } from "../../src/database/migrate.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";
import { expectAnswer, expectRefusal } from "../support/answers.ts";
import { type Reply, type TestApi, testApi } from "../support/api.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { makeKey, makeOrganisation, type TestDatabase } from "../support/database.ts";
import { cleanUp, newDataFolder } from "../support/embedded.ts";
import { type SlowNetwork, slowNetworkTo } from "../support/slow-network.ts";
import { eventually } from "../support/worker.ts";

const soon = { RESPONSE_TIMEOUT_SECONDS: "10" };
const here = ownApiOfFile(soon);
afterAll(cleanUp);

/** A read by id, a list and a write: one for each pool. */
const askAll = (api: TestApi, key: string): Promise<Reply[]> =>
  Promise.all([
    api.call("GET", "/me", { key }),
    api.call("GET", "/bots", { key }),
    api.call("POST", "/bots", { key, body: { name: "Ada" } }),
  ]);

/** The outage lasts until the calls are answered. */
async function expectAway(api: TestApi, key: string): Promise<void> {
  for (const answer of await askAll(api, key)) expectRefusal(answer, "unavailable");
}

async function expectBack(api: TestApi, key: string): Promise<void> {
  await eventually(async () => (await askAll(api, key)).every(({ status }) => status < 300));
  const [me, list, made] = await askAll(api, key);
  expectAnswer("get_me", me as Reply);
  expectAnswer("list_bots", list as Reply);
  expectAnswer("create_bot", made as Reply);
}

test("The API returns 503 while the database is stopped, and recovers with it", async () => {
  const dataDir = newDataFolder();
  const key = loadMasterKey({ dataDir, masterKey: undefined });
  const password = key.password("postgres");
  let server = await startEmbedded({ dataDir, password });
  const { url: adminUrl, port } = server;
  await migrate({ adminUrl, key, isNew: true });
  const pool = new Pool({ connectionString: adminUrl });
  pool.on("error", () => {});
  const db = {
    adminUrl,
    key,
    dataDir,
    sql: async (text, values) => (await pool.query(text, values)).rows,
  } as TestDatabase;
  const organisation = await makeOrganisation(db);
  const owner = await makeKey(db, organisation.id, organisation.ownerId);
  const api = await testApi(db, soon);
  try {
    await expectBack(api, owner.text);
    await server.stop();
    await expectAway(api, owner.text);
    await expectAway(api, owner.text);
    server = await startEmbedded({ dataDir, password, port });
    await expectBack(api, owner.text);
  } finally {
    await api.stop();
    await pool.end();
    await server.stop();
  }
});

test("An API that starts before its database serves as soon as the database accepts connections", async () => {
  const ada = await here.owner();
  const network = await networkToDatabase();
  network.refuse(true);
  const api = await testApi({ ...here.db, adminUrl: network.url }, soon);
  try {
    await expectAway(api, ada.key.text);
    network.refuse(false);
    await expectBack(api, ada.key.text);
  } finally {
    await api.stop();
    await network.close();
  }
});

test("The API gives up connections that stop responding and serves on new ones", async () => {
  const ada = await here.owner();
  const network = await networkToDatabase();
  const api = await testApi({ ...here.db, adminUrl: network.url }, soon);
  try {
    await expectBack(api, ada.key.text);
    network.silence(true);
    await expectAway(api, ada.key.text);
    await expectBack(api, ada.key.text);
  } finally {
    await network.close();
    await api.stop();
  }
});

/** A proxied connection to the database, with its URL. */
async function networkToDatabase(): Promise<SlowNetwork & { url: string }> {
  const url = new URL(here.db.adminUrl);
  const network = await slowNetworkTo(Number(url.port));
  url.port = String(network.port);
  return { ...network, url: url.href };
}
