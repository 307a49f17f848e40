/** A database in which pairs of calls run. */
import type { TestDatabase } from "../../support/database.ts";
import { apiCalls, type Side } from "./calls.ts";
import { openFixture } from "./fixture.ts";
import { makeRunner, type Runner } from "./pairs.ts";
import { type Call, openSessions } from "./scheduler.ts";
import { saveState } from "./state.ts";
import { executorCalls, workerCalls } from "./work-calls.ts";
import { addPoints, type Defined } from "./yield-points.ts";

export type Place = {
  db: TestDatabase;
  /** Functions with points, as they were. */
  functions: Map<string, Defined>;
  calls: Record<Side, Call[]>;
  /** A runner that knows no call yet. */
  runner(): Runner;
  close(): Promise<void>;
};

export async function openPlace(): Promise<Place> {
  const fixture = await openFixture();
  const { db } = fixture;
  const functions = await addPoints(db);
  const callsOf = async (side: Side) => [
    ...(await apiCalls(fixture, side)),
    ...(await executorCalls(fixture, side)),
    ...(await workerCalls(fixture)),
  ];
  const calls = { a: await callsOf("a"), b: await callsOf("b") };
  const state = await saveState(
    db,
    "saved",
    JSON.stringify([...calls.a, ...calls.b].map(({ values }) => values.map(inHex))),
  );
  const sessions = await openSessions(db);
  return {
    ...{ db, functions, calls },
    runner: () => makeRunner(sessions, state),
    async close() {
      await sessions.close();
      await db.drop();
    },
  };
}

const inHex = (value: unknown): unknown => (Buffer.isBuffer(value) ? value.toString("hex") : value);
