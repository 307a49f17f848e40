/**
 * Oracle of calls: compares the responses that clients received with the database and with replays.
 * - Every acknowledged effect exists once, and no other effect exists.
 * - A replay under the same Idempotency-Key returns the same bytes.
 * - The last acknowledged change is the stored value.
 * - Every other response is an error envelope and arrives in time.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Counts } from "../support/reliability.ts";
import { type Answer, type Call, type Effect, isCutOff, type Made, refusalIn, type Try, tryOnce } from "./calls.ts";
import type { Sql } from "./evidence.ts";

/** RESPONSE_TIMEOUT_SECONDS of the APIs of test/fault: short, because these tests wait for it. */
export const hurried = { RESPONSE_TIMEOUT_SECONDS: "15" };
/** Twice the setting, in ms: a busy machine answers late. */
export const withinMs = 30_000;

export type Journal = {
  made: Made[];
  /** How often each mark exists, including in the history of memories, and whether it exists now. */
  found: Map<string, { times: number; now: boolean }>;
  /** Each repeated POST with its second response, often from a restarted process. */
  replays: { of: Made; again: Try }[];
};

export type Finding = { kind: "lost" | "doubled" | "unexpected"; fault: string };

/** Counts the marks of these calls. Earlier values of a memory are in its history. */
export async function gatherFound(sql: Sql, made: Made[]): Promise<Journal["found"]> {
  const marks = (table: Effect["table"]) => [
    ...new Set(
      made.flatMap(({ effects }) => effects.filter((effect) => effect.table === table).map(({ mark }) => mark)),
    ),
  ];
  const rows = await sql<{ mark: string; times: number; now: boolean }>(
    `select mark, count(*)::integer as times, bool_or(now) as now
     from (
       select value as mark, true as now from app.memories where value = any ($1)
       union all select former ->> 'value', false from app.memory_history where former ->> 'value' = any ($1)
       union all select text, true from app.messages where author = 'person' and text = any ($2)
       union all select name, true from app.api_keys where name = any ($3)
     ) there
     group by mark`,
    [marks("memories"), marks("messages"), marks("api_keys")],
  );
  return new Map(rows.map(({ mark, times, now }) => [mark, { times, now }]));
}

/** Repeats every answered POST under its Idempotency-Key. */
export async function replayAll(url: string, made: Made[]): Promise<Journal["replays"]> {
  const replayable = made.filter(({ idempotencyKey, answer }) => idempotencyKey && answer);
  const replays: Journal["replays"] = [];
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let of = replayable.shift(); of; of = replayable.shift()) replays.push({ of, again: await replay(url, of) });
    }),
  );
  return replays;
}

/** Retries while the key is rate-limited: a long test makes more calls than one minute admits. */
export async function replay(url: string, call: Call): Promise<Try> {
  for (;;) {
    const tried = await tryOnce(url, call);
    if (tried.answer?.code !== "rate_limited") return tried;
    await sleep(1_000); // the rate limit refills within a minute
  }
}

type Check = (journal: Journal) => Finding[];

const finding =
  (kind: Finding["kind"]) =>
  (fault: string): Finding => ({ kind, fault });
const [lost, doubled, unexpected] = [finding("lost"), finding("doubled"), finding("unexpected")];

const isSuccess = ({ answer }: Made): boolean => answer !== undefined && answer.status < 300;
const nameOf = ({ method, path, idempotencyKey = "" }: Made) => `${method} ${path} ${idempotencyKey}`.trim();

