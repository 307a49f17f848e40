/** `npm run bench -- cells`: what a directory costs a GET, and what three cells cost beside one. All are databases of one cluster. */

import { administerDirectory, migrateDirectory, registerCell } from "../src/cells/directory/administration.ts";
import { urlOfDatabase } from "../src/database/urls.ts";
import { createKeys, type Data, type Target } from "./data.ts";
import { fill } from "./fill.ts";
import { measureLoad, type Round } from "./measure.ts";
import { median } from "./median.ts";
import type { Options } from "./options.ts";
import { ownDatabase } from "./own-database.ts";
import { type System, startSystem } from "./systems.ts";

const connections = 32;

const getOf = ({ memoryId, bearer }: Target) => ({
  method: "GET" as const,
  path: `/api/v1/memories/${memoryId}`,
  headers: { authorization: `Bearer ${bearer}` },
});

/** A filled cell. @returns its URL, and keys with memories */
async function aCell(data: Data, options: Options, name: string): Promise<{ url: string; targets: Target[] }> {
  const { url, admin, isNew } = await ownDatabase(data, name);
  try {
    if (isNew) await fill(admin, url, { ...options, memories: data.memories }, () => {});
    return { url, targets: await createKeys(admin) };
  } finally {
    await admin.end();
  }
}

/** Returns a Markdown table. */
export async function measureCells(data: Data, options: Options, folder: string): Promise<string> {
  const { rounds, seconds } = options;
  const two = await aCell(data, options, "cell_two");
  const three = await aCell(data, options, "cell_three");
  const directoryUrl = urlOfDatabase("directory", data.adminUrl);
  await migrateDirectory(directoryUrl, data.key);
  const directory = await administerDirectory(directoryUrl);
  const urls = { one: data.adminUrl, two: two.url, three: three.url };
  for (const [name, url] of Object.entries(urls)) {
    await directory.rows("delete from directory.people"); // the same addresses are in each cell
    await registerCell(directory, { name, url });
  }
  await directory.end();

  const alone = await startSystem("botstead", data);
  const routed = await startSystem("directory", data, { directory: { url: directoryUrl, cell: "one" } });
  const ofThree = data.targets.flatMap((target, place) => [
    target,
    two.targets[place] ?? target,
    three.targets[place] ?? target,
  ]);
  type Case = { label: string; system: System; targets: Target[]; times?: number };
  const cases: Case[] = [
    { label: "one cell, no directory", system: alone, targets: data.targets },
    { label: "one cell, directory, known credentials", system: routed, targets: data.targets },
    { label: "three cells, directory, known credentials", system: routed, targets: ofThree },
    // As many for each cell: calls that wait share transactions, and a third of the calls shares less.
    { label: "the same, 96 connections", system: routed, targets: ofThree, times: 3 },
  ];
  const measured = new Map<string, Round[]>();
  try {
    for (let round = 0; round <= rounds; round += 1) {
      for (const { label, system, targets, times = 1 } of cases) {
        const result = await measureLoad(
          system,
          { requests: targets.map(getOf), seconds, connections: connections * times },
          folder,
        );
        if (round > 0) measured.set(label, [...(measured.get(label) ?? []), result]); // round 0 is a warm-up
      }
    }
  } finally {
    await Promise.all([alone.stop(), routed.stop()]);
  }

  const costOf = ({ nodeUs = Number.NaN, postgresUs = Number.NaN }: Round) => nodeUs + postgresUs;
  const of = (label: string, figure: (round: Round) => number) => median((measured.get(label) ?? []).map(figure));
  const first = cases[0]?.label ?? "";
  const row = ({ label }: { label: string }) => {
    const [perSecond, cost] = [of(label, (round) => round.perSecond), of(label, costOf)];
    const parts = [of(label, ({ nodeUs = 0 }) => nodeUs), of(label, ({ postgresUs = 0 }) => postgresUs)];
    const ratios = [perSecond / of(first, (round) => round.perSecond), cost / of(first, costOf)];
    const figures = [
      Math.round(perSecond).toLocaleString("en"),
      ...parts.map(Math.round),
      ...ratios.map((it) => it.toFixed(2)),
    ];
    return `| ${[label, ...figures].join(" | ")} |`;
  };
  return [
    `Medians of ${rounds} interleaved rounds of ${seconds} s; ${connections} connections.`,
    [
      "| GET one | per second | Node, µs | PostgreSQL, µs | rate / first row | processor time / first row |",
      "|---|--:|--:|--:|--:|--:|",
      ...cases.map(row),
    ].join("\n"),
  ].join("\n\n");
}
