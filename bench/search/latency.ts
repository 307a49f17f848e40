/**
 * Latency of the search in an organisation with 100,000 memories. Word frequencies are as uneven as in a natural language: a
 * few words are in most memories, and most words in a few.
 */
import type { Client } from "pg";
import { leaseRun } from "./leased-run.ts";
import { ourSearch, plainSearch } from "./searches.ts";

export const memoryCount = 100_000;
/** Enough that the p99 is not the maximum: with 300 it is the third slowest. */
const rounds = 300;
/** Rounds that do not count: they plan statements and fill caches. */
const warmUps = 10;

/** `word`: a word of the vocabulary by its number. `drawn`: a pseudo-random word number for n and i, equal in every run. */
const vocabulary = `
  create function pg_temp.word(number integer) returns text language sql immutable as $$
    select syllables[1 + number % 20] || syllables[21 + number / 20 % 20] || syllables[1 + number / 400 % 20]
    from string_to_array('har ber lo ma ti ven dor sel kra pu ni ros fen gal te cor shi win ard out '
      || 'bon ram mic cen tul gav vol lesk pid dan tok ker sug fram lind nos wat ste gup amt', ' ') syllables
  $$;
  create function pg_temp.drawn(n integer, i integer) returns integer language sql immutable as $$
    select floor(6000 * power((hashint8(n * 97::bigint + i) & 1048575) / 1048576.0, 3))::integer
  $$`;

export type Kind = { label: string; questions: string[]; ours: number[]; plain: number[] };

export async function measureLatency(admin: Client, runner: Client, log: (message: string) => void): Promise<Kind[]> {
  log(`Inserting ${memoryCount} memories of one organisation`);
  const leased = await leaseRun(admin, runner, "large", "english");
  await admin.query(vocabulary);
  await admin.query("set session_replication_role = replica; set synchronous_commit = off");
  await admin.query(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source, search_vector)
     select $1, 'organisation', kind, subject, value, 'member', 'bench', search.vector('english', subject, kind, value)
     from (
       select (array['policy', 'fact', 'contact'])[1 + n % 3] as kind,
         pg_temp.word(pg_temp.drawn(n, 1)) || ' ' || pg_temp.word(pg_temp.drawn(n, 2)) as subject,
         (select string_agg(pg_temp.word(pg_temp.drawn(n, i)), ' ') from generate_series(3, 16) i) as value
       from generate_series(1, $2::integer) n
     ) memory`,
    [leased.organisation, memoryCount],
  );
  await admin.query("reset session_replication_role; reset synchronous_commit");
  await admin.query("vacuum (analyze) app.memories");
  const kinds = await kindsOf(admin);
  for (let round = 0; round < warmUps + rounds; round += 1) {
    for (const kind of kinds) {
      const question = kind.questions[round] ?? "";
      const searches = [
        { times: kind.plain, search: () => plainSearch(admin, leased.organisation, "english", question) },
        { times: kind.ours, search: () => ourSearch(runner, leased, question) },
      ];
      // The first search fills caches for the second one, so the order alternates.
      for (const { times, search } of round % 2 ? searches : searches.toReversed()) {
        const began = performance.now();
        await search();
        if (round >= warmUps) times.push(performance.now() - began);
      }
    }
  }
  return kinds;
}

async function kindsOf(admin: Client): Promise<Kind[]> {
  // Words are drawn as for memories. `typo` swaps two letters of a rare word.
  const { rows } = await admin.query<{ plain: string; common: string; typo: string }>(
    `select
       (select string_agg(pg_temp.word(pg_temp.drawn(n, i)), ' ') from generate_series(1, 5) i) as plain,
       (select string_agg(pg_temp.word(pg_temp.drawn(n, i) % 12), ' ') from generate_series(1, 3) i) as common,
       overlay(rare placing reverse(substr(rare, 4, 2)) from 4) || ' ' || pg_temp.word(pg_temp.drawn(n, 1)) as typo
     from generate_series(1000001, 1000000 + $1::integer) n, lateral (select pg_temp.word(5000 + n % 900) as rare) word`,
    [warmUps + rounds],
  );
  const kind = (label: string, questions: string[]): Kind => ({ label, questions, ours: [], plain: [] });
  return [
    kind(
      "five words, drawn as in memories",
      rows.map((row) => row.plain),
    ),
    kind(
      "three of the most common words",
      rows.map((row) => row.common),
    ),
    kind(
      "a typo and a word",
      rows.map((row) => row.typo),
    ),
  ];
}

export function latencyTable(kinds: Kind[]): string {
  const at = (times: number[], share: number) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
  const ms = (value: number) => value.toFixed(1);
  const row = ({ label, ours, plain }: Kind) => {
    const cells = [0.5, 0.99].flatMap((share) => [
      ms(at(plain, share)),
      ms(at(ours, share)),
      (at(ours, share) / at(plain, share)).toFixed(2),
    ]);
    return `| ${[label, ...cells].join(" | ")} |`;
  };
  return [
    "| ms | full-text search, p50 | ours, p50 | ratio | full-text search, p99 | ours, p99 | ratio |",
    "|---|--:|--:|--:|--:|--:|--:|",
    ...kinds.map(row),
  ].join("\n");
}
