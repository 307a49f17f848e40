/** The notice before a key expires: an event and a mail, once for each key and expiry. (docs/specification/keys.md#notice-of-expiry) */
import type { Json } from "../support/api.ts";
import { makeMember, setLimits } from "../support/database.ts";
import { type Customer, customer, ownOfficeOfFile } from "../support/post-office.ts";
import { allSent, type Smtp, startSmtp, wordsOf } from "../support/smtp.ts";
import { eventually, testWorker } from "../support/worker.ts";

const office = ownOfficeOfFile({ worker: false });
let smtp: Smtp;
beforeAll(async () => {
  smtp = await startSmtp();
});
afterAll(() => smtp.close());

/** An organisation with an endpoint for the event. */
async function subscriber(): Promise<Customer> {
  const who = await customer(office);
  await who.subscribe(office.hook(), ["key.expiring"]);
  return who;
}

/** Keys that were made 80 days ago. The interval is from now to the expiry of the first, and from each to the next. */
async function oldKeys({ organisation }: Customer, expiresIn: string, count = 1): Promise<string[]> {
  const rows = await office.db.sql<{ id: string }>(
    `insert into app.api_keys (organisation_id, id, name, prefix, digest, scope, created_by, expires_at)
     select $1, uuidv7(interval '-80 days'), 'CI', 'bsk_01234567', sha256(random()::text::bytea), 'write', $2, now() + nth * $3::interval
     from generate_series(1, $4) nth returning id`,
    [organisation.id, organisation.ownerId, expiresIn, count],
  );
  return rows.map(({ id }) => id);
}

const oldKey = async (who: Customer, expiresIn: string): Promise<string> => (await oldKeys(who, expiresIn))[0] ?? "";

const newKey = async (who: Customer, body: Json = {}): Promise<string> =>
  (await who.ask("POST", "/keys", { name: "CI", scope: "write", ...body })).body.id;

const expireIn = (id: string, time: string) =>
  office.db.sql("update app.api_keys set expires_at = now() + $2::interval where id = $1", [id, time]);

/** As one worker does every hour. Returns how many keys it looked at. */
const announce = async (): Promise<number> => {
  const { rows } = await office.db.poolAs("worker", 1).query("select jobs.announce_expiring_keys() as keys");
  return rows[0].keys;
};

/** Notices of an organisation: the keys of its events, and of its mails. */
async function notices(who: Customer): Promise<{ events: string[]; mails: string[] }> {
  const keys = async (from: string) =>
    (
      await office.db.sql<{ id: string }>(
        `select data ->> 'keyId' as id from ${from} and organisation_id = $1 order by 1`,
        [who.organisation.id],
      )
    ).map(({ id }) => id);
  return {
    events: await keys("app.events where kind = 'key.expiring'"),
    mails: await keys("app.mails where kind = 'key_expiring'"),
  };
}

const only = (...ids: string[]) => ({ events: ids.toSorted(), mails: ids.toSorted() });
const none = only();

test("a worker announces a key that will expire: a delivery, and a mail to each owner and admin that says what to do", async () => {
  const who = await customer(office);
  const hook = office.hook();
  const endpoint = await who.subscribe(hook, ["key.expiring"]);
  const id = await oldKey(who, "6 days");
  await who.ask("PATCH", `/keys/${id}`, { name: 'CI "nightly"' });
  const { prefix, expiresAt } = (await who.ask("GET", `/keys/${id}`)).body;
  const admin = await makeMember(office.db, who.organisation.id, "admin");
  const [{ email } = { email: "" }] = await office.db.sql<{ email: string }>(
    "select email from app.people where id = $1",
    [admin],
  );
  await makeMember(office.db, who.organisation.id, "member");
  await office.db.sql("update app.organisations set name = 'Harbour' where id = $1", [who.organisation.id]);

  const worker = await testWorker(office.db, {
    ...office.settings,
    SMTP_URL: smtp.url,
    BASE_URL: "https://bots.example.test",
  });
  const delivery = await who.untilDelivery(endpoint, "delivered");
  await eventually(async () => (await notices(who)).mails.length === 2);
  await allSent(office.db);
  await worker.stop();

  const userId = who.organisation.ownerId;
  expect(delivery.payload.data).toEqual({ keyId: id, scope: "write", userId, expiresAt });
  const mails = smtp.messages.filter(({ source }) => /^Subject: An API key on Botstead will expire\r$/m.test(source));
  expect(mails.flatMap(({ to }) => to).toSorted()).toEqual([who.organisation.email, email].toSorted());
  for (const { source } of mails) {
    for (const line of source.split("\r\n")) expect(line.length).toBeLessThanOrEqual(100);
    expect(wordsOf(source)).toBe(
      [
        "Hello,",
        "",
        'an API key of the organisation "Harbour" on Botstead',
        `expires on ${expiresAt.slice(0, 10)} at ${expiresAt.slice(11, 16)} UTC. Calls with it are refused from then on.`,
        "",
        `  Name:     "CI 'nightly'"`,
        `  Begins:   ${prefix}`,
        "  Scope:    write",
        '  Person:   "Olga Owner"',
        `  Id:       ${id}`,
        "",
        "What you can do, with an API key of scope admin:",
        "",
        "1. See when it was last used:",
        `   GET https://bots.example.test/api/v1/keys/${id}`,
        "",
        "2. Replace it by a new key, which lives as long. The old one works for up to 24 h more:",
        `   POST https://bots.example.test/api/v1/keys/${id}/rotate`,
        "   with a new Idempotency-Key, and",
        '   {"overlapHours":24}',
        "",
        "If nothing uses the key, there is nothing to do.",
        "",
        'You get this mail because you are an owner or an admin of "Harbour".',
      ].join("\n"),
    );
  }
});

