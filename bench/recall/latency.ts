/**
 * How long recall takes in an organisation of 100,000 claims: its words are as unevenly spread as those of a language,
 * so that some are in most claims and most in a few.
 */
import type { Client } from "pg";
import { plain, recall, startWorking } from "./house.ts";

export const claimsHeld = 100_000;
/** So many that p99 is the slowest but two, and not the slowest. */
const rounds = 300;
/** Before those that count: plans are made, and what every question reads is read. */
const warmUps = 10;

/** A word of the vocabulary by its number, and a number drawn from n and i: the same at every run. */
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

export async function measureLatency(admin: Client, runner: Client, say: (what: string) => void): Promise<Kind[]> {
  say(`Writing ${claimsHeld} claims of one organisation`);
  const working = await startWorking(admin, runner, "large", "english");
  await admin.query(vocabulary);
  await admin.query("set session_replication_role = replica; set synchronous_commit = off");
  await admin.query(
    `insert into app.memories (organisation_id, scope, kind, subject, value, provenance, source, search)
     select $1, 'organisation', kind, subject, value, 'member', 'bench', search.vector('english', subject, kind, value)
     from (
       select (array['policy', 'fact', 'contact'])[1 + n % 3] as kind,
         pg_temp.word(pg_temp.drawn(n, 1)) || ' ' || pg_temp.word(pg_temp.drawn(n, 2)) as subject,
         (select string_agg(pg_temp.word(pg_temp.drawn(n, i)), ' ') from generate_series(3, 16) i) as value
       from generate_series(1, $2::integer) n
     ) claim`,
    [working.organisation, claimsHeld],
  );
  await admin.query("reset session_replication_role; reset synchronous_commit");
  await admin.query("vacuum (analyze) app.memories");
  const kinds = await kindsOf(admin);
  for (let round = 0; round < warmUps + rounds; round += 1) {
    for (const kind of kinds) {
      const question = kind.questions[round] ?? "";
      const ways = [
        { times: kind.plain, ask: () => plain(admin, working.organisation, "english", question) },
        { times: kind.ours, ask: () => recall(runner, working, question) },
      ];
      // Whoever is asked first reads what the other finds read, and so each is as often.
      for (const { times, ask } of round % 2 ? ways : ways.toReversed()) {
        const began = performance.now();
        await ask();
        if (round >= warmUps) times.push(performance.now() - began);
      }
    }
  }
  return kinds;
}

async function kindsOf(admin: Client): Promise<Kind[]> {
  // As a claim draws its words; the last kind has two letters of its rarest word exchanged.
  const { rows } = await admin.query<{ plain: string; common: string; slip: string }>(
    `select
       (select string_agg(pg_temp.word(pg_temp.drawn(n, i)), ' ') from generate_series(1, 5) i) as plain,
       (select string_agg(pg_temp.word(pg_temp.drawn(n, i) % 12), ' ') from generate_series(1, 3) i) as common,
       overlay(rare placing reverse(substr(rare, 4, 2)) from 4) || ' ' || pg_temp.word(pg_temp.drawn(n, 1)) as slip
     from generate_series(1000001, 1000000 + $1::integer) n, lateral (select pg_temp.word(5000 + n % 900) as rare) word`,
    [warmUps + rounds],
  );
  const kind = (label: string, questions: string[]): Kind => ({ label, questions, ours: [], plain: [] });
  return [
    kind(
      "five words, as claims have them",
      rows.map((row) => row.plain),
    ),
    kind(
      "three of the commonest words",
      rows.map((row) => row.common),
    ),
    kind(
      "a slip of the pen and a word",
      rows.map((row) => row.slip),
    ),
  ];
}

export function latencyTable(kinds: Kind[]): string {
  const at = (times: number[], share: number) => times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
  const ms = (value: number) => value.toFixed(1);
  const row = ({ label, ours, plain: bare }: Kind) => {
    const cells = [0.5, 0.99].flatMap((share) => [
      ms(at(bare, share)),
      ms(at(ours, share)),
      (at(ours, share) / at(bare, share)).toFixed(2),
    ]);
    return `| ${[label, ...cells].join(" | ")} |`;
  };
  return [
    "| ms | plain full text, p50 | ours, p50 | ratio | plain full text, p99 | ours, p99 | ratio |",
    "|---|--:|--:|--:|--:|--:|--:|",
    ...kinds.map(row),
  ].join("\n");
}
