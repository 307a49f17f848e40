/** `npm run bench -- recall`: how well and how quickly bots recall, beside plain full text. */
import { Client } from "pg";
import { urlAs } from "../../src/database/urls.ts";
import type { MasterKey } from "../../src/secrets/master-key.ts";
import { claimsHeld, latencyTable, measureLatency } from "./latency.ts";
import { measureQuality, qualityTable } from "./quality.ts";

export async function measureRecall(adminUrl: string, key: MasterKey, say: (what: string) => void): Promise<string> {
  const admin = new Client({ connectionString: adminUrl });
  const runner = new Client({ connectionString: urlAs("runner", adminUrl, key) });
  await Promise.all([admin.connect(), runner.connect()]);
  try {
    const answered = await measureQuality(admin, runner);
    for (const { question, ours } of answered) if (!ours && !question.held) say(`not answered: ${question.text}`);
    const kinds = await measureLatency(admin, runner, say);
    return [
      `${new Date().toISOString().slice(0, 10)}; recall@5 over the corpus in bench/recall/corpus.ts; latency in an ` +
        `organisation of ${claimsHeld.toLocaleString("en")} claims, one call at a time.`,
      qualityTable(answered),
      latencyTable(kinds),
    ].join("\n\n");
  } finally {
    await Promise.all([admin.end(), runner.end()]);
  }
}
