/** Load generators: a closed loop, and an open loop with a fixed rate. */
import { setTimeout as sleep } from "node:timers/promises";
import type { SoakCaller } from "./callers.ts";
import type { Ask, Book } from "./mix.ts";

type Mix = { next(): Ask };

/** @returns requests per second of this many callers, which wait for each response */
export async function measureCapacity(mix: Mix, callers: SoakCaller[], book: Book, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  const before = book.answered;
  let turn = 0;
  await Promise.all(
    Array.from({ length: 24 }, async () => {
      while (performance.now() < until) await ask(mix, callers[turn++ % callers.length], book, performance.now());
    }),
  );
  return (book.answered - before) / seconds;
}

/** Open loop: sends at the scheduled time, even if earlier requests have no response yet. */
export async function hold(
  mix: Mix,
  callers: SoakCaller[],
  book: Book,
  perSecond: number,
  seconds: number,
): Promise<void> {
  const began = performance.now();
  const underWay = new Set<Promise<void>>();
  for (let sent = 0; sent < perSecond * seconds; ) {
    const due = Math.min(((performance.now() - began) / 1_000) * perSecond, perSecond * seconds);
    for (; sent < due; sent += 1) {
      const call = ask(mix, callers[sent % callers.length], book, began + (sent / perSecond) * 1_000);
      underWay.add(call);
      void call.finally(() => underWay.delete(call));
    }
    await sleep(5); // until the next calls are due
  }
  await Promise.all(underWay);
}

async function ask(mix: Mix, caller: SoakCaller | undefined, book: Book, due: number): Promise<void> {
  if (!caller) throw new Error("no callers");
  try {
    await mix.next()(caller);
    book.answered += 1;
    book.tookMs.push(performance.now() - due);
  } catch (error) {
    book.refused.push((error as Error).message);
  }
}
