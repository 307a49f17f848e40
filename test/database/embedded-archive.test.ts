/** The WAL archive of the embedded server: what its log says, and where a copy of the data folder archives. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cleanUp, logOf, newDataFolder, start } from "../support/embedded.ts";
import { query } from "../support/query.ts";
import { eventually } from "../support/worker.ts";

let backupDir: string;
beforeEach(() => {
  const parent = mkdtempSync(join(tmpdir(), "botstead-archive-"));
  chmodSync(parent, 0o755);
  backupDir = join(parent, "backups");
});
afterEach(async () => {
  await cleanUp();
  rmSync(join(backupDir, ".."), { recursive: true });
});

const readLog = (dataDir: string) => readFileSync(logOf(dataDir), "utf8");
const segments = (archive: string) =>
  readdirSync(join(backupDir, archive, "wal")).filter((name) => /^\w{24}$/.test(name));
const switchWal = (url: string) => query(url, "create table if not exists t (a int); select pg_switch_wal()");

test("the log says why WAL is not archived, and no error of a session", async () => {
  const dataDir = newDataFolder();
  const { url } = await start(dataDir, { backupDir });
  const wal = join(backupDir, readdirSync(backupDir)[0] ?? "", "wal");
  renameSync(wal, `${wal}.away`);
  writeFileSync(wal, ""); // no folder
  await switchWal(url);
  await eventually(async () => /basic_archive|could not (create|stat|open) file/.test(readLog(dataDir)));
  await expect(query(url, "select 'canary-value'::integer")).rejects.toThrow();
  await expect(query(url, "do $$ begin raise warning 'canary-value'; end $$")).resolves.toEqual([]);
  expect(readLog(dataDir)).not.toContain("canary-value");
});

test("a started copy of a data folder archives into a folder of its own, and the original continues", async () => {
  const original = newDataFolder();
  const first = await start(original, { backupDir });
  await switchWal(first.url);
  const [archive = ""] = readdirSync(backupDir);
  await eventually(async () => segments(archive).length > 0);
  await first.stop();
  const copy = newDataFolder();
  execFileSync("cp", ["--archive", original, copy]);
  const notices: string[] = [];
  const second = await start(copy, { backupDir, progress: (sentence) => notices.push(sentence) });
  expect(notices).toContain("This data folder is a copy, so its WAL archive begins in a new folder: take a backup");
  const own = readdirSync(backupDir).find((name) => name !== archive) ?? "";
  const before = segments(archive).length;
  await switchWal(second.url);
  await eventually(async () => segments(own).length > 0);
  await second.stop();
  const again = await start(original, { backupDir });
  await switchWal(again.url);
  await eventually(async () => segments(archive).length > before);
  expect(readdirSync(backupDir).toSorted()).toEqual([archive, own].toSorted());
});
