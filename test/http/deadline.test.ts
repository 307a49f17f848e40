/** RESPONSE_TIMEOUT_SECONDS counts across several steps. */
import { Client } from "pg";
import { withinDeadline } from "../../src/api/request.ts";
import { expectRefusal } from "../support/answers.ts";
import { ownApiOfFile } from "../support/callers.ts";
import { hookInbox } from "../support/hook-inbox.ts";
import { signed } from "../support/sign.ts";

const here = ownApiOfFile({ RESPONSE_TIMEOUT_SECONDS: "10" });
const { hook, send } = hookInbox(here);

test("withinDeadline counts from the start of the request, not of the step", async () => {
  const never = new Promise<string>(() => {});
  const began = performance.now();
  const deadline = { since: began - 599_900, deadlineMs: 600_000 };
  await expect(withinDeadline(deadline, () => never)).rejects.toMatchObject({ code: "deadline" });
  expect(await withinDeadline({ ...deadline, since: began }, async () => "in time")).toBe("in time");
});

test("receive_hook returns 503 when a slow look-up is followed by a locked row", async () => {
  const at = await hook();
  const holder = new Client({ connectionString: here.db.adminUrl });
  await holder.connect();
  try {
    await here.db.sql("alter function api.open_hook rename to open_hook_at_once");
    // The wait for the row lock would exceed the rest of the time.
    await here.db.sql(
      `create function api.open_hook(input jsonb) returns text language plpgsql set search_path = ''
       -- the time that the look-up takes
       as $$ begin perform pg_sleep(5); return api.open_hook_at_once(input); end $$`,
    );
    await holder.query("begin");
    await holder.query("select from app.hooks where id = $1 for update", [at.id]);
    expectRefusal(await send(at, signed(at.secret, "Hello")), "unavailable");
  } finally {
    await holder.end();
    await here.db.sql("drop function api.open_hook");
    await here.db.sql("alter function api.open_hook_at_once rename to open_hook");
  }
});
