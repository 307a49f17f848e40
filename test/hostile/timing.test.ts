/**
 * Measures thousands of calls to check that response times do not reveal a row of another organisation.
 * steps-read.test.ts compares the execution steps inside PostgreSQL.
 */
import { Agent, request as send } from "undici";
import { newRequestId } from "../../src/api/request.ts";
import { makeKey } from "../support/database.ts";
import { howMany, long, reportCounts } from "../support/reliability.ts";
import { rowOperations } from "../support/requests.ts";
import { shareOfLonger } from "./ranks.ts";
import { besides, type Fixture, openFixture } from "./tenancy-fixture.ts";

/** Timed calls of each kind, for each operation. */
const samples = howMany(12, 1_000);
/**
 * Tolerated distance from one half. A dozen calls cannot decide about one operation, so the short form judges the mean
 * of all. Of a thousand calls, chance alone has a standard deviation of 0.013, which gives at most about 0.03 for
 * thirty-nine operations.
 */
const bound = long ? 0.05 : 0.15;

let fixture: Fixture;
let agent: Agent;
let key: string;
beforeAll(async () => {
  fixture = await openFixture();
  agent = new Agent({ connections: 1 });
  const { organisation } = fixture.own;
  key = (await makeKey(fixture.db, organisation.organisationId, await organisation.row("owner"), "admin")).text;
});
afterAll(async () => {
  await agent?.close();
  await fixture?.close();
});

test("response times for foreign and unknown ids are indistinguishable", async () => {
  const bodies = new Map<string, string>();
  for (const { name, body } of rowOperations) {
    if (body) bodies.set(name, JSON.stringify(await fixture.own.organisation.example(fixture.documented(name))));
  }
  /** In ms. */
  async function timed({ name, method, path }: (typeof rowOperations)[number], id: string): Promise<number> {
    const body = bodies.get(name);
    const headers = {
      authorization: `Bearer ${key}`,
      ...(body ? { "content-type": "application/json" } : {}),
      ...(method === "post" ? { "idempotency-key": newRequestId() } : {}),
    };
    const url = `${fixture.api.url}/api/v1${path.replace(/\{\w+\}/, id)}`;
    const began = performance.now();
    const answer = await send(url, { method: method.toUpperCase(), headers, body: body ?? null, dispatcher: agent });
    await answer.body.dump();
    return performance.now() - began;
  }

  const shares: { name: string; foreign: number; chance: number }[] = [];
  for (const operation of rowOperations) {
    const foreign = fixture.foreignOf(operation.path);
    const kinds = [foreign, besides(foreign, 1), besides(foreign, 2)];
    const times: number[][] = [[], [], []];
    for (let each = 0; each < samples + 5; each += 1) {
      // Interleaved, each kind equally often in each position, so that noise affects all kinds equally.
      for (let turn = 0; turn < 3; turn += 1) {
        const kind = (each + turn) % 3;
        const ms = await timed(operation, kinds[kind] ?? "");
        if (each >= 5) times[kind]?.push(ms);
      }
    }
    const [theirs = [], nobodys = [], nobodysToo = []] = times;
    shares.push({
      name: operation.name,
      foreign: shareOfLonger(theirs, nobodys),
      chance: shareOfLonger(nobodysToo, nobodys),
    });
  }
  const [getBot] = rowOperations.filter(({ name }) => name === "get_bot");
  const own: number[] = [];
  const absent: number[] = [];
  for (let each = 0; getBot && each < samples; each += 1) {
    own.push(await timed(getBot, fixture.own.rows.bots ?? ""));
    absent.push(await timed(getBot, besides(fixture.own.rows.bots ?? "", 1)));
  }
  const seen = shareOfLonger(own, absent);

  const off = (share: number) => Math.abs(share - 0.5);
  const mean = shares.reduce((sum, { foreign }) => sum + foreign, 0) / shares.length;
  const judged = long ? shares : [{ name: "the mean of all operations", foreign: mean }];
  const distinguishable = judged.filter(({ foreign }) => off(foreign) > bound);
  const worst = (of: "foreign" | "chance") => Math.max(...shares.map((each) => off(each[of]))).toFixed(3);
  if (long)
    console.info(
      shares.map(({ name, foreign, chance }) => `${name} ${foreign.toFixed(3)} (${chance.toFixed(3)})`).join("\n"),
    );
  reportCounts("response times for foreign and unknown ids", {
    acknowledged: shares.length,
    lost: 0,
    doubled: 0,
    unexpected: distinguishable.length,
    note:
      `${samples} calls each; differs from one half by at most ${worst("foreign")}, two unknown ids by ${worst("chance")}, ` +
      `the mean by ${off(mean).toFixed(3)}, ` +
      `the caller's own row by ${off(seen).toFixed(3)}`,
  });
  expect(distinguishable).toEqual([]);
  if (!long) return;
  // Over all operations chance is a fiftieth of the tolerance for one. The clock is precise enough to see a difference.
  expect(off(mean)).toBeLessThan(0.01);
  expect(off(seen)).toBeGreaterThan(0.02);
}, 1_200_000);

test("the rank comparison detects a real difference, and reports none between equal samples", () => {
  const even = Array.from({ length: 400 }, (_, each) => (each * 7919) % 1000);
  const odd = Array.from({ length: 400 }, (_, each) => (each * 104_729) % 1000);
  const later = even.map((each) => each + 150);
  const found: [share: number, least: number, max: number][] = [
    [shareOfLonger(even, odd), 0.45, 0.55],
    [shareOfLonger(later, odd), 0.6, 0.8],
    [shareOfLonger([1, 1, 1], [1, 1]), 0.5, 0.5],
    [shareOfLonger([3, 4], [1, 2]), 1, 1],
  ];
  const wrong = found.filter(([share, least, max]) => share < least || share > max);
  reportCounts("comparison of ranks", {
    acknowledged: found.length - wrong.length,
    lost: 0,
    doubled: 0,
    unexpected: wrong.length,
  });
  expect(wrong).toEqual([]);
});