/** Each check returns all faults that it finds. */
export const checks = {
  "every acknowledged effect exists exactly once": ({ made, found }) =>
    made.filter(isSuccess).flatMap((call) =>
      call.effects.flatMap(({ mark }) => {
        const times = found.get(mark)?.times ?? 0;
        if (times === 1) return [];
        return [(times === 0 ? lost : doubled)(`${nameOf(call)} is there ${times} times.`)];
      }),
    ),

  "no refused effect exists": ({ made, found }) =>
    made
      .filter(({ answer }) => answer && answer.status >= 300)
      .flatMap((call) =>
        call.effects.flatMap(({ mark }) =>
          found.has(mark) ? [unexpected(`${nameOf(call)} was refused and is there.`)] : [],
        ),
      ),

  "every unanswered effect exists at most once": ({ made, found }) =>
    made
      .filter(({ answer }) => !answer)
      .flatMap((call) =>
        call.effects.flatMap(({ mark }) =>
          (found.get(mark)?.times ?? 0) > 1 ? [doubled(`${nameOf(call)} is there more than once.`)] : [],
        ),
      ),

  "every memory has the value of its last acknowledged change": ({ made, found }) => {
    const last = new Map<string, Made>();
    for (const call of made) if (call.method === "PATCH" && isSuccess(call)) last.set(call.path, call);
    return [...last.values()].flatMap((call) =>
      call.effects.every(({ mark }) => found.get(mark)?.now) ? [] : [lost(`${nameOf(call)} was changed back.`)],
    );
  },

  "every replay returns the first response, byte for byte": ({ replays }) =>
    replays.flatMap(({ of, again: { answer } }) => {
      if (!answer || answer.code === "unavailable") return [unexpected(`${nameOf(of)} has no replay.`)];
      const same = (["status", "text", "requestId"] as const).every((part) => answer[part] === of.answer?.[part]);
      if (same) return answer.replayed ? [] : [unexpected(`${nameOf(of)} is not called a replay.`)];
      return [
        lost(`${nameOf(of)} was ${of.answer?.status}, and is ${answer.status} ${answer.text} when it is replayed.`),
      ];
    }),

  "every acknowledged row can be read": ({ made }) =>
    made.flatMap((call) =>
      call.method === "GET" && call.answer?.code === "not_found" ? [lost(`${nameOf(call)} is not found.`)] : [],
    ),

  "every call ends with an expected response": ({ made }) =>
    made.flatMap((call) => {
      const { answer } = call;
      // The previous check reports a GET with 404. The load deletes nothing, so any other 404 is a fault.
      if (!answer || answer.status < 300 || (call.method === "GET" && answer.code === "not_found")) return [];
      return [unexpected(`${nameOf(call)} was answered ${answer.status} ${answer.text}.`)];
    }),

  "every try gets a success or an error envelope, in time": ({ made }) =>
    made.flatMap((call) =>
      call.tries.flatMap(({ answer, tookMs }) => {
        const late = tookMs < withinMs ? [] : [unexpected(`${nameOf(call)} was kept for ${Math.round(tookMs)} ms.`)];
        return !answer || isOurs(answer)
          ? late
          : [...late, unexpected(`${nameOf(call)} was answered ${answer.status} ${answer.text}.`)];
      }),
    ),
} satisfies Record<string, Check>;

/** Whether the response is a success or an error envelope, with a request id that matches the envelope. */
function isOurs({ text, status, requestId }: Answer): boolean {
  return requestId !== null && (status < 300 || refusalIn(status, text)?.requestId === requestId);
}

export function judge(journal: Journal): Finding[] {
  return Object.values(checks).flatMap((check: Check) => check(journal));
}

/** For the summary: acknowledged are all calls answered with success. */
export function countFaults({ made, replays }: Journal, findings: Finding[]): Counts {
  const of = (kind: Finding["kind"]) => findings.filter((each) => each.kind === kind).length;
  const tries = made.flatMap((call) => call.tries);
  const unsent = tries.filter((each) => each.unsent).length;
  const refused = tries.filter(({ answer }) => answer?.code === "unavailable").length;
  return {
    acknowledged: made.filter(isSuccess).length,
    lost: of("lost"),
    doubled: of("doubled"),
    unexpected: of("unexpected"),
    note: [
      `${tries.filter(isCutOff).length} tries interrupted`,
      ...(unsent > 0 ? [`${unsent} unsent`] : []),
      `${refused} answered 503, ${replays.length} replays compared`,
    ].join(", "),
  };
}
