/** `npm run bench`: data once, everything that is compared in one run, a table, and docs/performance.md. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkAnswers } from "./answers.ts";
import { type Claims, openClaims } from "./claims.ts";
import { type Contestant, type ContestantName, startContestant } from "./contest.ts";
import { type Data, makeData } from "./data.ts";
import { openPostOffice, type PostOffice } from "./deliveries/measure.ts";
import { measureLimits } from "./limits.ts";
import { type Medians, type Memory, measure } from "./measure.ts";
import { hasOwnTable, type Options, readOptions, usage } from "./options.ts";
import { findPgbench, pgbenchVersion } from "./pgbench.ts";
import { measureStarts } from "./processes.ts";
import { measureProfile } from "./profile/measure.ts";
import { measureRecall } from "./recall/measure.ts";
import { report, writeReport } from "./report.ts";
import { figures } from "./rows.ts";
import { measureScale } from "./scale/measure.ts";
import { measureSizes } from "./sizes.ts";
import { measureStreams } from "./streams.ts";
import { measureTrail } from "./trail.ts";

const say = (what: string) => process.stderr.write(`${what}\n`);

async function bench(options: Options): Promise<void> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "botstead-bench-"));
  const wanted = (row: string) => options.rows.length === 0 || options.rows.includes(row);
  try {
    if (options.rows.includes("scale")) {
      const text = await measureScale(options, folder, say);
      process.stdout.write(`${text}\n`);
      if (options.write) writeReport("scale", text);
      if (options.rows.length === 1) return;
    }
    const processes = wanted("processes") ? await measureStarts(folder) : undefined;
    const onlyOwnTables = options.rows.length > 0 && options.rows.every(hasOwnTable);
    const data = await makeData(
      onlyOwnTables
        ? { ...options, memories: ["trail", "profile", "limits", "sizes"].some(wanted) ? 20_000 : 0 }
        : options,
      folder,
      say,
    );
    try {
      if (wanted("recall")) {
        const text = await measureRecall(data.adminUrl, data.key, say);
        process.stdout.write(`${text}\n`);
        if (options.write) writeReport("recall", text);
      }
      if (wanted("trail")) {
        const text = await measureTrail(data, options.rounds);
        process.stdout.write(`${text}\n`);
        if (options.write) writeReport("trail", text);
      }
      if (wanted("profile")) {
        const text = await measureProfile(data, Math.min(options.seconds, 3), say);
        process.stdout.write(`${text}\n`);
        if (options.write) writeReport("profile", text);
      }
      if (wanted("limits")) {
        const text = await measureLimits(data, options);
        process.stdout.write(`${text}\n`);
        if (options.write) writeReport("limits", text);
      }
      if (wanted("sizes")) {
        const text = await measureSizes(data);
        process.stdout.write(`${text}\n`);
        if (options.write) writeReport("sizes", text);
      }
      if (onlyOwnTables) return;
      const asked = figures(data).filter((figure) => wanted(figure.row));
      const pgbench = findPgbench();
      const measured = await withContestants(data, options, asked, pgbench, folder);
      const streams = wanted("streams") ? await measureStreams(data, options.rounds, say) : undefined;
      const text = report({
        options,
        figures: asked,
        ...measured,
        processes,
        streams,
        memories: data.memories,
        versions: {
          Node: process.versions.node,
          PostgreSQL: data.version,
          Express: versionOf("express"),
          pg: versionOf("pg"),
          autocannon: versionOf("autocannon"),
          "Better Auth": versionOf("better-auth"),
          PostGraphile: versionOf("postgraphile"),
          ...(pgbench ? { pgbench: (await pgbenchVersion(pgbench)).replace("pgbench ", "") } : {}),
        },
        pgbench,
      });
      process.stdout.write(`${text}\n`);
      if (options.write) writeReport("measured", text);
    } finally {
      await data.close();
    }
  } finally {
    if (!options.folder) rmSync(folder, { recursive: true, force: true });
  }
}

async function withContestants(
  data: Data,
  options: Options,
  asked: ReturnType<typeof figures>,
  pgbench: string | undefined,
  folder: string,
): Promise<{ medians: Medians; memory: Memory | undefined }> {
  if (asked.length === 0) return { medians: new Map(), memory: undefined };
  const contestants = new Map<ContestantName, Contestant>();
  let postOffice: PostOffice | undefined;
  let claims: Claims | undefined;
  try {
    for (const name of new Set(asked.flatMap((figure) => ("contestant" in figure ? figure.contestant : [])))) {
      contestants.set(name, await startContestant(name, data, name === "botstead" ? options : {}));
    }
    if (asked.some((figure) => "delivery" in figure)) {
      postOffice = await openPostOffice(data, folder, options.profile);
    }
    const finished = asked.flatMap((figure) => ("finished" in figure ? figure.finished : []));
    if (finished.length > 0) claims = await openClaims(data, finished, say);
    await checkAnswers(asked, contestants, data);
    return await measure(asked, contestants, data, options, { folder, pgbench, postOffice, claims, say });
  } finally {
    await claims?.close();
    await postOffice?.close();
    for (const contestant of contestants.values()) await contestant.stop();
  }
}

function versionOf(name: string): string {
  // Some packages keep their package.json from being resolved.
  const folders = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const file = folders.map((folder) => join(folder, name, "package.json")).find((path) => existsSync(path));
  return (JSON.parse(readFileSync(file ?? "", "utf8")) as { version: string }).version;
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options === "help") process.stdout.write(usage);
  else await bench(options);
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
}
