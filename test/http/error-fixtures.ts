/** Fixtures that make an otherwise accepted request refused. (error-matrix.ts.) */
import { makeCredential } from "../../src/secrets/credentials.ts";
import type { CallOptions, Json } from "../support/api.ts";
import type { ApiOfFile, Member } from "../support/callers.ts";
import { makeMember } from "../support/database.ts";
import { fillSeats } from "../support/invitations.ts";

export type Setting = {
  here: ApiOfFile;
  ada: Member;
  /** The ids of the rows that the request names in braces. */
  rows: Record<string, string>;
  /** Sends the same request without the fixture. */
  send: (options?: CallOptions) => Promise<Json>;
  /** The function in schema api. */
  operation: string;
};

/** Options of the request, and a clean-up that runs after it. */
export type Sent = CallOptions & { full?: true; afterwards?: () => Promise<unknown> };

const organisation =
  (change: string) =>
  async ({ here, ada }: Setting): Promise<Sent> => {
    await here.db.sql(`update app.organisations set ${change} where id = $1`, [ada.organisation.id]);
    return {};
  };

/** Changes the row in braces, on behalf of another person where the statement needs one. */
const row =
  (name: string, statement: string) =>
  async ({ here, ada, rows }: Setting): Promise<Sent> => {
    const theirs = await makeMember(here.db, ada.organisation.id, "admin");
    await here.db.sql(`with others as (select $2::uuid as person) ${statement}`, [rows[name], theirs]);
    return {};
  };

const anotherKey =
  (change: string) =>
  async ({ here, ada }: Setting): Promise<Sent> => {
    const { key } = await here.another(ada);
    await here.db.sql(`update app.api_keys set ${change} where id = $1`, [key.id]);
    return { key: key.text };
  };

const times =
  (count: number, path: string, body: (each: number) => Json) =>
  async ({ ada }: Setting): Promise<Sent> => {
    for (let each = 1; each <= count; each += 1) await ada.post(path, body(each));
    return {};
  };

export const fixtures: Record<string, (setting: Setting) => Promise<Sent>> = {
  "the Idempotency-Key is missing": async () => ({ idempotencyKey: null }),
  "there is no credential": async () => ({ key: undefined }),
  "the key is unknown": async () => ({ key: makeCredential("bsk").text }),
  "the key is revoked": anotherKey("revoked_at = now()"),
  "the key is expired": anotherKey("expires_at = now()"),
  "the key is a platform key": async ({ here }) => ({ key: (await here.platform()).key.text }),
  "the key's scope is too small": async ({ here, ada }) => ({ key: (await here.another(ada, "read")).key.text }),
  "the key's creator is no longer an admin": async ({ here, ada }) => {
    const bob = await makeMember(here.db, ada.organisation.id, "admin");
    const { key } = await here.another(ada, "admin", bob);
    await here.db.sql("update app.memberships set role = 'member' where person_id = $1", [bob]);
    return { key: key.text };
  },
  "the body is over its limit": async () => ({ raw: JSON.stringify({ padding: "a".repeat(1024 * 1024) }) }),
  "the Idempotency-Key was used with another body": async ({ send }) => {
    await send({ idempotencyKey: "once" });
    return { idempotencyKey: "once", body: { another: "body" } };
  },
  "the key's bucket is full": async () => ({ full: true }),
  "the service is at fault": async ({ here, operation }) => {
    await here.db.sql(`alter function api.${operation} rename to mislaid`);
    return { afterwards: () => here.db.sql(`alter function api.mislaid rename to ${operation}`) };
  },

  "the key to be rotated is revoked": row("key", "update app.api_keys set revoked_at = now() where id = $1"),
  "there are 20 live keys": times(20, "/keys", () => ({ name: "CI" })),

  "the memory is a member's own": async ({ here, ada, rows }) => {
    await here.db.sql("update app.memories set scope = 'member', member_id = $2 where id = $1", [
      rows.memory,
      ada.organisation.ownerId,
    ]);
    return {};
  },
  "the bot is another person's personal one": row(
    "bot",
    "update app.bots set visibility = 'personal', owner_id = others.person from others where id = $1",
  ),
  "only the bot's owner talks to it": row(
    "bot",
    "update app.bots set direct_conversation = 'owner', owner_id = others.person from others where id = $1",
  ),

  "the organisation does not pay": organisation("billing_state = 'none'"),
  "120 runs were started this hour": async ({ here, ada, rows }) => {
    await ada.post("/runs", { botId: rows.bot, message: "Hello" });
    await here.db.sql(
      `insert into app.runs (organisation_id, bot_id, conversation_id, person_id, trigger)
       select organisation_id, bot_id, conversation_id, person_id, trigger from app.runs, generate_series(2, 120)
       where bot_id = $1`,
      [rows.bot],
    );
    return {};
  },
  "nothing is there to carry it out": row("bot", "update app.bots set model = 'nobody-serves-this' where id = $1"),

  "the endpoint is paused": row("webhook", "update app.webhook_endpoints set state = 'paused' where id = $1"),
  "the endpoint is disabled": row(
    "webhook",
    `update app.webhook_endpoints set state = 'disabled', disabled_reason = 'gone', disabled_at = now() where id = $1`,
  ),
  "the endpoint is deleted": async ({ ada, rows }) => {
    await ada.delete(`/webhooks/${rows.webhook}`);
    return {};
  },
  "the delivery has not failed": row(
    "delivery",
    "update app.deliveries set state = 'delivered', delivered_at = now() where id = $1",
  ),
  "there are 10 live endpoints": times(10, "/webhooks", (each) => ({
    url: `https://receiver.example/${each}`,
    events: ["run.finished"],
  })),

  "the organisation is personal": organisation("kind = 'personal'"),
  "the address is invited already": times(1, "/invitations", () => ({ email: "Nora@Harbour.example" })),
  "there are 50 open invitations": times(50, "/invitations", (each) => ({ email: `guest${each}@harbour.example` })),
  "200 seats are taken": async ({ here, ada }) => {
    await fillSeats(here.db, ada.organisation.id, 199);
    return {};
  },
};
