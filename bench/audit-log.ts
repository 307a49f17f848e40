/** `npm run bench -- audit-log`: the cost of the audit log for each write. */
import { randomBytes, randomUUID } from "node:crypto";
import { Client } from "pg";
import { urlAs } from "../src/database/urls.ts";
import { type CheckpointCosts, measureCheckpoints } from "./checkpoints.ts";
import { sessionCpu } from "./cpu.ts";
import type { Data, Target } from "./data.ts";
import { median } from "./median.ts";
import { withTriggersOff } from "./triggers.ts";

const memory = JSON.stringify({
  ...{ scope: "organisation", kind: "fact", subject: "We", value: "We are here to be measured." },
  ...{ subjectKind: "organisation", confidence: 1, lawfulBasis: "legitimate_interests" },
});
const slice = 150;
const slicesEach = 8;
const connections = 32;
const burst = 40;

async function post(server: Client, { digest }: Target): Promise<void> {
  const { rows } = await server.query<{ answer: string }>({
    name: "post",
    text: "select api.handle($1, 'create_memory', $2, null, $3, $4, $5, null) as answer",
    values: [digest, memory, randomUUID(), randomBytes(32), randomBytes(32)],
  });
  if (!rows[0]?.answer.startsWith('{"status":201}')) throw new Error(`create_memory failed: ${rows[0]?.answer}`);
}

/** Returns a Markdown table. @param rounds each measures everything once */
export async function measureAuditLog(data: Data, rounds: number): Promise<string> {
  const servers = Array.from(
    { length: connections },
    () => new Client({ connectionString: urlAs("server", data.adminUrl, data.key) }),
  );
  await Promise.all(servers.map((client) => client.connect()));
  const states = {
    on: (work: () => Promise<void>) => work(),
    off: (work: () => Promise<void>) => withTriggersOff(data.adminUrl, "audit-log", work),
  };
  const names = ["on", "off"] as const;
  const figures = { on: [] as number[], off: [] as number[] };
  const rates: Record<string, number[]> = {};
  let checkpoints: CheckpointCosts;
  try {
    const [single] = servers as [Client];
    const microseconds = await sessionCpu(single);
    for (let round = 0; round < rounds * slicesEach; round += 1) {
      for (const name of names) {
        await states[name](async () => {
          for (let warming = 0; warming < 10; warming += 1) await post(single, data.targets[0] as Target);
          const before = microseconds();
          for (let number = 0; number < slice; number += 1) {
            await post(single, data.targets[number % data.targets.length] as Target);
          }
          figures[name].push((microseconds() - before) / slice);
        });
      }
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const name of names) {
        await states[name](async () => {
          for (const into of ["twenty", "one"]) {
            const began = performance.now();
            await Promise.all(
              servers.map(async (server, index) => {
                const target = data.targets[into === "one" ? 0 : index % data.targets.length] as Target;
                for (let number = 0; number < burst; number += 1) await post(server, target);
              }),
            );
            rates[`${into}, ${name}`] ??= [];
            rates[`${into}, ${name}`]?.push((connections * burst * 1000) / (performance.now() - began));
          }
        });
      }
    }
    checkpoints = await measureCheckpoints(data, rounds, async (posts) => {
      const before = microseconds();
      for (let number = 0; number < posts; number += 1) {
        await post(single, data.targets[number % data.targets.length] as Target);
      }
      return microseconds() - before;
    });
  } finally {
    await Promise.all(servers.map((client) => client.end()));
  }
  const rate = (name: string) => Math.round(median(rates[name] ?? [])).toLocaleString("en");
  const [on, off] = [median(figures.on), median(figures.off)];
  return [
    `Medians of ${rounds * slicesEach} slices of ${slice} POSTs, and of ${rounds} rounds of ${connections * burst}.`,
    [
      "| | with the audit log | without | difference |",
      "|---|--:|--:|--:|",
      `| processor time of PostgreSQL for a POST, µs | ${on.toFixed(0)} | ${off.toFixed(0)} | ${(on - off).toFixed(0)} |`,
      ...checkpointRows(checkpoints),
      `| ${connections} connections, 20 organisations, POSTs per second | ${rate("twenty, on")} | ${rate("twenty, off")} | |`,
      `| ${connections} connections, 1 organisation, POSTs per second | ${rate("one, on")} | ${rate("one, off")} | |`,
    ].join("\n"),
  ].join("\n\n");
}

/** Each figure is the median, and the smallest and the largest of all rounds. */
function checkpointRows({ entries, rates }: CheckpointCosts): string[] {
  const spread = (values: number[], digits: number) => {
    const [min, max] = [Math.min(...values), Math.max(...values)];
    return `${median(values).toFixed(digits)} (${min.toFixed(digits)} to ${max.toFixed(digits)})`;
  };
  const log = `${entries.first.toLocaleString("en")} to ${entries.last.toLocaleString("en")} entries`;
  return rates.map(({ rate, post, job }) => {
    const shares = job.map((each, round) => (100 * each) / (post[round] ?? Number.NaN));
    return `| processor time of the checkpoint job for a POST, PostgreSQL and Node, ${rate} POSTs per second, ${log}, µs | ${spread(job, 1)} | | ${spread(shares, 1)} % of ${median(post).toFixed(0)} |`;
  });
}
