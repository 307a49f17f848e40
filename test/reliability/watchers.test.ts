/** What who watched and who waited was told is counted: nothing where all is well, and what is planted. */
import { countTold } from "../fault/watchers.ts";

const history = ["1 state", "2 step", "3 end"];
const ends = [["running", "completed"], ["completed"]];
const well = { acknowledged: 8, lost: 0, doubled: 0, unexpected: 0 };

test("who was told all of it in order, and who learnt of its end, is counted", () => {
  expect(countTold(history, [history, history], ends)).toEqual(well);
});

test.each([
  ["an event that one was not told", ["1 state", "3 end"], { acknowledged: 7, lost: 1 }],
  ["one that is told twice", ["1 state", "2 step", "2 step", "3 end"], { acknowledged: 9, doubled: 1 }],
  ["one that is told too late", ["2 step", "1 state", "3 end"], { unexpected: 1 }],
  ["one that never happened", ["1 state", "2 step", "2 message", "3 end"], { acknowledged: 9, unexpected: 1 }],
  ["one that never happened, first", ["0 state", ...history], { acknowledged: 9, unexpected: 1 }],
])("%s is counted", (_story, told, counted) => {
  expect(countTold(history, [history, told], ends)).toEqual({ ...well, ...counted });
});

test("who waited and never learnt of the end is counted", () => {
  expect(countTold(history, [history, history], [["running"], []])).toEqual({ ...well, lost: 2 });
});
