/** What the callers of test/machines and of the soak count of their claims: nothing where all is well, and what is planted. */
import { countClaims } from "../hostile/soak/claims.ts";
import { countCareful } from "../machines/careful.ts";

const well = { lost: 0, doubled: 0, unexpected: 0 };

describe("claims that are written and read at once", () => {
  const told = new Map([
    ["first", "1"],
    ["second", "2"],
  ]);
  const there = [
    { id: "1", subject: "first" },
    { id: "2", subject: "second" },
  ];

  test("are all there, and nothing is counted", () => {
    expect(countCareful(told, [], there)).toEqual({ acknowledged: 2, ...well });
  });

  test.each([
    ["one that is not there", there.slice(1), { lost: 1 }],
    ["one that is there under another id", [{ id: "3", subject: "first" }, ...there.slice(1)], { lost: 1 }],
    ["one that is there twice", [...there, { id: "3", subject: "second" }], { doubled: 1 }],
  ])("%s is counted", (_story, rows, counted) => {
    expect(countCareful(told, [], rows)).toEqual({ acknowledged: 2, ...well, ...counted });
  });

  test("whatever else befell a caller is counted, and the first are told", () => {
    const troubles = ["first: 500 internal", "second reads as first", "third: 403 forbidden", "fourth: Error"];
    expect(countCareful(told, troubles, there)).toEqual({
      acknowledged: 2,
      ...well,
      unexpected: 4,
      note: troubles.slice(0, 3).join("; "),
    });
  });
});

describe("claims of the soak", () => {
  const told = new Map([
    ["1", "At place1."],
    ["2", "At place2."],
  ]);
  const there = [
    { id: "1", subject: "first", value: "At place1." },
    { id: "2", subject: "second", value: "At place2." },
  ];

  test("are all there as they were said last, and nothing is counted", () => {
    expect(countClaims(told, there)).toEqual(well);
  });

  test.each([
    ["one that is not there", there.slice(1), { lost: 1 }],
    ["one that says what it said before", [{ ...there[0], value: "At place0." }, there[1]], { lost: 1 }],
    ["one that nobody was told of", [...there, { id: "3", subject: "third", value: "" }], { unexpected: 1 }],
    ["one that is there twice", [...there, { ...there[1], id: "3" }], { doubled: 1, unexpected: 1 }],
  ])("%s is counted", (_story, rows, counted) => {
    expect(countClaims(told, rows as typeof there)).toEqual({ ...well, ...counted });
  });
});
