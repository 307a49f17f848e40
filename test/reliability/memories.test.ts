/** countWritten and countMemories report nothing for correct memories, and report each planted fault. */
import { countMemories } from "../hostile/soak/memories.ts";
import { countWritten } from "../machines/retrying-client.ts";

const well = { lost: 0, doubled: 0, unexpected: 0 };

describe("countWritten", () => {
  const acknowledged = new Map([
    ["first", "1"],
    ["second", "2"],
  ]);
  const there = [
    { id: "1", subject: "first" },
    { id: "2", subject: "second" },
  ];

  test("reports no fault when all acknowledged memories exist", () => {
    expect(countWritten(acknowledged, [], there)).toEqual({ acknowledged: 2, ...well });
  });

  test.each([
    ["a missing memory", there.slice(1), { lost: 1 }],
    ["a memory with another id", [{ id: "3", subject: "first" }, ...there.slice(1)], { lost: 1 }],
    ["a memory that exists twice", [...there, { id: "3", subject: "second" }], { doubled: 1 }],
  ])("counts %s", (_story, rows, counted) => {
    expect(countWritten(acknowledged, [], rows)).toEqual({ acknowledged: 2, ...well, ...counted });
  });

  test("counts other problems of a caller, and names the first three", () => {
    const problems = ["first: 500 internal", "second reads as first", "third: 403 forbidden", "fourth: Error"];
    expect(countWritten(acknowledged, problems, there)).toEqual({
      acknowledged: 2,
      ...well,
      unexpected: 4,
      note: problems.slice(0, 3).join("; "),
    });
  });
});

describe("countMemories", () => {
  const acknowledged = new Map([
    ["1", "At place1."],
    ["2", "At place2."],
  ]);
  const there = [
    { id: "1", subject: "first", value: "At place1." },
    { id: "2", subject: "second", value: "At place2." },
  ];

  test("reports no fault when all memories have their last acknowledged value", () => {
    expect(countMemories(acknowledged, there)).toEqual(well);
  });

  test.each([
    ["a missing memory", there.slice(1), { lost: 1 }],
    ["a memory with its previous value", [{ ...there[0], value: "At place0." }, there[1]], { lost: 1 }],
    ["a memory that was never acknowledged", [...there, { id: "3", subject: "third", value: "" }], { unexpected: 1 }],
    ["a memory that exists twice", [...there, { ...there[1], id: "3" }], { doubled: 1, unexpected: 1 }],
  ])("counts %s", (_story, rows, counted) => {
    expect(countMemories(acknowledged, rows as typeof there)).toEqual({ ...well, ...counted });
  });
});
