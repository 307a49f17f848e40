/**
 * The demo organisation of a first start (docs/specification/service.md#demo).
 *
 * A file in the data folder exists from before its creation until its key has been printed. A start that finds the file
 * revokes the unseen key and prints a new one.
 */
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withSession } from "../database/connections/session.ts";
import { urlAs } from "../database/urls.ts";
import { makeCredential } from "../secrets/credentials.ts";
import type { MasterKey } from "../secrets/master-key.ts";

export type Demo = { key: string; botId: string };

const markerIn = (dataDir: string) => join(dataDir, "demo-key-unseen");

/** Creates the demo if there is no organisation, or a new key if the last was not shown; undefined otherwise. */
export async function createDemo(dataDir: string, adminUrl: string, key: MasterKey): Promise<Demo | undefined> {
  return withSession(urlAs("owner", adminUrl, key), "botstead start", async (owner) => {
    const { rows } = await owner.query<{ used: boolean }>("select exists (select from app.organisations) as used");
    const isUnseen = existsSync(markerIn(dataDir));
    if (rows[0]?.used && !isUnseen) return undefined;
    if (!isUnseen) writeFileSync(markerIn(dataDir), "", { mode: 0o600, flush: true });
    const { text, prefix, digest } = makeCredential("bsk");
    const {
      rows: [demo],
    } = await owner.query<{ bot: string | null }>(
      `select demo.bot from operator.${rows[0]?.used ? "rekey_demo" : "create_demo"}($1, $2) demo`,
      [prefix, digest],
    );
    return demo?.bot ? { key: text, botId: demo.bot } : undefined;
  });
}

/** Call it after the key has been printed. */
export function demoWasShown(dataDir: string): void {
  rmSync(markerIn(dataDir), { force: true });
}
