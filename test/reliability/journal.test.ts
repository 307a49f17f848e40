/** The oracle of calls finds nothing where nothing is wrong; and for each thing that can be, it says so. */
import { envelope } from "../../src/contract/refusals.ts";
import type { Made, Try } from "../fault/calls.ts";
import { checks, countFaults, type Finding, gatherFound, type Journal, judge, replayAll } from "../fault/journal.ts";
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

/** Of its own for each test, with the marks that it can do without. */
const copy = (): Journal => structuredClone(journal);

test("where all is well it finds nothing, and counts", () => {
  expect(judge(journal)).toEqual([]);
  const { acknowledged, note, ...faults } = countFaults(journal, []);
  expect(acknowledged).toBe(journal.made.length);
  expect(faults).toEqual({ lost: 0, doubled: 0, unexpected: 0 });
  expect(note).toBe(`0 tries cut off, 0 answered 503, ${journal.replays.length} replays compared`);
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
    "a claim that was acknowledged and is not there",
    "lost",
    "what was acknowledged is there, once",
    (planted) => planted.found.delete(first(planted, "POST").effects[0]?.mark ?? ""),
  ],
  [
    "a claim that is there twice",
    "doubled",
    "what was acknowledged is there, once",
    (planted) => Object.assign(found(planted, first(planted, "POST")), { times: 2 }),
  ],
  [
    "one that was refused and is there",
    "unexpected",
    "what was refused is not there",
    (planted) => answered(first(planted, "POST"), "forbidden", 403),
  ],
  [
    "one that nobody heard of and is there twice",
    "doubled",
    "what nobody heard of is there once, or not",
    (planted) => {
      const call = first(planted, "POST");
      call.answer = undefined;
      found(planted, call).times = 2;
    },
  ],
  [
    "a change that came after a later one",
    "lost",
    "a claim says what it was told last",
    (planted) => {
      const last = planted.made.findLast(({ method }) => method === "PATCH") as Made;
      found(planted, last).now = false;
    },
  ],
  [
    "a replay that is another answer",
    "lost",
    "a replay is the first answer, to the byte",
    (planted) => Object.assign(planted.replays[0]?.again.answer ?? {}, { text: "{}" }),
  ],
  [
    "a replay under another request id",
    "lost",
    "a replay is the first answer, to the byte",
    (planted) => Object.assign(planted.replays[0]?.again.answer ?? {}, { requestId: "other" }),
  ],
  [
    "a replay that is none",
    "unexpected",
    "a replay is the first answer, to the byte",
    (planted) => Object.assign(planted.replays[0]?.again.answer ?? {}, { replayed: false }),
  ],
  [
    "a replay that was not had",
    "unexpected",
    "a replay is the first answer, to the byte",
    (planted) => Object.assign(planted.replays[0]?.again ?? {}, { answer: undefined }),
  ],
  [
    "a row that is not found any more",
    "lost",
    "what was acknowledged can be read",
    (planted) => answered(first(planted, "GET"), "not_found", 404),
  ],
  [
    "a refusal that nothing explains",
    "unexpected",
    "every call that was begun is answered as it should be",
    (planted) => answered(first(planted, "POST"), "forbidden", 403),
  ],
  [
    "a change of a claim that is not found any more",
    "unexpected",
    "every call that was begun is answered as it should be",
    (planted) => answered(first(planted, "PATCH"), "not_found", 404),
  ],
  ...(
    [
      ["a fault of ours that shows what it is", { text: "ECONNREFUSED 127.0.0.1:5432", status: 500 }],
      ["a sentence in the envelope that is not the contract's", { text: text("disk full"), status: 503 }],
      ["a refusal under another status", { status: 500 }],
      ["an answer without a request id", { requestId: null }],
    ] as [string, Partial<NonNullable<Try["answer"]>>][]
  ).map(
    ([story, answer]): Plant => [
      story,
      "unexpected",
      "whoever can't be served now is told so in the envelope, in time",
      (planted) => {
        const call = first(planted, "POST");
        answered(call, "unavailable", 503);
        Object.assign(call.answer ?? {}, answer);
      },
    ],
  ),
  [
    "an answer that kept its caller waiting",
    "unexpected",
    "whoever can't be served now is told so in the envelope, in time",
    (planted) => Object.assign(first(planted, "GET").tries[0] ?? {}, { tookMs: 5_000 }),
  ],
  [
    "a caller who gave up waiting",
    "unexpected",
    "whoever can't be served now is told so in the envelope, in time",
    (planted) => first(planted, "GET").tries.unshift({ tookMs: 15_000, answer: undefined, unsent: false }),
  ],
];

function text(message: string): string {
  const { error } = JSON.parse(envelope("unavailable", "01a1f964-0000-7000-8000-000000000000"));
  return JSON.stringify({ error: { ...error, message } });
}

test.each(plants)("%s is found", (_story, kind, check, plant) => {
  const planted = copy();
  plant(planted);
  const findings = checks[check](planted);
  expect(findings.map((finding) => finding.kind)).toContain(kind);
  expect(judge(planted)).toEqual(expect.arrayContaining(findings));
});

test("there is no check that could not fail", () => {
  expect(new Set(plants.map(([, , check]) => check))).toEqual(new Set(Object.keys(checks)));
});