test("a key is announced once, and again after its expiry has moved", async () => {
  const who = await subscriber();
  const id = await oldKey(who, "6 days");
  await announce();
  expect(await notices(who)).toEqual(only(id));
  expect(await announce()).toBe(0);
  await expireIn(id, "2 days");
  await announce();
  expect(await notices(who)).toEqual(only(id, id));
});

test("without a subscriber there is a mail, but no event", async () => {
  const who = await customer(office);
  const id = await oldKey(who, "1 hour");
  await announce();
  expect(await notices(who)).toEqual({ events: [], mails: [id] });
});

test("a key that is revoked, has expired, expires later or was made to live no longer than the notice is not announced", async () => {
  const who = await subscriber();
  await who.ask("DELETE", `/keys/${await oldKey(who, "2 days")}`);
  for (const expiresIn of ["-1 minute", "7 days 1 minute"]) await oldKey(who, expiresIn);
  for (const expiresInDays of [1, 7]) await newKey(who, { expiresInDays });
  expect(await announce()).toBe(2); // the last two are looked at once
  expect(await announce()).toBe(0);
  expect(await notices(who)).toEqual(none);
});

test("a rotation ends the notice of the old key, and the new key has its own", async () => {
  const who = await subscriber();
  const old = await oldKey(who, "3 days");
  const made = (await who.ask("POST", `/keys/${old}/rotate`, { overlapHours: 24 })).body.id;
  expect(await announce()).toBe(0);
  // 80 days later. Nothing else refers to the key.
  const [later] = await office.db.sql<{ id: string }>(
    `with used as (delete from app.api_key_uses where key_id = $1)
     update app.api_keys set id = uuidv7(interval '-80 days'), expires_at = now() + interval '3 days' where id = $1 returning id`,
    [made],
  );
  await announce();
  expect(await notices(who)).toEqual(only(later?.id ?? ""));
});

test("a longer notice announces keys that now fall into it", async () => {
  const who = await subscriber();
  const id = await oldKey(who, "29 days");
  const noticeOf = (time: string) =>
    office.db.sql("update app.service_settings set key_expiry_notice = $1::interval", [time]);
  await noticeOf("28 days 23 hours");
  await announce();
  expect(await notices(who)).toEqual(none);
  await noticeOf("29 days");
  await announce();
  await noticeOf("7 days");
  expect(await notices(who)).toEqual(only(id));
  await expect(noticeOf("91 days")).rejects.toThrow("key_expiry_notice");
});

test("keys of a suspended organisation are announced when the suspension has ended", async () => {
  const who = await subscriber();
  const id = await oldKey(who, "3 days");
  const suspend = (at: string) =>
    office.db.sql(`update app.organisations set suspended_at = ${at} where id = $1`, [who.organisation.id]);
  await suspend("now()");
  expect(await announce()).toBe(0);
  await suspend("null");
  await announce();
  expect(await notices(who)).toEqual(only(id));
});

test("a key whose person is no admin any more is announced to the present owner", async () => {
  const who = await subscriber();
  const id = await oldKey(who, "3 days");
  const heir = await makeMember(office.db, who.organisation.id, "owner");
  await office.db.sql("delete from app.memberships where organisation_id = $1 and person_id <> $2", [
    who.organisation.id,
    heir,
  ]);
  await announce();
  expect(await notices(who)).toEqual(only(id));
});

test("two workers announce each of 120 keys of three organisations once", async () => {
  const all: [Customer, string[]][] = [];
  for (let each = 0; each < 3; each += 1) {
    const who = await subscriber();
    await setLimits(office.db, who.organisation.id, { liveKeys: 50 });
    const ids = await oldKeys(who, "1 hour", 40);
    all.push([who, ids]);
  }
  const workers = [office.db.poolAs("worker", 1), office.db.poolAs("worker", 1)];
  const looked = await Promise.all(
    workers.map(async (worker) => {
      let keys = 0;
      for (let call = 0; call < 30; call += 1) {
        keys += (await worker.query("select jobs.announce_expiring_keys(7) as keys")).rows[0].keys;
      }
      return keys;
    }),
  );
  expect((looked[0] ?? 0) + (looked[1] ?? 0)).toBe(120);
  for (const [who, ids] of all) expect(await notices(who)).toEqual(only(...ids));
});
