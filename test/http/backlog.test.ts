/** What is kept for slow peers is bounded, and it is the slowest who pay for it. */
import { ConfigError, readConfig } from "../../src/config.ts";
import { makeBacklog } from "../../src/http/backlog.ts";

test("beyond the bound whoever has been at it the longest is cut off, once, until there is room", () => {
  const cut: string[] = [];
  const backlog = makeBacklog(100);
  const hold = (name: string, bytes: number) => backlog.hold(bytes, () => cut.push(name));
  const release = hold("first", 40);
  hold("second", 40);
  const third = hold("third", 20);
  expect({ held: backlog.held(), cut: [...cut] }).toEqual({ held: 100, cut: [] });
  release();
  hold("fourth", 40);
  expect(cut).toEqual([]);
  hold("fifth", 50); // neither the second nor the third alone makes room for it
  expect(cut).toEqual(["second", "third"]);
  third(); // of one that was cut off, there is nothing to give back
  expect({ held: backlog.held(), cut: backlog.cut() }).toEqual({ held: 90, cut: 2 });
});

test("one alone is never too much, and leaves nothing behind", () => {
  const cut: string[] = [];
  const backlog = makeBacklog(100);
  backlog.hold(10, () => cut.push("small"));
  const release = backlog.hold(5_000, () => cut.push("large"));
  expect({ held: backlog.held(), cut }).toEqual({ held: 5_000, cut: ["small"] });
  release();
  release();
  expect(backlog.held()).toBe(0);
});

test("how many connections there may be is a setting, of one at least", () => {
  expect(readConfig({}).mostConnections).toBe(20_000);
  expect(readConfig({ MAX_CONNECTIONS: "500" }).mostConnections).toBe(500);
  for (const MAX_CONNECTIONS of ["0", "-1", "1.5", "many"]) {
    expect(() => readConfig({ MAX_CONNECTIONS })).toThrow(ConfigError);
    expect(() => readConfig({ MAX_CONNECTIONS })).toThrow(/MAX_CONNECTIONS/);
  }
});
