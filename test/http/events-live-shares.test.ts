/**
 * Shares of the reads of live feeds by organisation, counted in pages and in events, not in time.
 * (docs/decisions/0017-events-and-streams.md)
 */
import { Agent, type ClientRequest, request } from "node:http";
import { defaultPace } from "../../src/api/streams/streams.ts";
import { type TestApi, testApi, unlimitedBuckets } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeEvents } from "../support/events.ts";
import { type Live, openFeed } from "../support/live-feed.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
const streams = 500;
const pageSize = 200;
const pagesEach = 10;
/** Without shares, a read would wait for one of each of the 500 streams. */
const few = 50;
const kind = "webhook.test" as const;

let api: TestApi;
let agent: Agent;
beforeAll(async () => {
  const slots = { perKey: 10_000, perProcess: 10_000, shareOfFree: 1 };
  const pace = { ...defaultPace, heartbeatMs: 600_000 };
  api = await testApi(here.db, {}, unlimitedBuckets(), { slots, pace });
  agent = new Agent({ maxSockets: Number.POSITIVE_INFINITY });
});
afterAll(async () => {
  agent.destroy();
  await api.stop();
});

type Behind = { pages(): number; leave(): void };

/** 500 streams of an organisation, each with a filter and 2,000 events behind. All have been answered. */
async function openBehind(who: Member, start: string): Promise<Behind> {
  const opened: ClientRequest[] = [];
  let lines = 0;
  const open = () =>
    new Promise<void>((resolve, reject) => {
      const headers = { authorization: `Bearer ${who.key.text}`, accept: "text/event-stream" };
      const sent = request(`${api.url}/api/v1/events?event=${kind}&after=${start}`, { agent, headers }, (response) => {
        response.on("data", (part: Buffer) => {
          for (const byte of part) if (byte === 10) lines += 1;
        });
        response.on("error", () => {}); // after leave
        if (response.statusCode === 200) resolve();
        else reject(new Error(`A stream was answered ${response.statusCode}.`));
      });
      sent.on("error", reject);
      opened.push(sent.end());
    });
  // A few at a time, because the API refuses calls that wait too long for a connection.
  while (opened.length < streams) await Promise.all(Array.from({ length: 20 }, open));
  return {
    pages: () => lines / (4 * pageSize), // id, event, data and an empty line
    leave: () => opened.forEach((sent) => void sent.destroy()),
  };
}

/** Writes an event for the stream's organisation, and waits until the stream has it. */
async function roundTrip(who: Member, live: Live): Promise<void> {
  const [id] = await makeEvents(here.db, { organisationId: who.organisation.id });
  await eventually(async () => live.entries.at(-1)?.data.id === id);
}

test("500 filtered streams of one organisation delay another's event by a few reads, and leave none behind", async () => {
  const [ada, eve] = [await here.owner(), await here.owner()];
  const written = { count: pagesEach * pageSize, kind };
  await makeEvents(here.db, { organisationId: ada.organisation.id });
  const start = (await ada.get("/events?limit=1")).body.position;
  await makeEvents(here.db, { organisationId: ada.organisation.id }, written);
  const live = await openFeed(api, eve);
  await roundTrip(eve, live);

  const behind = await openBehind(ada, start);
  for (let event = 0; event < 3; event += 1) {
    const before = behind.pages();
    await roundTrip(eve, live);
    expect(behind.pages() - before).toBeLessThan(few);
  }
  expect(behind.pages()).toBeLessThan((streams * pagesEach) / 2); // they still wait

  behind.leave();
  const fresh = await openFeed(api, ada, `?event=${kind}&after=${start}`);
  let events = 0;
  for (; fresh.entries.length < written.count; events += 1) await roundTrip(eve, live);
  expect(events).toBeLessThan(few); // no read of a closed stream went before
  for (const stream of [live, fresh]) stream.leave();
});
