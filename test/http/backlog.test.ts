/** The memory that buffered responses take is bounded. Beyond the bound the oldest response is cut off. */
import { ConfigError, readConfig } from "../../src/config.ts";
import { makeBacklog } from "../../src/web/backlog.ts";

test("makeBacklog cuts off the oldest responses, once each, until the total is within the bound", () => {
  const cut: string[] = [];
  const backlog = makeBacklog(100);
  const track = (name: string, bytes: number) => backlog.track(bytes, () => cut.push(name));
  const release = track("first", 40);
  track("second", 40);
  const third = track("third", 20);
  expect({ bytes: backlog.bytes(), cut: [...cut] }).toEqual({ bytes: 100, cut: [] });
  release();
  track("fourth", 40);
  expect(cut).toEqual([]);
  track("fifth", 50); // neither the second nor the third alone frees enough
  expect(cut).toEqual(["second", "third"]);
  third(); // this response was cut off already, so nothing is released
  expect({ bytes: backlog.bytes(), cut: backlog.closed() }).toEqual({ bytes: 90, cut: 2 });
});

test("makeBacklog keeps a single response above the bound, and releases it once", () => {
  const cut: string[] = [];
  const backlog = makeBacklog(100);
  backlog.track(10, () => cut.push("small"));
  const release = backlog.track(5_000, () => cut.push("large"));
  expect({ bytes: backlog.bytes(), cut }).toEqual({ bytes: 5_000, cut: ["small"] });
  release();
  release();
  expect(backlog.bytes()).toBe(0);
});

test("readConfig accepts MAX_CONNECTIONS from 1 on", () => {
  expect(readConfig({}).maxConnections).toBe(20_000);
  expect(readConfig({ MAX_CONNECTIONS: "500" }).maxConnections).toBe(500);
  for (const MAX_CONNECTIONS of ["0", "-1", "1.5", "many"]) {
    expect(() => readConfig({ MAX_CONNECTIONS })).toThrow(ConfigError);
    expect(() => readConfig({ MAX_CONNECTIONS })).toThrow(/MAX_CONNECTIONS/);
  }
});
