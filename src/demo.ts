/**
 * The demo of a first start: so that a stranger's first call is one that works. (decisions: section 6.)
 */
import { Client } from "pg";
import { urlAs } from "./database/urls.ts";
import { makeCredential } from "./secrets/credentials.ts";
import type { MasterKey } from "./secrets/master-key.ts";

export type Demo = { key: string; botId: string };

/** Makes the demo where there is no organisation yet; undefined where there is one. */
export async function foundDemo(adminUrl: string, key: MasterKey): Promise<Demo | undefined> {
  const owner = new Client({ connectionString: urlAs("owner", adminUrl, key) });
  await owner.connect();
  try {
    const { text, prefix, digest } = makeCredential("bsk");
    const { rows } = await owner.query<{ bot: string }>(
      `select demo.bot from operator.found_demo($1, $2) demo where not exists (select from app.organisations)`,
      [prefix, digest],
    );
    const [made] = rows;
    return made && { key: text, botId: made.bot };
  } finally {
    await owner.end();
  }
}
