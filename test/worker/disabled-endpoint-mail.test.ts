/** When an endpoint is disabled, those who can do something about it are told: once, and without a secret. (decisions: section 4.) */
import { makeMember } from "../support/database.ts";
import {
  type Customer,
  customer,
  type Endpoint,
  openPostOffice,
  type PostOffice,
  status,
} from "../support/post-office.ts";
import { allSent, type Smtp, startSmtp, wordsOf } from "../support/smtp.ts";
import { eventually, testWorker } from "../support/worker.ts";

let office: PostOffice;
let smtp: Smtp;
let worker: Awaited<ReturnType<typeof testWorker>>;

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
  smtp = await startSmtp();
  worker = await testWorker(office.db, {
    ...office.settings,
    SMTP_URL: smtp.url,
    BASE_URL: "https://bots.example.test",
  });
  // One attempt a delivery, so that each failed answer is a failed delivery.
  await office.db.sql("update app.service_settings set delivery_max_attempts = 1");
});
afterAll(async () => {
  await worker.stop();
  await smtp.close();
  await office.close();
});
beforeEach(async () => {
  await allSent(office.db);
  smtp.messages.length = 0;
});

/** The mails of this kind; a test's owners are also welcomed. */
const told = () => smtp.messages.filter(({ source }) => wordsOf(source).includes("sends no more events"));

async function failTenTimes(who: Customer, endpoint: Endpoint): Promise<void> {
  await Promise.all(Array.from({ length: 10 }, () => who.ask("POST", `/webhooks/${endpoint.id}/test`)));
  await eventually(async () => (await who.ask("GET", `/webhooks/${endpoint.id}`)).body.state === "disabled");
}

const disable = (endpoint: Endpoint, reason: string) =>
  office.db.sql(
    "update app.webhook_endpoints set state = 'disabled', disabled_reason = $2::app.disabled_reason, disabled_at = now() where id = $1",
    [endpoint.id, reason],
  );

test("ten failed deliveries in a row tell owners and admins which endpoint, why, since when and what to do", async () => {
  const who = await customer(office);
  await customer(office); // a stranger, who is told nothing
  const [admin] = await office.db.sql<{ email: string }>("select email from app.people where id = $1", [
    await makeMember(office.db, who.organisation.id, "admin"),
  ]);
  await makeMember(office.db, who.organisation.id, "member");
  await office.db.sql("update app.organisations set name = 'Café Zürich' where id = $1", [who.organisation.id]);
  const hook = office.hook(status(500));
  const { id, secret } = (
    await who.ask("POST", "/webhooks", {
      url: `${hook.url}?token=geheim`,
      description: "Tells the\nduty room",
      events: ["run.finished"],
    })
  ).body;

  await failTenTimes(who, { id, secret });
  await allSent(office.db);
  expect(
    told()
      .flatMap(({ to }) => to)
      .toSorted(),
  ).toEqual([who.organisation.email, admin?.email].toSorted());

  const row = (await who.ask("GET", `/webhooks/${id}`)).body;
  const at = `${row.disabledAt.slice(0, 10)} at ${row.disabledAt.slice(11, 16)} UTC`;
  for (const { source } of told()) {
    expect(source).toMatch(/^Subject: =\?UTF-8\?/m);
    for (const line of source.split("\r\n")) expect(line.length).toBeLessThanOrEqual(78);
    expect(source).not.toMatch(/geheim|\/hooks\/|whsec_/);
    expect(wordsOf(source)).toBe(
      [
        "Hello,",
        "",
        "Botstead sends no more events of Café Zürich to one of its webhook endpoints,",
        "since ten deliveries in a row have failed, each after all of its attempts.",
        "",
        `  Host:          localhost:${office.receiver.port}`,
        "  Description:   Tells the duty room",
        `  Endpoint:      ${id}`,
        `  Disabled:      ${at}`,
        "  Last arrived:  nothing ever",
        "",
        "What you can do, with an API key of scope admin:",
        "",
        "1. Look what it answered, and set it right:",
        `   GET https://bots.example.test/api/v1/webhooks/${id}/deliveries`,
        "",
        "2. Have events sent to it again:",
        `   PATCH https://bots.example.test/api/v1/webhooks/${id}`,
        '   {"state":"active"}',
        "",
        "3. Have sent what it missed, first what failed, then what was not tried:",
        `   POST https://bots.example.test/api/v1/webhooks/${id}/recover`,
        "   with an Idempotency-Key of its own for each, and",
        `   {"since":"${row.createdAt}","include":"failed"}`,
        `   {"since":"${row.disabledAt}","include":"missing"}`,
        "",
        "You get this mail because you run Café Zürich, as its owner or an admin.",
      ].join("\n"),
    );
  }
});

test("each time it is disabled they are told once, and of the last delivery that arrived", async () => {
  const who = await customer(office);
  const hook = office.hook();
  const endpoint = await who.subscribe(hook);
  await who.ask("POST", `/webhooks/${endpoint.id}/test`);
  await who.untilDelivery(endpoint, "delivered");
  hook.answer = status(500);

  await failTenTimes(who, endpoint);
  const { lastDeliveryAt } = (await who.ask("GET", `/webhooks/${endpoint.id}`)).body;
  await office.db.sql("update app.webhook_endpoints set description = 'changed while disabled' where id = $1", [
    endpoint.id,
  ]);
  await allSent(office.db);
  expect(told()).toHaveLength(1);
  const words = wordsOf(told()[0]?.source ?? "");
  expect(words).toContain(`  Last arrived:  ${lastDeliveryAt.slice(0, 10)} at ${lastDeliveryAt.slice(11, 16)} UTC\n`);
  expect(words).not.toContain("Description:");

  await who.ask("PATCH", `/webhooks/${endpoint.id}`, { state: "active" });
  await failTenTimes(who, endpoint);
  await allSent(office.db);
  expect(told()).toHaveLength(2);
});

