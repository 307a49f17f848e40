/** A worker with a forward proxy. */
import { startForwardProxy } from "../support/forward-proxy.ts";
import { customer, ownOfficeOfFile } from "../support/post-office.ts";
import { testWorker } from "../support/worker.ts";

const office = ownOfficeOfFile({ worker: false });

test("a worker with WEBHOOK_PROXY delivers through the proxy, and fails if the proxy requires credentials", async () => {
  const proxy = await startForwardProxy({ credentials: "bots:geheim" });
  const { host } = new URL(proxy.url);
  const who = await customer(office);
  const endpoint = await who.subscribe(office.hook());

  const refused = await testWorker(office.db, { ...office.settings, WEBHOOK_PROXY: `http://bots:falsch@${host}` });
  await who.ask("POST", `/webhooks/${endpoint.id}/test`);
  expect(await who.untilDelivery(endpoint, "pending", 1)).toMatchObject({ lastFailure: "transport" });
  await refused.stop();
  expect(office.receiver.received).toHaveLength(0);

  const worker = await testWorker(office.db, { ...office.settings, WEBHOOK_PROXY: `http://bots:geheim@${host}` });
  await who.ask("POST", `/webhooks/${endpoint.id}/test`);
  await who.untilDelivery(endpoint, "delivered", 1);
  await worker.stop();
  expect(office.receiver.received).toHaveLength(1);
  expect(proxy.targets).toEqual(Array(2).fill(`127.0.0.1:${office.receiver.port}`));
  await proxy.close();
});
