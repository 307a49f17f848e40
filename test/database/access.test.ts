/** The embedded server that was started and can't be used: it is not left running. */
import { mkdirSync } from "node:fs";
import { openDatabase } from "../../src/database/access.ts";
import { readPostmaster } from "../../src/database/embedded/postmaster.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";
import { cleanUp, clusterOf, newDataFolder, start } from "../support/embedded.ts";
import { query } from "../support/query.ts";

afterEach(cleanUp);

test("where our database can't be made, the server that was started for it ends", async () => {
  const dataDir = newDataFolder();
  mkdirSync(dataDir, { recursive: true });
  const key = loadMasterKey({ dataDir, masterKey: undefined });
  const server = await start(dataDir, { password: key.password("postgres") });
  await query(server.url, "alter database template1 rename to no_template");
  await server.stop();
  try {
    await expect(openDatabase({ dataDir, databaseUrl: undefined }, key, () => {})).rejects.toThrow(/template1/);
    expect(readPostmaster(clusterOf(dataDir))).toBeUndefined();
  } finally {
    const left = readPostmaster(clusterOf(dataDir));
    if (left) process.kill(left.pid, "SIGQUIT");
  }
}, 60_000);