test("whoever does what the mail says misses nothing, what failed before the last delivery arrived included", async () => {
  const who = await customer(office);
  const hook = office.hook(status(500));
  const endpoint = await who.subscribe(hook);
  await who.ask("POST", `/webhooks/${endpoint.id}/test`);
  const early = await who.untilDelivery(endpoint, "failed");
  hook.answer = status(200);
  await who.ask("POST", `/webhooks/${endpoint.id}/test`);
  await who.untilDelivery(endpoint, "delivered");
  hook.answer = status(500);
  await failTenTimes(who, endpoint);
  const run = await who.run();
  await eventually(async () => (await who.ask("GET", `/runs/${run}`)).body.state === "completed");
  await allSent(office.db);

  hook.answer = status(200);
  const before = hook.posts().length;
  const words = wordsOf(told()[0]?.source ?? "");
  let request: [method: string, path: string] | undefined;
  for (const line of words.split("\n")) {
    const [, method, path] = /^ {3}(PATCH|POST) https:\/\/bots\.example\.test\/api\/v1(\S+)$/.exec(line) ?? [];
    if (method && path) request = [method, path];
    else if (request && line.startsWith("   {")) await who.ask(...request, JSON.parse(line));
  }
  await eventually(async () => hook.posts().length === before + 12);
  const sent = hook
    .posts()
    .slice(before)
    .map(({ body }) => JSON.parse(body));
  expect(sent.map(({ id }) => id)).toContain(early.id);
  expect(sent.filter(({ data }) => data.runId === run)).toHaveLength(1);
});

test("times of which nothing is kept any more are not asked for", async () => {
  const who = await customer(office);
  const { id } = await who.subscribe(office.hook());
  const [old] = await office.db.sql<Endpoint>(
    `insert into app.webhook_endpoints (organisation_id, id, url, events, secret_sealed)
     select organisation_id, uuidv7('-80 days'), url, events, secret_sealed from app.webhook_endpoints where id = $1
     returning id, '' as secret`,
    [id],
  );
  for (const [retention, since] of [
    ["30 days", "now() - interval '29 days'"],
    ["1 day", "now()"],
  ]) {
    await office.db.sql("update app.service_settings set delivery_retention = $1::interval", [retention]);
    await office.db.sql("update app.webhook_endpoints set state = 'active' where id = $1", [old?.id]);
    await disable(old as Endpoint, "gone");
    const [mail] = await office.db.sql<{ near: boolean }>(
      `select abs(extract(epoch from (data ->> 'failedSince')::timestamptz - (${since}))) < 60 as near
       from app.mails where data ->> 'webhookId' = $1 order by id desc limit 1`,
      [old?.id],
    );
    expect(mail).toEqual({ near: true });
  }
  await office.db.sql("update app.service_settings set delivery_retention = default");
});

test.each([
  ["gone", "since it answered 410, by which a receiver says that it wants no more."],
  ["operator", "since an operator of Botstead has switched it off."],
])("a mail gives the reason: %s", async (reason, words) => {
  const who = await customer(office);
  await disable(await who.subscribe(office.hook()), reason);
  await allSent(office.db);
  expect(told().map(({ source }) => wordsOf(source))).toEqual([expect.stringContaining(`\n${words}\n`)]);
});

test("an endpoint that was deleted is nobody's concern any more", async () => {
  const who = await customer(office);
  const endpoint = await who.subscribe(office.hook());
  await who.ask("DELETE", `/webhooks/${endpoint.id}`);
  await disable(endpoint, "consecutive_failures");
  expect(await office.db.sql("select state from app.webhook_endpoints where id = $1", [endpoint.id])).toEqual([
    { state: "disabled" },
  ]);
  expect(await office.db.sql("select from app.mails where data ->> 'webhookId' = $1", [endpoint.id])).toEqual([]);
});

test("of its address the mail holds the host alone, however the address is written", async () => {
  const who = await customer(office);
  const spellings: [url: string, host: string][] = [
    ["https://hooks.example.com", "hooks.example.com"],
    ["https://hooks.example.com:8443/a/geheim?b=geheim#c", "hooks.example.com:8443"],
    ["https://hooks.example.com?geheim", "hooks.example.com"],
    ["https://hooks.example.com#geheim", "hooks.example.com"],
    ["https://hooks.example.com\\geheim", "hooks.example.com"],
    ["https:///hooks.example.com/@geheim", "hooks.example.com"],
    ["https://@hooks.example.com/geheim", "hooks.example.com"],
    ["https://[2606:4700::1]:444/geheim", "[2606:4700::1]:444"],
  ];
  for (const [url, host] of spellings) {
    expect(URL.parse(url)?.host).toBe(host);
    const { id } = (await who.ask("POST", "/webhooks", { url, events: ["run.finished"] })).body;
    await disable({ id, secret: "" }, "consecutive_failures");
    const [mail] = await office.db.sql<{ host: string; text: string }>(
      "select data ->> 'host' as host, data::text as text from app.mails where data ->> 'webhookId' = $1",
      [id],
    );
    expect(mail).toMatchObject({ host, text: expect.not.stringContaining("geheim") });
    await who.ask("DELETE", `/webhooks/${id}`);
  }
});
