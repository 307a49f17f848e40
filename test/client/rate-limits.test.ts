/** Both clients, refused by the rate limiter of the real API: they wait for the window's end, and not for Retry-After. */
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { testWith } from "../support/machine.ts";
import type { Driver } from "./case.ts";
import { type Front, startFront } from "./front.ts";
import { pythonDriver } from "./python-driver.ts";
import { typescriptDriver } from "./typescript-driver.ts";

const windowMs = 60_000;
/** The limiter's clock. */
let now = 0;
const here = ownApiOfFile(
  {},
  makeRateLimiter(() => now, { ...specified, key: 1 }),
);
let front: Front;
beforeAll(async () => {
  front = await startFront(here.api.url);
});
afterAll(() => front.close());

const clients = [
  { name: "TypeScript", programs: [], start: () => typescriptDriver },
  { name: "Python", programs: ["python3-httpx"], start: () => pythonDriver() },
];

describe.each(clients)("$name", ({ programs, start }) => {
  const perform = testWith(...programs);
  let driver: Driver;
  beforeAll(() => {
    driver = start();
  });
  afterAll(() => driver.close());

  /** The key has used its window, which has a second left. A retry finds the next. `maxDelayMs` excludes Retry-After. */
  async function refusedOnce(step: Parameters<Driver["perform"]>[1]) {
    now = (Math.floor(now / windowMs) + 2) * windowMs - 1_000;
    const { key, get } = await here.owner();
    expect(await get("/bots")).toMatchObject({ status: 200 });
    front.follow(["forwards"]);
    front.script.push((...given) => {
      now += 1_000;
      return front.script[0]?.(...given);
    });
    return driver.perform({ baseUrl: front.url, key: key.text, maxDelayMs: 2_000 }, step);
  }

  perform("a call refused by the rate limit waits for the t of RateLimit, and then succeeds", async () => {
    expect(await refusedOnce({ call: "list_bots" })).toMatchObject({ body: { data: [] } });
    expect(front.seen).toHaveLength(2);
  });

  perform("a stream refused by the rate limit waits for the t of RateLimit too", async () => {
    const path = { id: "01890000-0000-7000-8000-000000000000" };
    expect(await refusedOnce({ call: "watch_run", how: "watch", path })).toMatchObject({
      error: { code: "not_found" },
    });
    expect(front.seen).toHaveLength(2);
  });
});
