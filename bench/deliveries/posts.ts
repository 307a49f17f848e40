/**
 * The bare loop: the same requests to the same receivers by undici, without a database. Concurrency and connections for
 * each origin equal the worker's.
 */
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createSecureContext } from "node:tls";
import { Agent } from "undici";
import { deliveryHeaders, signingKeys } from "../../src/delivery/headers.ts";
import type { MeasuredCpu } from "./measure.ts";
import type { Receivers } from "./receiver.ts";

export type Posts = Receivers & { count: number; warmUp: number; atOnce: number };

process.once("message", async ({ urls, ca, count, warmUp, atOnce }: Posts) => {
  const agent = new Agent({
    connections: (2 * atOnce) / urls.length,
    connect: { secureContext: createSecureContext({ ca }) },
  });
  const data = { runId: randomUUID(), botId: randomUUID(), conversationId: randomUUID(), routineId: null };
  const keys = signingKeys(`whsec_${Buffer.alloc(32).toString("base64")}`);
  const privateKeys = [generateKeyPairSync("ed25519").privateKey];
  let next = 0;
  async function loop(from: number, to: number): Promise<void> {
    for (next = Math.max(next, from); next < to; ) {
      next += 1;
      const deliveryId = randomUUID();
      const body = JSON.stringify({
        id: deliveryId,
        event: "run.finished",
        createdAt: new Date(),
        organisationId: randomUUID(),
        data: { ...data, state: "completed", trigger: "api", steps: 2, spendMicroCents: 0, taint: false },
      });
      const headers = deliveryHeaders({ deliveryId, event: "run.finished", body, keys, privateKeys, at: new Date() });
      const origin = urls[next % urls.length] ?? "";
      const { body: answer } = await agent.request({ origin, path: "/", method: "POST", headers, body });
      await answer.dump();
    }
  }
  const all = (from: number, to: number) => Promise.all(Array.from({ length: atOnce }, () => loop(from, to)));
  await all(0, warmUp);
  const began = performance.now();
  const cpuBefore = process.cpuUsage();
  await all(warmUp, warmUp + count);
  const perSecond = count / ((performance.now() - began) / 1000);
  const { user, system } = process.cpuUsage(cpuBefore);
  process.send?.({ perSecond, served: count, nodeUs: (user + system) / count } satisfies MeasuredCpu, () =>
    process.exit(),
  );
});
