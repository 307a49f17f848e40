/** countNotified reports no fault for complete events, and reports each planted fault. */
import { countNotified } from "../fault/watchers.ts";

const history = ["1 state", "2 step", "3 end"];
const ends = [["running", "completed"], ["completed"]];
const well = { acknowledged: 8, lost: 0, doubled: 0, unexpected: 0 };

test("countNotified reports no fault when watchers got all events in order and waiting clients the end", () => {
  expect(countNotified(history, [history, history], ends)).toEqual(well);
});

test.each([
  ["an event that one watcher did not get", ["1 state", "3 end"], { acknowledged: 7, lost: 1 }],
  ["an event that came twice", ["1 state", "2 step", "2 step", "3 end"], { acknowledged: 9, doubled: 1 }],
  ["an event out of order", ["2 step", "1 state", "3 end"], { unexpected: 1 }],
  [
    "an event that is not in the history",
    ["1 state", "2 step", "2 message", "3 end"],
    { acknowledged: 9, unexpected: 1 },
  ],
  ["an event before the history begins", ["0 state", ...history], { acknowledged: 9, unexpected: 1 }],
])("countNotified counts %s", (_story, received, counted) => {
  expect(countNotified(history, [history, received], ends)).toEqual({ ...well, ...counted });
});

test("countNotified counts a waiting client that never got the end", () => {
  expect(countNotified(history, [history, history], [["running"], []])).toEqual({ ...well, lost: 2 });
});
