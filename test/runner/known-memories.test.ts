/** Which memories the built-in engines answer with, of matches that contradict others. (docs/specification/executors.md#searching) */
import type { MemoryMatch } from "../../src/runner/engine.ts";
import { knownFrom } from "../../src/runner/engines/known.ts";

const memory = (id: string) => ({
  id,
  value: `value ${id}`,
  confidence: 1,
  createdAt: "2026-01-01T00:00:00.000Z",
  validFrom: null,
});
/** A match. `others`: the ids of memories in conflict with it, newest first. A later id is newer. */
const match = (id: string, others = ""): MemoryMatch => ({
  ...memory(id),
  ...{ kind: "fact", subject: "Ferry", rank: 1 },
  conflictsWith: [...others].map(memory),
});
const shown = (matches: MemoryMatch[], maximum = 5) =>
  knownFrom(matches, maximum).map(({ id, value, conflict }) => {
    expect(value).toBe(`value ${id}`);
    return [id, conflict];
  });

test.each<[string, MemoryMatch[], [string, string | undefined][]]>([
  ["a match without a conflict stands alone", [match("a")], [["a", undefined]]],
  [
    "an older match comes with the newest memory",
    [match("a", "cb")],
    [
      ["a", "older"],
      ["c", "newest"],
    ],
  ],
  [
    "the newest match comes with an older memory",
    [match("c", "ba")],
    [
      ["c", "newest"],
      ["b", "older"],
    ],
  ],
  [
    "two matches come once each",
    [match("a", "b"), match("b", "a")],
    [
      ["a", "older"],
      ["b", "newest"],
    ],
  ],
  [
    "two older matches come with the newest memory",
    [match("a", "cb"), match("b", "ca")],
    [
      ["a", "older"],
      ["c", "newest"],
      ["b", "older"],
    ],
  ],
  [
    "a match is followed by a later match that contradicts it",
    [match("a", "c"), match("b"), match("c", "a")],
    [
      ["a", "older"],
      ["c", "newest"],
      ["b", undefined],
    ],
  ],
])("%s", (_name, matches, expected) => {
  expect(shown(matches)).toEqual(expected);
});

test("memories in conflict are left out together if one of them does not fit", () => {
  expect(shown([match("d"), match("a", "b"), match("c")], 2)).toEqual([
    ["d", undefined],
    ["c", undefined],
  ]);
  expect(shown([match("d"), match("a", "b"), match("c")], 3)).toEqual([
    ["d", undefined],
    ["a", "older"],
    ["b", "newest"],
  ]);
  expect(shown([match("d"), match("e"), match("a", "b"), match("b", "a")], 3)).toEqual([
    ["d", undefined],
    ["e", undefined],
  ]);
});
