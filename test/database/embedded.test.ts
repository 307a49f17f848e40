import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DataFolderInUse, findEmbedded } from "../../src/database/embedded.ts";
import { cleanUp, clusterOf, logOf, newDataFolder, password, start } from "../support/embedded.ts";
import { testAsRoot } from "../support/machine.ts";
import { answers, query } from "../support/query.ts";
import { eventually } from "../support/worker.ts";

const asRoot = testAsRoot();

afterEach(cleanUp);

describe("startEmbedded", () => {
  test("creates a database in an empty data folder and keeps its rows over a restart", async () => {
    const dataDir = newDataFolder();
    const notices: string[] = [];
    const first = await start(dataDir, { progress: (sentence) => notices.push(sentence) });
    expect(first.version).toMatch(/^18\.\d+$/);
    expect(first.url).toMatch(new RegExp(`^postgres://postgres:[^@/]+@127\\.0\\.0\\.1:${first.port}/postgres$`));
    expect(notices).toEqual([
      expect.stringMatching(/^Creating a database in /),
      `Starting PostgreSQL ${first.version}`,
    ]);
    await query(first.url, "create table kept (word text)");
    await query(first.url, "insert into kept values ('yes')");
    await first.stop();
    await first.stop();

    const second = await start(dataDir);
    expect(await query(second.url, "select word from kept")).toEqual([{ word: "yes" }]);
  });

  test("creates a durable database with checksums, UTF-8, code point order and password authentication", async () => {
    const { url, port } = await start(newDataFolder(), { settings: { fsync: "off", work_mem: "5MB" } });
    const names = ["fsync", "data_checksums", "server_encoding", "timezone", "jit", "unix_socket_directories"];
    const rows = await query(url, "select lower(name) as name, setting from pg_settings where lower(name) = any($1)", [
      names,
    ]);
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      data_checksums: "on",
      fsync: "on",
      jit: "off",
      server_encoding: "UTF8",
      timezone: "UTC",
      unix_socket_directories: "",
    });
    expect(await query(url, "show work_mem")).toEqual([{ work_mem: "5MB" }]);
    expect(await query(url, "show listen_addresses")).toEqual([{ listen_addresses: "127.0.0.1" }]);
    expect(await query(url, "select distinct auth_method from pg_hba_file_rules")).toEqual([
      { auth_method: "scram-sha-256" },
    ]);
    expect(await query(url, "select datlocprovider, datlocale from pg_database where datname = 'postgres'")).toEqual([
      { datlocprovider: "b", datlocale: "C.UTF-8" },
    ]);
    await expect(query(`postgres://postgres:wrong@127.0.0.1:${port}/postgres`, "select 1")).rejects.toMatchObject({
      code: "28P01",
    });
  });

  test("removes what an interrupted set-up left, including its password file", async () => {
    const dataDir = newDataFolder();
    const half = join(dataDir, "postgres.new-Ab12cd", "data", "base");
    mkdirSync(half, { recursive: true });
    writeFileSync(join(dataDir, "postgres.new-Ab12cd", "password"), password);
    await start(dataDir);
    expect(readdirSync(dataDir).sort()).toEqual([
      "botstead.lock",
      "botstead.pid",
      "postgres",
      "postgres.log",
      "postgres.port",
    ]);
  });

  for (const mode of [0o700, 0o755]) {
    asRoot(`works as root below a folder of mode ${mode.toString(8)} and keeps the mode`, async () => {
      const dataDir = newDataFolder();
      chmodSync(dirname(dataDir), mode);
      const { url } = await start(dataDir);
      await query(url, "create database another");
      await query(url, "checkpoint");
      expect(statSync(dirname(dataDir)).mode & 0o777).toBe(mode);
      expect(statSync(dataDir).uid).toBe(0);
      expect(statSync(clusterOf(dataDir)).uid).not.toBe(0);
    });
  }
});

describe("startEmbedded refuses", () => {
  test("a data folder in use, and names the other process", async () => {
    const dataDir = newDataFolder();
    const first = await start(dataDir);
    const refused = start(dataDir);
    await expect(refused).rejects.toThrow(DataFolderInUse);
    await expect(refused).rejects.toMatchObject({
      code: "data_folder_in_use",
      pid: process.pid,
      message: expect.stringMatching(
        new RegExp(`^The data folder .+ is in use by Botstead process ${process.pid}\\.$`),
      ),
    });
    expect(await query(first.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  test("a database of another major version, or a folder with other content, and leaves it unchanged", async () => {
    const dataDir = newDataFolder();
    mkdirSync(clusterOf(dataDir), { recursive: true });
    writeFileSync(join(clusterOf(dataDir), "PG_VERSION"), "17\n");
    await expect(start(dataDir)).rejects.toThrow(/created by PostgreSQL 17; PostgreSQL 18 cannot read it/);

    const other = newDataFolder();
    mkdirSync(clusterOf(other), { recursive: true });
    writeFileSync(join(clusterOf(other), "letter.txt"), "dear");
    await expect(start(other)).rejects.toThrow(/contains something other than a PostgreSQL database/);
    expect(readdirSync(clusterOf(other))).toEqual(["letter.txt"]);
  });

  test("a wrong password is refused, and the right password still works", async () => {
    const dataDir = newDataFolder();
    await (await start(dataDir)).stop();
    await expect(start(dataDir, { password: "another" })).rejects.toThrow(/created with another master key/);
    await start(dataDir);
  });

  test("an invalid setting, with the reason from the log", async () => {
    const dataDir = newDataFolder();
    await expect(start(dataDir, { settings: { max_connections: "many" } })).rejects.toThrow(
      /^PostgreSQL did not start: invalid value for parameter "max_connections": "many"\. Its log is \S+postgres\.log\.$/,
    );
  });
});

test("the log contains no statement, parameter or row, whichever error occurs", async () => {
  const dataDir = newDataFolder();
  const { url, stop } = await start(dataDir);
  await query(url, "create table unique_words (word text primary key)");
  await query(url, "insert into unique_words values ($1)", ["hush-row"]);
  await expect(query(url, "insert into unique_words values ($1)", ["hush-row"])).rejects.toMatchObject({
    code: "23505",
  });
  await expect(query(url, "select $1::uuid", ["hush-parameter"])).rejects.toMatchObject({ code: "22P02" });
  await expect(query(url, "select 'hush-literal' from nowhere")).rejects.toMatchObject({ code: "42P01" });
  await query(url, "do $$ begin raise warning 'hush-warning'; end $$");
  // When a backend crashes, the postmaster logs the statement it ran.
  await expect(query(url, "copy (select 'hush-crash') to program 'kill -SEGV $PPID'")).rejects.toThrow();
  await eventually(() => answers(url)); // it restarts by itself
  await stop();
  const log = readFileSync(logOf(dataDir), "utf8");
  expect(log).toMatch(/ready to accept connections/);
  expect(log).toMatch(/terminated by signal 11/);
  expect(log).not.toMatch(/hush/);
  expect(statSync(logOf(dataDir)).mode & 0o777).toBe(0o600);
});

test("findEmbedded finds the server of a data folder only while it runs", async () => {
  const dataDir = newDataFolder();
  expect(await findEmbedded({ dataDir, password })).toBeUndefined();
  expect(existsSync(dataDir)).toBe(false);
  const { url, stop } = await start(dataDir);
  expect(await findEmbedded({ dataDir, password })).toBe(url);
  await expect(findEmbedded({ dataDir, password: "another" })).rejects.toThrow(/another master key/);
  await stop();
  expect(await findEmbedded({ dataDir, password })).toBeUndefined();
});
