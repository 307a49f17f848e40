/** Open streams end as soon as their credential does, long before a heartbeat. (docs/specification/runs.md#event-stream) */
import type { Pool } from "pg";
import type { TestApi } from "../support/api.ts";
import { apiOfFile, type Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { openSession } from "../support/portal-session.ts";
import { watchedRun, withWatchingApi } from "../support/watched.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
let pool: Pool;
beforeAll(() => {
  pool = here.db.poolAs("runner");
});

/** No heartbeat comes during a test: only a notification can end a stream. */
const unhurried = { heartbeatMs: 600_000, maxDurationMs: 600_000 };

type Open = { hasEnded(): boolean };

async function open(api: TestApi, path: string, headers: Record<string, string>): Promise<Open> {
  const response = await fetch(`${api.url}/api/v1${path}`, { headers: { accept: "text/event-stream", ...headers } });
  expect(response.status).toBe(200);
  let hasEnded = false;
  void response.text().finally(() => {
    hasEnded = true;
  });
  return { hasEnded: () => hasEnded };
}

const bearer = ({ key }: Member) => ({ authorization: `Bearer ${key.text}` });

type Ways = Record<string, (ada: Member, bea: Member, session: string) => Promise<unknown>>;

/** Ends of the access of an admin, by her key or her portal session. */
const ways: Ways = {
  "her key is revoked": (ada, bea) => ada.delete(`/keys/${bea.key.id}`),
  "her key is rotated": (_, bea) => bea.post(`/keys/${bea.key.id}/rotate`, { overlapHours: 0 }),
  "she is demoted": (ada, { organisation }) =>
    here.db.sql("update app.memberships set role = 'member' where organisation_id = $1 and person_id <> $2", [
      organisation.id,
      ada.organisation.ownerId,
    ]),
  "she is removed": (_, { organisation }) =>
    here.db.sql("delete from app.memberships where organisation_id = $1 and role = 'admin'", [organisation.id]),
  "her portal session is revoked": (ada, _, session) => ada.delete(`/portal-sessions/${session}`),
};

test.each(Object.entries(ways))("the streams of an admin end within 2 s when %s, and no others", async (name, end) => {
  await withWatchingApi(here, { pace: unhurried }, async (api) => {
    const ada = await here.owner();
    const bea = await here.another(ada, "admin", await makeMember(here.db, ada.organisation.id, "admin"));
    const link = (await bea.post("/portal-sessions", {})).body;
    const { cookie } = await openSession(here.api.url, link.url);
    const run = await watchedRun(here, pool, ada);
    const paths = ["/events", `/runs/${run.id}/events`];
    const of = (headers: Record<string, string>) => Promise.all(paths.map((path) => open(api, path, headers)));
    const [others, byKey, bySession] = [await of(bearer(ada)), await of(bearer(bea)), await of({ cookie })];
    const ending = [...(name.includes("portal") ? [] : byKey), ...bySession];
    const began = Date.now();
    await end(ada, bea, link.id);
    await eventually(async () => ending.every(({ hasEnded }) => hasEnded()));
    const took = Date.now() - began;
    expect([name, took < 2_000 ? "soon" : `${took} ms`]).toEqual([name, "soon"]);
    expect(others.map(({ hasEnded }) => hasEnded())).toEqual([false, false]);
    if (name.includes("portal")) expect(byKey.map(({ hasEnded }) => hasEnded())).toEqual([false, false]);
  });
});

test("a suspension of the organisation ends its streams within 2 s", async () => {
  await withWatchingApi(here, { pace: unhurried }, async (api) => {
    const ada = await here.owner();
    const stream = await open(api, "/events", bearer(ada));
    const began = Date.now();
    await here.db.sql("update app.organisations set suspended_at = now() where id = $1", [ada.organisation.id]);
    await eventually(async () => stream.hasEnded());
    expect(Date.now() - began).toBeLessThan(2_000);
  });
});
