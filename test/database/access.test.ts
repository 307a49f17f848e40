/** openDatabase leaves no server running if it fails. */
import { mkdirSync } from "node:fs";
import { openDatabase } from "../../src/database/access.ts";
import { readPostmaster } from "../../src/database/embedded/postmaster.ts";
import { loadMasterKey } from "../../src/secrets/master-key.ts";
import { cleanUp, clusterOf, newDataFolder, start } from "../support/embedded.ts";
import { signalProcess } from "../support/process-tree.ts";
import { query } from "../support/query.ts";

afterEach(cleanUp);

test("openDatabase stops the embedded server if it cannot create the database", async () => {
  const dataDir = newDataFolder();
  mkdirSync(dataDir, { recursive: true });
  const key = loadMasterKey({ dataDir, masterKey: undefined });
  const server = await start(dataDir, { password: key.password("postgres") });
  await query(server.url, "alter database template0 rename to no_template");
  await server.stop();
  try {
    await expect(openDatabase({ dataDir, databaseUrl: undefined }, key, () => {})).rejects.toThrow(/template0/);
    expect(readPostmaster(clusterOf(dataDir))).toBeUndefined();
  } finally {
    const left = readPostmaster(clusterOf(dataDir));
    if (left) signalProcess(left.pid, "SIGQUIT");
  }
});
