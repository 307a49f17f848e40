/** Which key may call which operation: the whole contract, as data. (docs/specification/conventions.md#scopes) */
import { operations } from "../../src/contract/operations.ts";
import { makeCredential } from "../../src/secrets/credentials.ts";
import { expectRefusal, sameButForRequestId } from "../support/answers.ts";
import { apiOfFile, type Caller } from "../support/callers.ts";
import { requestOf } from "../support/requests.ts";

const here = apiOfFile();
const scopes = ["read", "write", "admin"] as const;

/** The specification's table, repeated here so that an error in the contract is found. */
const admits: Record<string, "read" | "write" | "admin" | "platform"> = {
  get_me: "read",
  get_own_organisation: "read",
  get_audit_proof: "admin",
  rename_organisation: "admin",
  list_members: "read",
  get_member: "read",
  change_member: "admin",
  remove_member: "admin",
  list_invitations: "read",
  get_invitation: "read",
  create_invitation: "admin",
  resend_invitation: "admin",
  resend_approval: "write",
  revoke_invitation: "admin",
  list_keys: "admin",
  create_key: "admin",
  get_key: "admin",
  rotate_key: "admin",
  update_key: "admin",
  get_key_usage: "admin",
  revoke_key: "admin",
  list_exports: "read",
  create_export: "admin",
  get_export: "read",
  make_export_part: "admin",
  finish_export: "admin",
  list_portal_sessions: "admin",
  create_portal_session: "admin",
  get_portal_session: "admin",
  revoke_portal_session: "admin",
  list_models: "read",
  list_bots: "read",
  create_bot: "write",
  get_bot: "read",
  update_bot: "write",
  delete_bot: "write",
  list_memories: "read",
  create_memory: "write",
  import_memories: "write",
  get_memory: "read",
  update_memory: "write",
  delete_memory: "write",
  list_memory_history: "read",
  erase_memories: "admin",
  list_runs: "read",
  start_run: "write",
  get_run: "read",
  cancel_run: "write",
  resume_run: "write",
  retry_run: "write",
  list_run_messages: "read",
  list_approvals: "read",
  get_approval: "read",
  list_run_steps: "read",
  watch_run: "read",
  list_routines: "read",
  create_routine: "write",
  get_routine: "read",
  update_routine: "write",
  delete_routine: "write",
  list_hooks: "read",
  create_hook: "admin",
  get_hook: "read",
  update_hook: "admin",
  delete_hook: "admin",
  rotate_hook_secret: "admin",
  list_webhooks: "admin",
  create_webhook: "admin",
  get_webhook: "admin",
  update_webhook: "admin",
  delete_webhook: "admin",
  rotate_webhook_secret: "admin",
  test_webhook: "admin",
  list_deliveries: "admin",
  get_delivery: "admin",
  redeliver: "admin",
  recover_webhook: "admin",
  get_webhook_stats: "admin",
  list_events: "admin",
  list_audit: "admin",
  get_audit_stream: "admin",
  create_audit_stream: "admin",
  update_audit_stream: "admin",
  delete_audit_stream: "admin",
  rotate_audit_stream_secret: "admin",
  batch: "write",
  create_organisation: "platform",
  list_organisations: "platform",
  get_organisation: "platform",
  create_owner_key: "platform",
};

test("The table contains every operation of the contract", () => {
  expect(operations.map((operation) => operation.name).toSorted()).toEqual(Object.keys(admits).toSorted());
});

test.each([...scopes, "platform"] as const)(
  "A %s key reaches the operations that it admits, and is unauthenticated for others",
  async (holder) => {
    const caller: Caller = holder === "platform" ? await here.platform() : await here.owner(holder);
    const nobody = await here.api.call("GET", "/me");
    expectRefusal(nobody, "unauthenticated");
    for (const operation of operations) {
      const { method, path, body } = requestOf(operation);
      const needed = admits[operation.name] ?? "?";
      const reached = await here.api.call(method, path, { key: caller.key.text, body });
      const rank = (scope: string) => scopes.indexOf(scope as "read");
      const admitted =
        holder === "platform" ? needed === "platform" : rank(needed) >= 0 && rank(needed) <= rank(holder);
      const what = `${operation.name} by ${holder}`;
      expect([what, reached.status !== 401]).toEqual([what, admitted]);
      if (admitted) expect([200, 201, 202, 404]).toContain(reached.status);
      else expect(sameButForRequestId(reached)).toEqual(sameButForRequestId(nobody));
    }
  },
);

test("A key with too small a scope writes nothing", async () => {
  const writer = await here.owner("write");
  const admin = await here.another(writer, "admin");
  const reader = await here.another(writer, "read");
  expectRefusal(await writer.post("/keys", { name: "CI" }), "unauthenticated");
  expectRefusal(await reader.post("/bots", { name: "Ada" }), "unauthenticated");
  expectRefusal(await writer.delete(`/keys/${admin.key.id}`), "unauthenticated");
  const { data } = (await admin.get("/keys")).body;
  expect(data).toHaveLength(3);
  expect(data.map((key: { revokedAt: unknown }) => key.revokedAt)).toEqual([null, null, null]);
  expect((await admin.get("/bots")).body.data).toEqual([]);
});

test.each([...scopes, "platform"] as const)(
  "An unknown credential is unauthenticated on routes for %s",
  async (scope) => {
    const invented = makeCredential(scope === "platform" ? "bsp" : "bsk");
    const path = scope === "platform" ? "/platform/organisations" : "/me";
    expectRefusal(await here.api.call("GET", path, { key: invented.text }), "unauthenticated");
  },
);
