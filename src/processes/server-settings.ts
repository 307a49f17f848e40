/**
 * The settings of a running `botstead start` with the embedded database, for commands in another shell. They lie in its data
 * folder, and in the default data folder of its working directory: a command there needs no DATA_DIR.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { addSettings, defaultDataDir, settingOf } from "../config.ts";
import { isAlive } from "../database/embedded/alive.ts";

type ServerSettings = { pid: number; settings: Record<string, string> };

const fileName = "server.json";

/** @param settings without secrets @returns removes the files */
export function recordSettings(dataDir: string, settings: Record<string, string>): () => void {
  const files = [...new Set([dataDir, resolve(defaultDataDir)])].map((folder) => join(folder, fileName));
  const text = JSON.stringify({ pid: process.pid, settings: { ...settings, DATA_DIR: dataDir } });
  for (const file of files) {
    try {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      rmSync(file, { force: true }); // so that the mode below applies
      writeFileSync(file, text, { mode: 0o600 });
    } catch {
      // In a working directory that cannot be written to, commands need DATA_DIR.
    }
  }
  return () => {
    for (const file of files) if (read(file)?.pid === process.pid) rmSync(file, { force: true });
  };
}

/**
 * Adds the settings of the running server to the settings of this process, which have priority. Without DATA_DIR and DATABASE_URL
 * that is the server that was started in this working directory.
 *
 * @returns the data folder, if it is another than this process would have used
 */
export function adoptServerSettings(): string | undefined {
  if (settingOf("DATABASE_URL")) return undefined;
  const dataDir = resolve(settingOf("DATA_DIR") ?? defaultDataDir);
  const found = read(join(dataDir, fileName));
  if (!found || !isAlive(found.pid)) return undefined; // a killed start leaves its file
  addSettings(found.settings);
  return settingOf("DATA_DIR") === dataDir ? undefined : settingOf("DATA_DIR");
}

function read(file: string): ServerSettings | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}
