/** Loads: as much as is answered, and so much a second whatever becomes of the answers. */
import { setTimeout as sleep } from "node:timers/promises";
import type { SoakCaller } from "./callers.ts";
import type { Ask, Book } from "./mix.ts";

type Mix = { next(): Ask };

/** @returns how many a second were answered to so many callers who each wait for theirs */
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

/** Asks in the open: what is due is sent, also when what went before has not been answered. */
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
      const asked = ask(mix, callers[sent % callers.length], book, began + (sent / perSecond) * 1_000);
      underWay.add(asked);
      void asked.finally(() => underWay.delete(asked));
    }
    await sleep(5);
  }
  await Promise.all(underWay);
}

async function ask(mix: Mix, caller: SoakCaller | undefined, book: Book, due: number): Promise<void> {
  if (!caller) throw new Error("nobody calls");
  try {
    await mix.next()(caller);
    book.answered += 1;
    book.tookMs.push(performance.now() - due);
  } catch (error) {
    book.refused.push((error as Error).message);
  }
}
