/**
 * Sends a file of JSON lines to `POST /memories/import`, part by part. A line counts only after the API has answered for it.
 * (docs/specification/memories.md#import)
 */
import { maxImportLines } from "../../contract/body-limits.ts";
import { ApiError, api } from "../parts/api.ts";
import { firstLine, joined, type Line, linesFrom } from "./file-lines.ts";
import { badLines, type RefusedLine, refusedBy, tooLong, UnacceptedLines } from "./import-refusals.ts";
import { pause, withinLimit } from "./rate-limit.ts";
import type { Schemas } from "./schemas.ts";
import { importTexts as texts } from "./texts/import.ts";

/** `leavesOut`: lines that the API does not accept are refused lines. `onStep` is called after each change. */
type Options = { signal: AbortSignal; leavesOut: boolean; onStep: () => void };

export type MemoryImport = {
  readonly created: number;
  readonly unchanged: number;
  readonly refused: RefusedLine[];
  /** The lines that are sent next, or were sent when the import stopped. */
  readonly part: { first: number; last: number } | undefined;
  /** From 0 to 1. */
  readonly done: number;
  readonly lines: number;
  readonly isWaiting: boolean;
  readonly isFinished: boolean;
  /**
   * Continues with the first line that the API has not answered for.
   *
   * @throws UnacceptedLines unless they are left out. @throws ApiError The part can be sent again
   */
  run(options: Options): Promise<void>;
};

/** The service stores nothing of a part that takes it too long. A smaller part may pass, unless the database is down. */
const maxUnavailable = 3;
const pauseMs = 1_000;

export function makeImport(file: File): MemoryImport {
  const sums = { created: 0, unchanged: 0 };
  const refused: RefusedLine[] = [];
  let queue: Line[] = [];
  let next = firstLine;
  let size = maxImportLines;
  let idempotencyKey = crypto.randomUUID();
  let isWaiting = false;
  let isFinished = false;
  const part = () => queue.slice(0, size);

  /** The next part gets a new key. A part that is sent again keeps its key, so that a lost answer comes again. */
  function change(rest: Line[], lines = size): void {
    queue = rest;
    size = Math.min(lines, maxImportLines);
    idempotencyKey = crypto.randomUUID();
  }

  function leaveOut(lines: RefusedLine[], leavesOut: boolean): void {
    if (!leavesOut) throw new UnacceptedLines(lines);
    refused.push(...lines);
    const numbers = new Set(lines.map(({ line }) => line));
    change(queue.filter(({ number }) => !numbers.has(number)));
  }

  async function send(lines: Line[], { signal, leavesOut, onStep }: Options): Promise<void> {
    const wait = () => {
      isWaiting = true;
      onStep();
    };
    const body = joined(lines);
    const call = () =>
      api<Schemas["MemoryImportResults"]>("POST", "/memories/import", body, { idempotencyKey, signal });
    try {
      const { created, unchanged, results } = await withinLimit(call, signal, wait);
      sums.created += created;
      sums.unchanged += unchanged;
      refused.push(...results.flatMap((result) => refusedBy(result, lines)));
      change(queue.slice(lines.length), size * 2);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const bad = badLines(error, lines);
      if (bad) return leaveOut(bad, leavesOut);
      if (error.status < 500 && error.status !== 0) change(queue); // its refusal would be repeated
      if (lines.length === 1 || ![400, 413, 503].includes(error.status)) throw error;
      change(queue, Math.ceil(lines.length / 2));
      if (error.status === 503) throw error;
    } finally {
      isWaiting = false;
    }
  }

  async function read(): Promise<void> {
    try {
      const { lines, next: after } = await linesFrom(file, next);
      next = after;
      change(lines);
    } catch {
      throw new Error(texts.unreadable); // it was changed or removed since it was chosen
    }
  }

  return {
    get created() {
      return sums.created;
    },
    get unchanged() {
      return sums.unchanged;
    },
    refused,
    get part() {
      const [first, last] = [queue[0], part().at(-1)];
      return first && last && { first: first.number, last: last.number };
    },
    get done() {
      return file.size === 0 ? 1 : (queue[0] ?? next).offset / file.size;
    },
    get lines() {
      return (queue[0] ?? next).number - 1;
    },
    get isWaiting() {
      return isWaiting;
    },
    get isFinished() {
      return isFinished;
    },
    async run(options) {
      for (let unavailable = 0; ; ) {
        if (queue.length === 0) await read();
        const [first] = queue;
        if (!first) break;
        options.onStep();
        try {
          if (first.bytes === null) leaveOut([tooLong(first)], options.leavesOut);
          else await send(part(), options);
          unavailable = 0;
        } catch (error) {
          unavailable += 1;
          if ((error as ApiError).status !== 503 || unavailable > maxUnavailable) throw error;
          await pause(pauseMs, options.signal);
        }
      }
      isFinished = true;
    },
  };
}
