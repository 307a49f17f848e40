import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readPostmaster } from "../../src/database/embedded/postmaster.ts";
import { findEmbedded } from "../../src/database/embedded.ts";
import {
  adopt,
  cleanUp,
  clusterOf,
  kill,
  killChildren,
  logOf,
  newDataFolder,
  password,
  start,
  startApart,
} from "../support/embedded.ts";
import { processTree, signalAll, signalProcess } from "../support/process-tree.ts";
import { query } from "../support/query.ts";
import { eventually } from "../support/worker.ts";

afterEach(cleanUp);

/** A database in a process of its own with one committed row, and the pid of its server. */
async function withRow(dataDir: string): Promise<{ child: ChildProcess; url: string; postmaster: number }> {
  const { child, url = "" } = await startApart(dataDir);
  await query(url, "create table kept (word text)");
  await query(url, "insert into kept values ('yes')");
  return { child, url, postmaster: readPostmaster(clusterOf(dataDir))?.pid ?? 0 };
}

/** Otherwise the guardian ends the server right after its process, so that no orphan remains. */
function killGuardianOf(child: ChildProcess): void {
  const guardians = processTree(child.pid ?? 0).filter(({ command }) => command.includes("botstead-guardian"));
  expect(guardians).toHaveLength(1);
  signalAll(guardians, "SIGKILL");
}

test("of three concurrent starts one succeeds, and the others name its process", async () => {
  const dataDir = newDataFolder();
  const outcomes = await Promise.all([startApart(dataDir), startApart(dataDir), startApart(dataDir)]);
  const [winner, ...others] = outcomes.filter(({ url }) => url);
  expect(others).toEqual([]);
  const refused = outcomes.filter((outcome) => outcome !== winner);
  expect(refused).toHaveLength(2);
  for (const { refusal } of refused) expect(refusal).toContain(`in use by Botstead process ${winner?.child.pid}.`);
});

test("a start ends the server that a killed process left running, and keeps the rows", async () => {
  const dataDir = newDataFolder();
  const { child, url, postmaster } = await withRow(dataDir);
  killGuardianOf(child);
  await kill(child);
  expect(await findEmbedded({ dataDir, password })).toBe(url); // the orphan still answers

  const notices: string[] = [];
  const server = await start(dataDir, { progress: (sentence) => notices.push(sentence) });
  expect(notices[0]).toBe("Stopping the database server of a killed process");
  expect(await query(server.url, "select word from kept")).toEqual([{ word: "yes" }]);
  expect(readPostmaster(clusterOf(dataDir))?.pid).not.toBe(postmaster);
});

test("a start keeps the rows after Node and the server were killed during a statement", async () => {
  const dataDir = newDataFolder();
  const { child, url, postmaster } = await withRow(dataDir);
  // The backend outlives its postmaster and keeps the shared memory: about 1 s, or several on a busy machine. A start
  // waits 10 s.
  const busy = query(url, "select count(*) from generate_series(1, 6000000)").then(
    () => "counted",
    ({ message }: Error) => message,
  );
  const counting =
    "select from pg_stat_activity where pid <> pg_backend_pid() and state = 'active' and query like '%generate_series%'";
  await eventually(async () => (await query(url, counting)).length > 0);
  await kill(child);
  signalProcess(postmaster, "SIGKILL");
  const server = await start(dataDir);
  expect(await query(server.url, "select word from kept")).toEqual([{ word: "yes" }]);
  expect(await busy).toBe("counted"); // the start waited for its end
});

test("a server that ends unexpectedly resolves `lost`, and its folder can be started again", async () => {
  const dataDir = newDataFolder();
  const server = await start(dataDir);
  signalProcess(readPostmaster(clusterOf(dataDir))?.pid, "SIGQUIT");
  await server.lost;
  await server.stop();
  await start(dataDir);
});

test("stop() does not resolve `lost`", async () => {
  const server = await start(newDataFolder());
  await server.stop();
  // A period in which `lost` must not resolve; the server has ended already.
  expect(await Promise.race([server.lost.then(() => "lost"), sleep(50, "kept")])).toBe("kept");
});

test("a start leaves a process alone that reuses the dead server's id", async () => {
  const dataDir = newDataFolder();
  await (await start(dataDir)).stop();
  // PostgreSQL only checks processes of its own user.
  const { uid, gid } = statSync(clusterOf(dataDir));
  const unrelated = adopt(spawn("sleep", ["60"], { cwd: "/", stdio: "ignore", uid }));
  await once(unrelated, "spawn");
  const lines = [
    unrelated.pid,
    clusterOf(dataDir),
    1_700_000_000,
    5432,
    "",
    "127.0.0.1",
    "   123456    654321",
    "ready",
  ];
  const file = join(clusterOf(dataDir), "postmaster.pid");
  writeFileSync(file, `${lines.join("\n")}\n`);
  chownSync(file, uid, gid); // the server must read it, also under a umask of 077
  expect(await findEmbedded({ dataDir, password })).toBeUndefined();
  await start(dataDir);
  expect(unrelated.exitCode ?? unrelated.signalCode).toBeNull();
});

test("a start accepts a postmaster.pid that a power cut truncated", async () => {
  const dataDir = newDataFolder();
  await (await start(dataDir)).stop();
  writeFileSync(join(clusterOf(dataDir), "postmaster.pid"), "");
  await start(dataDir);
});

test("a pid file with the id of an unrelated process is no lock", async () => {
  const dataDir = newDataFolder();
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "botstead.pid"), "1\n");
  await start(dataDir);
  expect(readFileSync(join(dataDir, "botstead.pid"), "utf8")).toBe(`${process.pid}\n`);
});

test("a start succeeds after several starts were killed while they created the cluster", async () => {
  const dataDir = newDataFolder();
  for (const delay of [0, 150, 300]) {
    const starting = startApart(dataDir).catch(() => {});
    await eventually(
      async () => existsSync(dataDir) && readdirSync(dataDir).some((name) => name.startsWith("postgres")),
    );
    await sleep(delay); // kills hit different moments of initdb
    await killChildren();
    await starting;
  }
  const server = await start(dataDir);
  expect(await query(server.url, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("SIGTERM to Node also ends the server", async () => {
  const dataDir = newDataFolder();
  const { child } = await withRow(dataDir);
  await kill(child, "SIGTERM");
  expect(child.exitCode).toBe(0);
  expect(readPostmaster(clusterOf(dataDir))).toBeUndefined();
});

test("a Node that exits without stop() makes the server shut down in order", async () => {
  const dataDir = newDataFolder();
  const { child } = await withRow(dataDir);
  await kill(child, "SIGUSR2");
  expect(child.exitCode).toBe(1);
  // The server logs its last line after it has removed its last file.
  const inOrder = /received fast shutdown request.*database system is shut down/s;
  await eventually(async () => inOrder.test(readFileSync(logOf(dataDir), "utf8")));
  expect(readPostmaster(clusterOf(dataDir))).toBeUndefined();
});

test("the server has its own process group, so Ctrl-C does not reach it", async () => {
  const dataDir = newDataFolder();
  const { postmaster } = await withRow(dataDir);
  // A group's id is the pid of its leader; signal 0 only checks that the group exists.
  expect(process.kill(-postmaster, 0)).toBe(true);
});
