/** The division of connections among pools and cells. */
import { divide, minConnectionsOfCell, shareOfCell } from "../../src/database/connections/shares.ts";

const full = [2, 4, 2, 10, 1];

test("each pool has one connection at least and never more than its full size, and the rest in proportion", () => {
  expect(divide(full, 0)).toEqual([1, 1, 1, 1, 1]);
  expect(divide(full, 5)).toEqual([1, 1, 1, 1, 1]);
  for (let total = 5; total <= 19; total += 1) {
    const sizes = divide(full, total);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(total);
  }
  expect(divide(full, 12)).toEqual([2, 3, 1, 5, 1]);
  expect(divide(full, 500)).toEqual(full);
});

test("the shares of all cells are within the total, while it is enough for the least of each", () => {
  for (const cells of [1, 2, 3, 7, 8]) expect(shareOfCell(60, cells) * cells).toBeLessThanOrEqual(60);
  expect(shareOfCell(60, 100)).toBe(minConnectionsOfCell);
});
