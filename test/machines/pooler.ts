/** Debian's PgBouncer with ops/pgbouncer/pgbouncer.ini. It refuses to run as root. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accountFor, giveTo } from "../../src/database/embedded/account.ts";
import { freePort } from "../../src/database/embedded/port.ts";
import { closing } from "../support/closing.ts";
import type { TestDatabase } from "../support/database.ts";
import { type Daemon, daemon } from "./daemon.ts";
import { opsFile } from "./ops.ts";

export type Pooler = {
  /** Separate processes on one port. */
  processes: Daemon[];
  /** The same URL with the address of the pooler. */
  urlOf(url: string): string;
  remove(): Promise<void>;
};

/** The line of userlist.txt, from the statement in docs/database.md. */
async function readUserlist(db: Pick<TestDatabase, "sql">): Promise<string> {
  const page = readFileSync(new URL("../../docs/database.md", import.meta.url), "utf8");
  const [, statement = ""] = page.match(/userlist\.txt <<'SQL'\n(.+)\nSQL/) ?? [];
  const [line] = await db.sql<{ format: string }>(statement);
  return line?.format ?? "";
}

/** @param count number of processes, all on one port */
export async function startPooler(db: Pick<TestDatabase, "sql" | "adminUrl">, count = 1): Promise<Pooler> {
  const folder = mkdtempSync(join(tmpdir(), "botstead-pooler-"));
  const account = accountFor(folder);
  const port = await freePort();
  const { port: serverPort, pathname } = new URL(db.adminUrl);
  const ini = join(folder, "pgbouncer.ini");
  writeFileSync(
    ini,
    opsFile("pgbouncer/pgbouncer.ini", {
      "botstead = host=db.internal port=5432": `${pathname.slice(1)} = host=127.0.0.1 port=${serverPort}`,
      "listen_port = 6432": `listen_port = ${port}`,
      "/etc/pgbouncer/userlist.txt": join(folder, "userlist.txt"),
    }),
  );
  writeFileSync(join(folder, "userlist.txt"), `${await readUserlist(db)}\n`);
  if (account) giveTo(account, folder);
  const processes = Array.from({ length: count }, () =>
    daemon({ program: "pgbouncer", args: [ini], port, cwd: folder, account }),
  );
  const remove = closing(async () => {
    await Promise.all(processes.map(({ kill }) => kill()));
    rmSync(folder, { recursive: true });
  });
  for (const process of processes) await process.start();
  return {
    processes,
    urlOf(url) {
      const other = new URL(url);
      other.port = String(port);
      return other.href;
    },
    remove,
  };
}
