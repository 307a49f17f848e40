/** The mail to owners and admins about a disabled endpoint. (docs/specification/webhooks.md#states) */
import { makeMember } from "../support/database.ts";
import { setOldUrl } from "../support/old-urls.ts";
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
const noticeMails = () => smtp.messages.filter(({ source }) => wordsOf(source).includes("sends no more events"));

async function failTenTimes(who: Customer, endpoint: Endpoint): Promise<void> {
  await Promise.all(Array.from({ length: 10 }, () => who.ask("POST", `/webhooks/${endpoint.id}/test`)));
  await eventually(async () => (await who.ask("GET", `/webhooks/${endpoint.id}`)).body.state === "disabled");
}

const disable = (endpoint: Endpoint, reason: string) =>
  office.db.sql(
    "update app.webhook_endpoints set state = 'disabled', disabled_reason = $2::app.disabled_reason, disabled_at = now() where id = $1",
    [endpoint.id, reason],
  );

test("after ten failed deliveries in a row, owners and admins get a mail with endpoint, reason, time and next steps", async () => {
  const who = await customer(office);
  await customer(office); // another organisation, which gets no mail
  const [admin] = await office.db.sql<{ email: string }>("select email from app.people where id = $1", [
    await makeMember(office.db, who.organisation.id, "admin"),
  ]);
  await makeMember(office.db, who.organisation.id, "member");
  await office.db.sql("update app.organisations set name = 'Café Zürich' where id = $1", [who.organisation.id]);
  const hook = office.hook(status(500));
  const { id, secret } = (
    await who.ask("POST", "/webhooks", {
      url: `${hook.url}?token=geheim`,
      description: "Tells the duty room",
      events: ["run.finished"],
    })
  ).body;

  await failTenTimes(who, { id, secret });
  await allSent(office.db);
  expect(
    noticeMails()
      .flatMap(({ to }) => to)
      .toSorted(),
  ).toEqual([who.organisation.email, admin?.email].toSorted());

  const row = (await who.ask("GET", `/webhooks/${id}`)).body;
  const at = `${row.disabledAt.slice(0, 10)} at ${row.disabledAt.slice(11, 16)} UTC`;
  for (const { source } of noticeMails()) {
    expect(source).toMatch(/^Subject: Deliveries to a webhook endpoint on Botstead have stopped\r$/m);
    for (const line of source.split("\r\n")) expect(line.length).toBeLessThanOrEqual(100);
    expect(source).not.toMatch(/geheim|\/hooks\/|whsec_/);
    expect(wordsOf(source)).toBe(
      [
        "Hello,",
        "",
        'Botstead sends no more events of the organisation "Café Zürich"',
        "to one of its webhook endpoints,",
        "since ten deliveries in a row have failed, each after all of its attempts.",
        "",
        `  Host:          localhost:${office.receiver.port}`,
        '  Description:   "Tells the duty room"',
        `  Endpoint:      ${id}`,
        `  Disabled:      ${at}`,
        "  Last success:  never",
        "",
        "What you can do, with an API key of scope admin:",
        "",
        "1. Find out why deliveries failed, and correct it:",
        `   GET https://bots.example.test/api/v1/webhooks/${id}/deliveries`,
        "",
        "2. Enable it again:",
        `   PATCH https://bots.example.test/api/v1/webhooks/${id}`,
        '   {"state":"active"}',
        "",
        "3. Recover missed deliveries: the failed ones, then the missing ones:",
        `   POST https://bots.example.test/api/v1/webhooks/${id}/recover`,
        "   each with a new Idempotency-Key, and",
        `   {"since":"${row.createdAt}","include":"failed"}`,
        `   {"since":"${row.disabledAt}","include":"missing"}`,
        "",
        'You get this mail because you are an owner or an admin of "Café Zürich".',
      ].join("\n"),
    );
  }
});

test("each disabling sends one mail, with the time of the last successful delivery", async () => {
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
  expect(noticeMails()).toHaveLength(1);
  const words = wordsOf(noticeMails()[0]?.source ?? "");
  expect(words).toContain(`  Last success:  ${lastDeliveryAt.slice(0, 10)} at ${lastDeliveryAt.slice(11, 16)} UTC\n`);
  expect(words).not.toContain("Description:");

  await who.ask("PATCH", `/webhooks/${endpoint.id}`, { state: "active" });
  await failTenTimes(who, endpoint);
  await allSent(office.db);
  expect(noticeMails()).toHaveLength(2);
});

test("the commands of the mail recover all deliveries, including failures before the last success", async () => {
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
  const words = wordsOf(noticeMails()[0]?.source ?? "");
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

test("the commands of the mail do not reach beyond the retention time", async () => {
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
  ["gone", "since it answered 410, which ends its deliveries."],
  ["operator", "since an operator of Botstead disabled it."],
])("the mail states the reason: %s", async (reason, words) => {
  const who = await customer(office);
  await disable(await who.subscribe(office.hook()), reason);
  await allSent(office.db);
  expect(noticeMails().map(({ source }) => wordsOf(source))).toEqual([expect.stringContaining(`\n${words}\n`)]);
});

test("a deleted endpoint causes no mail", async () => {
  const who = await customer(office);
  const endpoint = await who.subscribe(office.hook());
  await who.ask("DELETE", `/webhooks/${endpoint.id}`);
  await disable(endpoint, "consecutive_failures");
  expect(await office.db.sql("select state from app.webhook_endpoints where id = $1", [endpoint.id])).toEqual([
    { state: "disabled" },
  ]);
  expect(await office.db.sql("select from app.mails where data ->> 'webhookId' = $1", [endpoint.id])).toEqual([]);
});

test("the mail contains only the host of the URL, however the URL is spelled", async () => {
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
    const { id } = await who.subscribe(office.hook());
    await setOldUrl(office.db, id, url);
    await disable({ id, secret: "" }, "consecutive_failures");
    const [mail] = await office.db.sql<{ host: string; text: string }>(
      "select data ->> 'host' as host, data::text as text from app.mails where data ->> 'webhookId' = $1",
      [id],
    );
    expect(mail).toMatchObject({ host, text: expect.not.stringContaining("geheim") });
    await who.ask("DELETE", `/webhooks/${id}`);
  }
});
