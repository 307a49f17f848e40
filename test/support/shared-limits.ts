/**
 * Two API processes with RATE_LIMITS=shared over one database, as in production, and a database clock that the test sets.
 * Each test begins at a later minute.
 */
import { freePort } from "../../src/database/embedded/port.ts";
import { makeRateLimiter } from "../../src/web/rate-limiter.ts";
import { callerOf, type Reply, type TestApi, testApi } from "./api.ts";
import type { ApiOfFile, Caller, Member } from "./callers.ts";
import { killPrograms, runApi } from "./program.ts";

type Call = TestApi["call"];

export function sharedLimitsOf(here: ApiOfFile) {
  const at = {
    /** Runs in the test's process. */
    near: {} as TestApi,
    /** Call two separate processes. */
    far: [] as Call[],
    minute: Math.floor(Date.now() / 3_600_000) * 3_600_000,
    startFar,
    setClock,
    me,
    crowd,
    counts,
    spend,
  };

  beforeAll(async () => {
    at.near = await testApi(here.db, { RATE_LIMITS: "shared" }, makeRateLimiter());
    at.far = (await Promise.all([1, 2].map(startFar))).map(({ call }) => call);
  });
  afterAll(async () => {
    await killPrograms();
    await at.near.stop?.();
  });
  beforeEach(async () => {
    at.minute += 600_000;
    await setClock(at.minute);
  });
  return at;

  async function startFar() {
    const port = String(await freePort());
    const program = await runApi({
      ...{
        DATABASE_URL: here.db.adminUrl,
        MASTER_KEY: here.db.masterKey,
        RATE_LIMITS: "shared",
        RESPONSE_TIMEOUT_SECONDS: "30",
      },
      ...{ PORT: port, LOG_LEVEL: "silent" },
    });
    return { program, call: callerOf(`http://127.0.0.1:${port}`) };
  }

  function setClock(time: number) {
    return here.db.sql(
      `create or replace function limits.clock() returns timestamptz language sql
       as $$ select '${new Date(time).toISOString()}'::timestamptz $$`,
    );
  }

  function me(who: Caller, call = at.near.call) {
    return call("GET", "/me", { key: who.key.text });
  }

  /** Makes this many calls from forty concurrent callers, alternating between the two processes. */
  async function crowd(times: number, ask: (call: Call, number: number) => Promise<Reply>): Promise<Reply[]> {
    const answers: Promise<Reply>[] = [];
    const caller = async (_: unknown, index: number) => {
      while (answers.length < times) {
        const answer = ask(at.far[index % 2] as Call, answers.length);
        answers.push(answer);
        await answer;
      }
    };
    await Promise.all(Array.from({ length: 40 }, caller));
    return Promise.all(answers);
  }

  /** The counts of an organisation and its keys, largest first. */
  function counts({ organisation }: Member) {
    return here.db.sql<{ counted_id: string; requests: number }>(
      "select counted_id, requests from app.request_counts where organisation_id = $1 order by requests desc",
      [organisation.id],
    );
  }

  /** Sets the number of requests that the key has made in this minute. */
  async function spend(who: Member, requests: number): Promise<void> {
    await me(who);
    await here.db.sql("update app.request_counts set requests = $2 where organisation_id = $1", [
      who.organisation.id,
      requests,
    ]);
  }
}

export function statuses(answers: Reply[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The remaining requests in the header, of the first rate limit or the second. */
export const left = (reply: Reply, place: 0 | 1) =>
  Number([...(reply.headers.get("ratelimit") ?? "").matchAll(/;r=(\d+)/g)][place]?.[1]);

/** The same of all responses, largest first. */
export const allLeft = (replies: Reply[], place: 0 | 1) =>
  replies.map((reply) => left(reply, place)).toSorted((a, b) => b - a);
