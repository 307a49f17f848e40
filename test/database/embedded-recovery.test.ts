import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
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
import { query } from "../support/query.ts";
import { eventually } from "../support/worker.ts";

afterEach(cleanUp);

/** A database in a process of its own, with a committed row, and the pid of its server. */
async function withRow(dataDir: string): Promise<{ child: ChildProcess; url: string; postmaster: number }> {
  const { child, url = "" } = await startApart(dataDir);
  await query(url, "create table kept (word text)");
  await query(url, "insert into kept values ('yes')");
  return { child, url, postmaster: readPostmaster(clusterOf(dataDir))?.pid ?? 0 };
}

test("of two starts at once exactly one wins, and the other is told who did", async () => {
  const dataDir = newDataFolder();
  const outcomes = await Promise.all([startApart(dataDir), startApart(dataDir), startApart(dataDir)]);
  const [winner, ...others] = outcomes.filter(({ url }) => url);
  expect(others).toEqual([]);
  const refused = outcomes.filter((outcome) => outcome !== winner);
  expect(refused).toHaveLength(2);
  for (const { refusal } of refused) expect(refusal).toContain(`in use by Botstead process ${winner?.child.pid}.`);
});

test("a Node that was killed leaves its server running; the next start ends it and has the rows", async () => {
  const dataDir = newDataFolder();
  const { child, url, postmaster } = await withRow(dataDir);
  await kill(child);
  expect(await findEmbedded({ dataDir, password })).toBe(url); // still served, by nobody's child

  const told: string[] = [];
  const server = await start(dataDir, { progress: (sentence) => told.push(sentence) });
  expect(told[0]).toBe("Recovering the database that a killed process left running");
  expect(await query(server.url, "select word from kept")).toEqual([{ word: "yes" }]);
  expect(readPostmaster(clusterOf(dataDir))?.pid).not.toBe(postmaster);
});

test("Node and its server both killed, amid a busy statement: the rows are there", async () => {
  const dataDir = newDataFolder();
  const { child, url, postmaster } = await withRow(dataDir);
  // Counts for a second without looking up, so that it outlives its postmaster and keeps the shared memory; on a busy machine
  // for several, and a start waits ten.
  const busy = query(url, "select count(*) from generate_series(1, 6000000)").then(
    () => "counted",
    ({ message }: Error) => message,
  );
  const counting =
    "select from pg_stat_activity where pid <> pg_backend_pid() and state = 'active' and query like '%generate_series%'";
  await eventually(async () => (await query(url, counting)).length > 0);
  await kill(child);
  process.kill(postmaster, "SIGKILL");
  const server = await start(dataDir);
  expect(await query(server.url, "select word from kept")).toEqual([{ word: "yes" }]);
  expect(await busy).toBe("counted"); // to its end, for which the start had to wait
});

test("a server that dies by itself is reported as lost, and its folder can be started again", async () => {
  const dataDir = newDataFolder();
  const server = await start(dataDir);
  process.kill(readPostmaster(clusterOf(dataDir))?.pid ?? 0, "SIGQUIT");
  await server.lost;
  await server.stop();
  await start(dataDir);
});

test("stopping is no loss", async () => {
  const server = await start(newDataFolder());
  await server.stop();
  expect(await Promise.race([server.lost.then(() => "lost"), sleep(50, "kept")])).toBe("kept");
});

test("a process that has the dead server's id by now is left alone", async () => {
  const dataDir = newDataFolder();
  await (await start(dataDir)).stop();
  // Of the server's own user: another user's process is not even in PostgreSQL's way.
  const { uid } = statSync(clusterOf(dataDir));
  const stranger = adopt(spawn("sleep", ["60"], { cwd: "/", stdio: "ignore", uid }));
  await once(stranger, "spawn");
  const lines = [
    stranger.pid,
    clusterOf(dataDir),
    1_700_000_000,
    5432,
    "",
    "127.0.0.1",
    "   123456    654321",
    "ready",
  ];
  writeFileSync(join(clusterOf(dataDir), "postmaster.pid"), `${lines.join("\n")}\n`);
  expect(await findEmbedded({ dataDir, password })).toBeUndefined();
  await start(dataDir);
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
});

test("a postmaster.pid cut short by a power cut is no obstacle", async () => {
  const dataDir = newDataFolder();
  await (await start(dataDir)).stop();
  writeFileSync(join(clusterOf(dataDir), "postmaster.pid"), "");
  await start(dataDir);
});

test("a note with a living stranger's id does not pass for a lock", async () => {
  const dataDir = newDataFolder();
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "botstead.pid"), "1\n");
  await start(dataDir);
  expect(readFileSync(join(dataDir, "botstead.pid"), "utf8")).toBe(`${process.pid}\n`);
});

test("a set-up killed half-way, again and again, leaves nothing that a later start fails on", async () => {
  const dataDir = newDataFolder();
  for (const delay of [0, 150, 300]) {
    const starting = startApart(dataDir).catch(() => {});
    await eventually(
      async () => existsSync(dataDir) && readdirSync(dataDir).some((name) => name.startsWith("postgres")),
    );
    await sleep(delay);
    await killChildren();
    await starting;
  }
  const server = await start(dataDir);
  expect(await query(server.url, "select 1 as one")).toEqual([{ one: 1 }]);
});

test("an orderly end of Node's process ends the server with it", async () => {
  const dataDir = newDataFolder();
  const { child } = await withRow(dataDir);
  await kill(child, "SIGTERM");
  expect(child.exitCode).toBe(0);
  expect(readPostmaster(clusterOf(dataDir))).toBeUndefined();
});

test("a Node that exits without a stop tells the server to end, which it does by itself", async () => {
  const dataDir = newDataFolder();
  const { child } = await withRow(dataDir);
  await kill(child, "SIGUSR2");
  expect(child.exitCode).toBe(1);
  // Its last line is written after its last file is gone.
  const inOrder = /received fast shutdown request.*database system is shut down/s;
  await eventually(async () => inOrder.test(readFileSync(logOf(dataDir), "utf8")));
  expect(readPostmaster(clusterOf(dataDir))).toBeUndefined();
});

test("the server is in a process group of its own, out of reach of Ctrl-C", async () => {
  const dataDir = newDataFolder();
  const { postmaster } = await withRow(dataDir);
  // The group's id is its leader's pid; signal 0 only asks whether there is such a group.
  expect(process.kill(-postmaster, 0)).toBe(true);
});
