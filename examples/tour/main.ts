/**
 * `npm run tour` shows a run, a signed delivery and an approval step by step. It starts a temporary Botstead and a temporary
 * receiver. Exit code 0 if every step had the expected result, otherwise 1.
 */
import { runningDatabase } from "../../src/cli/database.ts";
import { makeApiClient } from "./api.ts";
import { makeAuthority } from "./certificates.ts";
import { startReceiver } from "./receiver.ts";
import { makeReport, type Report } from "./report.ts";
import { startService } from "./service.ts";
import { takeSteps } from "./steps.ts";

async function tour(report: Report): Promise<void> {
  report.step("Start a temporary Botstead with an empty database");
  const authority = await makeAuthority("Botstead's tour");
  const { config, key, stop } = await startService(authority.cert);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void stop().then(() => process.exit(1)));
  const receiver = await startReceiver({ authority });
  try {
    report.result(
      `${config.baseUrl}, with its data in ${config.dataDir}. The tour removes both at its end.`,
      "It may deliver to this machine. Other servers may not, unless WEBHOOK_ALLOW_RANGES allows it.",
      `Its first start printed an admin key: ${key.slice(0, 12)}…`,
    );
    const api = makeApiClient(`${config.baseUrl}/api/v1`, key);
    await takeSteps({ api, receiver, report, place: await runningDatabase(config) });
    report.step("The key revokes itself");
    const { body: me } = await api.expect(200, "GET", "/me");
    await api.expect(200, "DELETE", `/keys/${me.key.id}`);
    const { body } = await api.expect(401, "GET", "/me");
    report.result(`From now on the API answers 401: ${body.error.message}`);
  } finally {
    await receiver.close();
    await stop();
  }
}

const write = (text: string) => void process.stdout.write(text);
try {
  write("Botstead's tour\n");
  await tour(makeReport(write));
  write("\nEvery step had the expected result.\n");
} catch (error) {
  process.stderr.write(`\n${(error as Error).message}\n`);
  process.exitCode = 1;
}
