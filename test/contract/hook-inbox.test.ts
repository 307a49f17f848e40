/** POST /hooks/{id}/receive returns each documented status and code, and no other. */

import { openApiDocument } from "../../src/api/openapi/document.ts";
import { makeRateLimiter, specified } from "../../src/web/rate-limiter.ts";
import type { Json, Reply } from "../support/api.ts";
import { testApi } from "../support/api.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { setLimits } from "../support/database.ts";
import { type Posted, signed } from "../support/sign.ts";
import { type Documented, readDocument } from "./document.ts";
import { whileLocked } from "./outage.ts";

const here = ownApiOfFile();
const { operations, record } = readDocument(openApiDocument("http://127.0.0.1:3000"));
const receive = operations.find(({ id }) => id === "receive_hook") as Documented;

test("a post to a hook returns each documented answer, and no other", async () => {
  const full = await testApi(here.db, {}, makeRateLimiter(Date.now, { ...specified, hook: 0 }));
  const ada = await here.owner();
  const botId = (await ada.post("/bots", { name: "Guide" })).body.id;
  const { id, secret } = (await ada.post("/hooks", { botId, name: "Alerts" })).body;
  const post = (posted: Posted, api = here.api): Promise<Reply<Json>> =>
    api.call("POST", `/hooks/${id}/receive`, { idempotencyKey: null, ...posted });
  const set = (column: string, value: unknown) =>
    here.db.sql(`update app.organisations set ${column} = $2 where id = $1`, [ada.organisation.id, value]);
  const reasonsMet = new Set<string | null>();
  const check = (reply: Reply<Json>, status: number, code?: string) => {
    record.check(receive, reply);
    expect([reply.status, reply.body.error?.code]).toEqual([status, code]);
    reasonsMet.add(reply.headers.get("x-botstead-reason"));
  };
  let count = 0;
  const next = (): Posted => {
    count += 1;
    return signed(secret, `Word ${count}`);
  };

  const example = signed(secret, JSON.stringify(receive.example), { id: "once" });
  check(await post(example), 202);
  check(await post(example), 202);
  check(await post(signed(secret, "Other words", { id: "once" })), 409, "conflict");
  await ada.patch(`/hooks/${id}`, { state: "paused" });
  check(await post(next()), 409, "conflict");
  await ada.patch(`/hooks/${id}`, { state: "active" });
  check(await post(signed(secret, "")), 400, "invalid_request");
  await set("suspended_at", new Date());
  check(await post(next()), 403, "forbidden");
  await set("suspended_at", null);
  check(await post(signed("whsec_other", "Hello")), 401, "unauthenticated");
  check(await post(signed(secret, "a".repeat(1024 * 1024 + 1))), 413, "payload_too_large");
  check(await post(next(), full), 429, "rate_limited");
  await set("billing_state", "none");
  check(await post(next()), 402, "payment_required");
  await set("billing_state", "active");
  await setLimits(here.db, ada.organisation.id, { webhookStartsPerHour: 0 });
  check(await post(next()), 429, "quota_exceeded");
  await setLimits(here.db, ada.organisation.id, { webhookStartsPerHour: 120 });
  await whileLocked(here.db, ["app.hooks"], "access exclusive", async () => {
    check(await post(next()), 503, "unavailable");
  });
  await here.db.sql("revoke execute on function api_private.dispatch from tenant");
  check(await post(next()), 500, "internal");
  await here.db.sql("grant execute on function api_private.dispatch to tenant");
  check(await post(next()), 202);
  await full.stop();

  const documented = record.documented.filter((each) => each.startsWith("receive_hook "));
  expect([...record.seen].toSorted()).toEqual(documented.toSorted());
  expect(reasonsMet).toEqual(new Set([null, ...receive.reasons]));
});
