/** The oracle of calls reports nothing for a correct journal, and reports each planted fault. */
import { envelope } from "../../src/contract/refusals.ts";
import type { Made, Try } from "../fault/calls.ts";
import {
  checks,
  countFaults,
  type Finding,
  gatherFound,
  type Journal,
  judge,
  replayAll,
  withinMs,
} from "../fault/journal.ts";
import { startMixedLoad } from "../fault/mixed-load.ts";
import { apiOfFile } from "../support/callers.ts";

const here = apiOfFile();
let journal: Journal;

beforeAll(async () => {
  const { key, post, organisation } = await here.owner();
  const bot = (await post("/bots", { name: "Ada" })).body.id;
  const load = startMixedLoad(here.api.url, [{ key: key.text, bot, organisation: organisation.id }]);
  await load.untilMore(25);
  await load.stop();
  const { made } = load;
  journal = { made, found: await gatherFound(here.db.sql, made), replays: await replayAll(here.api.url, made) };
});

/** Copies the journal for one test, with the marks that the test may change. */
const copy = (): Journal => structuredClone(journal);

test("the oracle reports no fault for a correct journal, and counts its calls", () => {
  expect(judge(journal)).toEqual([]);
  const { acknowledged, note, ...faults } = countFaults(journal, []);
  expect(acknowledged).toBe(journal.made.length);
  expect(faults).toEqual({ lost: 0, doubled: 0, unexpected: 0 });
  // On a busy machine, a call may wait too long for a connection; the caller repeats it.
  const busy = journal.made.flatMap(({ tries }) => tries).filter(({ answer }) => answer?.status === 503).length;
  expect(note).toBe(`0 tries interrupted, ${busy} answered 503, ${journal.replays.length} replays compared`);
  for (const method of ["GET", "POST", "PATCH"]) expect(journal.made.map((call) => call.method)).toContain(method);
});

const first = ({ made }: Journal, method: Made["method"]) => made.find((call) => call.method === method) as Made;
const found = (planted: Journal, call: Made) =>
  planted.found.get(call.effects[0]?.mark ?? "") as { times: number; now: boolean };
const answered = (call: Made, code: "forbidden" | "unavailable" | "not_found", status: number) => {
  const requestId = "01a1f964-0000-7000-8000-000000000000";
  call.answer = { status, text: envelope(code, requestId), requestId, code, replayed: false };
  call.tries = [{ tookMs: 1, answer: call.answer, unsent: false }];
};

type Plant = [story: string, kind: Finding["kind"], check: keyof typeof checks, plant: (planted: Journal) => unknown];

const plants: Plant[] = [
  [
    "a memory that was acknowledged and does not exist",
    "lost",
    "every acknowledged effect exists exactly once",
    (planted) => planted.found.delete(first(planted, "POST").effects[0]?.mark ?? ""),
  ],
  [
    "a memory that exists twice",
    "doubled",
    "every acknowledged effect exists exactly once",
    (planted) => Object.assign(found(planted, first(planted, "POST")), { times: 2 }),
  ],
  [
    "a memory that was refused and exists",
    "unexpected",
    "no refused effect exists",
    (planted) => answered(first(planted, "POST"), "forbidden", 403),
  ],
  [
    "a memory of an unanswered call that exists twice",
    "doubled",
    "every unanswered effect exists at most once",
    (planted) => {
      const call = first(planted, "POST");
      call.answer = undefined;
      found(planted, call).times = 2;
    },
  ],
  [
    "a change that overwrote a later one",
    "lost",
    "every memory has the value of its last acknowledged change",
    (planted) => {
      const last = planted.made.findLast(({ method }) => method === "PATCH") as Made;
      found(planted, last).now = false;
    },
  ],
  [
    "a replay with another response",
    "lost",
    "every replay returns the first response, byte for byte",
    (planted) => Object.assign(planted.replays[0]?.again.answer ?? {}, { text: "{}" }),
  ],
  [
    "a replay under another request id",
    "lost",
    "every replay returns the first response, byte for byte",
    (planted) => Object.assign(planted.replays[0]?.again.answer ?? {}, { requestId: "other" }),
  ],
  [
    "a replay without the replay header",
    "unexpected",
    "every replay returns the first response, byte for byte",
    (planted) => Object.assign(planted.replays[0]?.again.answer ?? {}, { replayed: false }),
  ],
  [
    "a replay without a response",
    "unexpected",
    "every replay returns the first response, byte for byte",
    (planted) => Object.assign(planted.replays[0]?.again ?? {}, { answer: undefined }),
  ],
  [
    "an acknowledged row that returns 404",
    "lost",
    "every acknowledged row can be read",
    (planted) => answered(first(planted, "GET"), "not_found", 404),
  ],
  [
    "an unexplained refusal",
    "unexpected",
    "every call ends with an expected response",
    (planted) => answered(first(planted, "POST"), "forbidden", 403),
  ],
  [
    "a change of a memory that returns 404",
    "unexpected",
    "every call ends with an expected response",
    (planted) => answered(first(planted, "PATCH"), "not_found", 404),
  ],
  ...(
    [
      ["an internal error that shows its cause", { text: "ECONNREFUSED 127.0.0.1:5432", status: 500 }],
      ["an error envelope with a message that the contract lacks", { text: text("disk full"), status: 503 }],
      ["an error code with the wrong status", { status: 500 }],
      ["a response without a request id", { requestId: null }],
    ] as [string, Partial<NonNullable<Try["answer"]>>][]
  ).map(
    ([story, answer]): Plant => [
      story,
      "unexpected",
      "every try gets a success or an error envelope, in time",
      (planted) => {
        const call = first(planted, "POST");
        answered(call, "unavailable", 503);
        Object.assign(call.answer ?? {}, answer);
      },
    ],
  ),
  [
    "a late response",
    "unexpected",
    "every try gets a success or an error envelope, in time",
    (planted) => Object.assign(first(planted, "GET").tries[0] ?? {}, { tookMs: withinMs }),
  ],
  [
    "a try that the caller abandoned",
    "unexpected",
    "every try gets a success or an error envelope, in time",
    (planted) => first(planted, "GET").tries.unshift({ tookMs: 3 * withinMs, answer: undefined, unsent: false }),
  ],
];

function text(message: string): string {
  const { error } = JSON.parse(envelope("unavailable", "01a1f964-0000-7000-8000-000000000000"));
  return JSON.stringify({ error: { ...error, message } });
}

test.each(plants)("the oracle reports %s", (_story, kind, check, plant) => {
  const planted = copy();
  plant(planted);
  const findings = checks[check](planted);
  expect(findings.map((finding) => finding.kind)).toContain(kind);
  expect(judge(planted)).toEqual(expect.arrayContaining(findings));
});

test("every check has a planted fault that makes it fail", () => {
  expect(new Set(plants.map(([, , check]) => check))).toEqual(new Set(Object.keys(checks)));
});
