/** An interrupted first start: the next start prints a working key, whichever step was interrupted. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDemo, demoWasShown } from "../../src/processes/demo.ts";
import { testApi } from "../support/api.ts";
import { testDatabase } from "../support/database.ts";
import { keyIn, makeInstallation } from "../support/installation.ts";
import { isAlive, processTree, signalAll, signalGroup } from "../support/process-tree.ts";
import { command, killPrograms, runProgram } from "../support/program.ts";
import { eventually } from "../support/worker.ts";

afterAll(killPrograms);

test("a start interrupted or killed at any step is completed by the next, and the last printed key works", async () => {
  const home = await makeInstallation();
  let shown = "";
  try {
    for (const [step, signal] of [
      [/Creating a database/, "SIGINT"],
      [/Starting PostgreSQL/, "SIGKILL"],
      [/Applying definitions/, "SIGKILL"],
      [/Applying migrations/, "SIGINT"],
      [/Starting the API/, "SIGINT"],
      [/Starting the API/, "SIGKILL"],
    ] as const) {
      const program = runProgram(["start"], { env: home.env, detached: true });
      await program.says(step);
      const tree = processTree(program.child.pid ?? 0);
      if (signal === "SIGKILL") signalAll(tree, signal);
      else signalGroup(program.child.pid, signal); // signals the whole group, as a terminal does
      const { code, stdout, stderr } = await program.ending;
      expect([signal, code, stderr]).toEqual([signal, signal === "SIGINT" ? 0 : null, ""]);
      shown = keyIn(stdout) || shown; // the signal after the last step can be late
      await eventually(async () => !tree.some(({ pid }) => isAlive(pid)));
    }
    const { panel, program } = await home.start();
    expect((await home.call("GET", "/me", keyIn(panel) || shown)).status).toBe(200);
    await program.kill("SIGTERM");
    expect(existsSync(join(home.dataDir, "demo-key-unseen"))).toBe(false);
  } finally {
    await home.remove();
  }
});

test("createDemo creates a new key and revokes the former until one was shown", async () => {
  const db = await testDatabase();
  const api = await testApi(db);
  const dataDir = mkdtempSync(join(tmpdir(), "botstead-demo-"));
  try {
    const found = () => createDemo(dataDir, db.adminUrl, db.key);
    const [lost, shown] = [await found(), await found()];
    expect(shown?.botId).toBe(lost?.botId);
    const status = async (key = "") => (await api.call("GET", "/me", { key })).status;
    expect([await status(lost?.key), await status(shown?.key)]).toEqual([401, 200]);
    demoWasShown(dataDir);
    expect(await found()).toBeUndefined();
    expect(await status(shown?.key)).toBe(200);
  } finally {
    await api.stop();
    await db.drop();
    rmSync(dataDir, { recursive: true });
  }
});

test("createDemo keeps a demo key that was used, although it is marked as not shown", async () => {
  const db = await testDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), "botstead-demo-"));
  try {
    const found = () => createDemo(dataDir, db.adminUrl, db.key);
    await found();
    await db.sql("update app.api_key_uses set last_used_at = now()");
    expect(await found()).toBeUndefined();
    expect(await db.sql("select revoked_at from app.api_keys")).toEqual([{ revoked_at: null }]);
  } finally {
    await db.drop();
    rmSync(dataDir, { recursive: true });
  }
});

test("the embedded server keeps its port over restarts, and reports a new one if another program has it", async () => {
  const home = await makeInstallation();
  const migrate = async () => {
    const { code, stderr } = await command(["migrate"], { env: home.env });
    expect(code).toBe(0);
    return stderr;
  };
  const portOf = async () => {
    const { stdout } = await command(["executor", "mint", "--name", `at_${Date.now()}`], { env: home.env });
    return Number(new URL(stdout.trim()).port);
  };
  try {
    await migrate();
    const port = await portOf();
    expect(await portOf()).toBe(port);
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    expect(await migrate()).toContain(`Another program uses port ${port}, the database's last port`);
    const next = await portOf();
    await new Promise((resolve) => other.close(resolve));
    expect(next).not.toBe(port);
    expect(await portOf()).toBe(next);
  } finally {
    await home.remove();
  }
});
