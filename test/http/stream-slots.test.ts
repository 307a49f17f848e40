/** Slots for open requests. (docs/specification/runs.md#places) */
import { randomBytes } from "node:crypto";
import { defaultSlotLimits, makeSlots } from "../../src/api/streams/slots.ts";

/** Takes slots with 20 keys of an organisation until none is available. */
function takeAll(slots: ReturnType<typeof makeSlots>, organisation: string): (() => void)[] {
  const taken: (() => void)[] = [];
  for (let key = 0; key < 20; key += 1) {
    const credential = randomBytes(32);
    for (
      let release = slots.acquire(credential, organisation);
      release;
      release = slots.acquire(credential, organisation)
    ) {
      taken.push(release);
    }
  }
  return taken;
}

test("A key has 100 slots, an organisation a tenth of the free ones", () => {
  const slots = makeSlots();
  expect(defaultSlotLimits).toEqual({ perKey: 100, perProcess: 10_000, shareOfFree: 0.1 });
  const credential = randomBytes(32);
  for (let count = 0; count < 100; count += 1) expect(slots.acquire(credential, "one")).toBeDefined();
  expect(slots.acquire(credential, "one")).toBeUndefined();
  expect(takeAll(slots, "one")).toHaveLength(810); // 910 of 9,090 free slots
  expect(slots.used()).toBe(910);
});

test("After fifty organisations have taken all their slots, a new one still gets some", () => {
  const slots = makeSlots();
  const counts: number[] = [];
  for (let organisation = 0; organisation < 50; organisation += 1) {
    counts.push(takeAll(slots, `organisation ${organisation}`).length);
    expect(slots.acquire(randomBytes(32), `newcomer ${organisation}`)).toBeDefined();
  }
  expect(counts.slice(0, 5)).toEqual([910, 827, 751, 683, 621]);
  expect(slots.used()).toBeLessThan(10_000);
});

test("A released slot can be taken again, and is counted once", () => {
  const slots = makeSlots({ perKey: 10, perProcess: 12, shareOfFree: 0.25 });
  const taken = takeAll(slots, "one");
  expect(taken).toHaveLength(3);
  for (const release of taken) release();
  expect(slots.used()).toBe(0);
  expect(takeAll(slots, "one")).toHaveLength(3);
  expect(takeAll(slots, "other").length).toBeGreaterThan(0);
});
