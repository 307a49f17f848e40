/** The version that follows this one: the same with one more migration, and a definition that this one does not have. */

import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export type Version = {
  /** What its commands are run by. */
  script: string;
  remove(): void;
};

const project = fileURLToPath(new URL("../../", import.meta.url));

export function makeNextVersion(): Version {
  const folder = mkdtempSync(join(tmpdir(), "botstead-next-"));
  for (const name of ["src", "sql", "migrations", "docs", "package.json", ".gmrc"]) {
    cpSync(join(project, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
  commit(join(folder, "migrations/committed"), "alter table app.bots add column motto text;");
  const definition = join(folder, "sql/api/bots.sql");
  const added = "create function api.next_version() returns text language sql immutable as $$ select 'next' $$;";
  writeFileSync(definition, `${readFileSync(definition, "utf8")}\n${added}\n`);
  return {
    script: join(folder, "src/botstead.js"),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** As graphile-migrate commits: each migration names the hash of the one before it. */
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
