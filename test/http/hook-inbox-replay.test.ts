import { expectRefusal } from "../support/answers.ts";
import { apiOfFile } from "../support/callers.ts";
import { hookInbox } from "../support/hook-inbox.ts";
import { nowInSeconds, signed } from "../support/sign.ts";
import { begun, lockWaits } from "../support/transactions.ts";
import { twoProcesses } from "../support/two-processes.ts";
import { eventually } from "../support/worker.ts";

const here = apiOfFile();
const { hook, send, runsOf } = hookInbox(here);
const processes = twoProcesses(here);

test("receive_hook replays a repeated delivery id, also under a new signature", async () => {
  const at = await hook();
  const first = await send(at, signed(at.secret, "Hello", { id: "d1" }));
  expect(first.headers.get("idempotent-replayed")).toBeNull();
  const again = [
    await send(at, signed(at.secret, "Hello", { id: "d1" })),
    await send(at, signed(at.secret, "Hello", { id: "d1", at: nowInSeconds() - 60 })),
  ];
  for (const reply of again) {
    expect([reply.status, reply.body]).toEqual([202, first.body]);
    expect(reply.headers.get("idempotent-replayed")).toBe("true");
  }
  expect(await runsOf(at)).toHaveLength(1);
});

test("receive_hook returns conflict for another body under the same delivery id", async () => {
  const at = await hook();
  await send(at, signed(at.secret, "Hello", { id: "d1" }));
  expectRefusal(await send(at, signed(at.secret, "Goodbye", { id: "d1" })), "conflict");
  expect(await runsOf(at)).toHaveLength(1);
});

test("receive_hook returns conflict for a recorded signature under another delivery id, and replays it without one", async () => {
  const at = await hook();
  const first = signed(at.secret, "Hello", { id: "d1" });
  const again = signed(at.secret, "Hello", { id: "d1", at: nowInSeconds() - 10 });
  const taken = await send(at, first);
  await send(at, again);
  for (const { raw, headers } of [first, again]) {
    const { "x-botstead-delivery": _, ...unnamed } = headers as Record<string, string>;
    expectRefusal(await send(at, { raw, headers: { ...unnamed, "x-botstead-delivery": "d2" } }), "conflict");
    expect((await send(at, { raw, headers: unnamed })).body).toEqual(taken.body);
  }
  expect(await runsOf(at)).toHaveLength(1);
});

test("receive_hook without a delivery id uses the signature as the id", async () => {
  const at = await hook();
  const then = nowInSeconds();
  const first = await send(at, signed(at.secret, "Hello", { id: null, at: then }));
  const again = await send(at, signed(at.secret, "Hello", { id: null, at: then }));
  expect([again.status, again.body]).toEqual([202, first.body]);
  expect((await send(at, signed(at.secret, "Hello", { id: null, at: then - 1 }))).status).toBe(202);
  expect(await runsOf(at)).toHaveLength(2);
});

test("Delivery ids are separate for each hook", async () => {
  const at = await hook();
  const { id, secret } = (await at.ada.post("/hooks", { botId: at.botId, name: "More" })).body;
  for (const each of [at, { ...at, id, secret }]) {
    expect((await send(each, signed(each.secret, "Hello", { id: "d1" }))).status).toBe(202);
  }
  expect(await runsOf(at)).toHaveLength(2);
});

test("Fourteen equal posts at two processes at once start one run", async () => {
  const together = 2 * 7; // pooled connections that one organisation may use in two processes (src/database/connections/pipelined-pool.ts)
  const at = await hook();
  const now = nowInSeconds(); // one signature for all
  const holder = await begun(here.db);
  await holder.query("select from app.hooks where id = $1 for update", [at.id]);
  const sent = Array.from({ length: together }, (_, each) =>
    send(
      at,
      signed(at.secret, "Hello", { id: each % 4 ? "d1" : `d${each}`, at: now }),
      each % 2 ? processes.second : here.api,
    ),
  );
  await eventually(async () => (await lockWaits(here.db)) === together);
  await holder.query("commit");
  const replies = await Promise.all(sent);
  const taken = replies.filter(({ status }) => status === 202);
  expect(new Set(taken.map(({ body }) => body.runId)).size).toBe(1);
  for (const reply of replies.filter(({ status }) => status !== 202)) expectRefusal(reply, "conflict");
  expect(await runsOf(at)).toHaveLength(1);
});
