/** Failed attempts and given-up deliveries are logged with ids and outcome, and without content. (docs/observing.md#logs) */
import { readConfig } from "../../src/config.ts";
import { type RunningWorker, startWorker } from "../../src/worker/worker.ts";
import { collectLog } from "../support/logged.ts";
import {
  type Customer,
  customer,
  type Endpoint,
  openPostOffice,
  type PostOffice,
  status,
} from "../support/post-office.ts";
import { eventually, moveClock } from "../support/worker.ts";

const { log, lines } = collectLog();
let office: PostOffice;
let worker: RunningWorker;
let ada: Customer;

beforeAll(async () => {
  office = await openPostOffice({ worker: false });
  worker = await startWorker(readConfig(office.settings), office.db.adminUrl, office.db.key, log);
  await office.db.sql("update app.service_settings set delivery_max_attempts = 2");
  ada = await customer(office);
});
afterAll(async () => {
  await worker.stop();
  await office.close();
});

const linesOf = ({ id }: Endpoint) => lines.filter(({ endpointId }) => endpointId === id);

test("each failed attempt has a line at info, the last attempt has a second line, and a delivered attempt has none", async () => {
  const hook = office.hook(status(500));
  const endpoint = await ada.subscribe(hook);
  const good = await ada.subscribe(office.hook());
  await ada.run();
  await ada.untilDelivery(endpoint, "pending", 1);
  await moveClock(office.db, "1 hour");
  const delivery = await ada.untilDelivery(endpoint, "failed", 2);
  await ada.untilDelivery(good, "delivered");
  await eventually(async () => linesOf(endpoint).length === 3);

  const ids = { organisationId: ada.organisation.id, endpointId: endpoint.id, deliveryId: delivery.id };
  const failed = { ...ids, level: 30, event: "run.finished", msg: "delivery attempt failed" };
  const outcome = { host: new URL(hook.url).host, statusCode: 500, failure: null, durationMs: expect.any(Number) };
  expect(linesOf(endpoint)).toEqual([
    { ...failed, ...outcome, attempt: 1, time: expect.any(Number) },
    { ...failed, ...outcome, attempt: 2, time: expect.any(Number) },
    { ...failed, attempt: 2, msg: "delivery failed, no retry is left", time: expect.any(Number) },
  ]);
  expect(linesOf(good)).toEqual([]);
  expect(JSON.stringify(lines)).not.toContain(new URL(hook.url).pathname);
});

test("an attempt without a response has the class of its failure", async () => {
  const endpoint = await ada.subscribe({ ...office.hook(), url: "https://nowhere.example/hook" });
  await ada.ask("POST", `/webhooks/${endpoint.id}/test`);
  await eventually(async () => linesOf(endpoint).length > 0);
  expect(linesOf(endpoint)[0]).toMatchObject({ host: "nowhere.example", statusCode: null, failure: "dns", attempt: 1 });
});
