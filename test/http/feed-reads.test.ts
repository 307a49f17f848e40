/** The turns of the reads of live feeds. (docs/decisions/0017-events-and-streams.md) */
import { makeFeedReads } from "../../src/api/streams/feed-reads.ts";

const open = () => true;

/** Starts a read that the test ends. */
function aRead(reads: ReturnType<typeof makeFeedReads>, started: string[], organisation: string, isWanted = open) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const result = reads.run(organisation, isWanted, () => {
    started.push(organisation);
    return promise;
  });
  return { result, end: () => resolve(organisation), fail: () => reject(new Error("down")) };
}

describe("Reads of live feeds", () => {
  test("run one at a time for an organisation, two in all, and in turn by organisation", async () => {
    const reads = makeFeedReads();
    const started: string[] = [];
    const waiting = ["a", "b", "c"].flatMap((name) => [1, 2, 3].map(() => aRead(reads, started, name)));
    expect(started).toEqual(["a", "b"]);
    for (let ended = 0; ended < waiting.length; ended += 1) {
      const organisation = started[ended]; // the read that has run longest
      const nth = started.slice(0, ended).filter((other) => other === organisation).length;
      const read = waiting[["a", "b", "c"].indexOf(organisation ?? "") * 3 + nth];
      read?.end();
      expect(await read?.result).toBe(organisation);
      await Promise.resolve();
    }
    expect(started.join("")).toBe("ababcabcc");
  });

  test("of closed streams are dropped before they start", async () => {
    const reads = makeFeedReads();
    const started: string[] = [];
    let isWanted = true;
    const first = aRead(reads, started, "a");
    const dropped = [1, 2, 3].map(() => aRead(reads, started, "a", () => isWanted));
    const last = aRead(reads, started, "a");
    isWanted = false;
    first.end();
    expect(await Promise.all(dropped.map(({ result }) => result))).toEqual([undefined, undefined, undefined]);
    last.end();
    expect(await last.result).toBe("a");
    expect(started).toEqual(["a", "a"]);
  });

  test("that fail give their place to the next", async () => {
    const reads = makeFeedReads();
    const started: string[] = [];
    const [first, second] = [aRead(reads, started, "a"), aRead(reads, started, "a")];
    first.fail();
    await expect(first.result).rejects.toThrow("down");
    second.end();
    expect(await second.result).toBe("a");
  });
});
