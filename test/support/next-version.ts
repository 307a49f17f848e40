/** The next version: this one with one more migration and one more definition. */

import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export type Version = {
  /** Path of its command line. */
  script: string;
  remove(): void;
};

const project = fileURLToPath(new URL("../../", import.meta.url));

/**
 * @param migration its one more migration, as SQL; none if empty
 * @param number its version, if not the next
 */
export function makeNextVersion(migration: string, number?: string): Version {
  const folder = mkdtempSync(join(tmpdir(), "botstead-next-"));
  for (const name of ["src", "sql", "migrations", "docs", "package.json", "package-lock.json", ".gmrc"]) {
    cpSync(join(project, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
  if (migration) commit(join(folder, "migrations/committed"), migration);
  if (number) {
    const description = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    writeFileSync(join(folder, "package.json"), JSON.stringify({ ...description, version: number }));
  }
  const definition = join(folder, "sql/api/bots.sql");
  const added = "create function api.next_version() returns text language sql immutable as $$ select 'next' $$;";
  writeFileSync(definition, `${readFileSync(definition, "utf8")}\n${added}\n`);
  return {
    script: join(folder, "src/botstead.js"),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** Commits as graphile-migrate does: each migration names the hash of the previous one. */
function commit(folder: string, body: string): void {
  const last =
    readdirSync(folder)
      .filter((name) => name.endsWith(".sql"))
      .toSorted()
      .at(-1) ?? "";
  const [, previous = ""] = readFileSync(join(folder, last), "utf8").match(/^--! Hash: (.*)$/m) ?? [];
  const hash = createHash("sha1").update(`${previous}\n${body}\n`).digest("hex");
  const number = String(Number.parseInt(last, 10) + 1).padStart(6, "0");
  writeFileSync(
    join(folder, `${number}-motto.sql`),
    `--! Previous: ${previous}\n--! Hash: sha1:${hash}\n--! Message: motto\n\n${body}\n`,
  );
}
