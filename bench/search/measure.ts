/** `npm run bench -- search`: quality and latency of the search of executors, compared with plain full-text search. */
import { join } from "node:path";
import { Client } from "pg";
import { urlAs } from "../../src/database/urls.ts";
import type { MasterKey } from "../../src/secrets/master-key.ts";
import { measureConversations } from "./conversation-quality.ts";
import { latencyTable, measureLatency, memoryCount } from "./latency.ts";
import { measureQuality, qualityTable } from "./quality.ts";

/** @param conversations a folder of conversations; undefined: our own */
export async function measureSearch(
  adminUrl: string,
  key: MasterKey,
  log: (message: string) => void,
  conversations = join(import.meta.dirname, "conversations"),
): Promise<string> {
  const admin = new Client({ connectionString: adminUrl });
  const runner = new Client({ connectionString: urlAs("runner", adminUrl, key) });
  await Promise.all([admin.connect(), runner.connect()]);
  try {
    const answered = await measureQuality(admin, runner);
    for (const { question, ours } of answered) if (!ours && !question.isTest) log(`No hit: ${question.text}`);
    const inConversations = await measureConversations(admin, runner, conversations);
    const kinds = await measureLatency(admin, runner, log);
    return [
      `Recall@5 over the corpus in bench/search/corpus.ts; latency in an ` +
        `organisation of ${memoryCount.toLocaleString("en")} memories, one call at a time.`,
      qualityTable(answered),
      inConversations,
      latencyTable(kinds),
    ].join("\n\n");
  } finally {
    await Promise.all([admin.end(), runner.end()]);
  }
}
