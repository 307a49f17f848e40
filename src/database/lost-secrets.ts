/**
 * After the loss of the master key: marks the secrets that the new key does not open, and replaces what can be replaced.
 * Nothing sealed is deleted except signing keys, so that a former key that is found again opens it. Safe to repeat.
 * (docs/backups.md#a-lost-master-key)
 */
import type { Client } from "pg";
import type { MasterKey } from "../secrets/master-key.ts";
import { makeSecret } from "../secrets/one-time.ts";
import { openedBy, type SealedRow, sealedColumns, sealedRows } from "./sealed-columns.ts";

/** An endpoint, a hook or a stream of the audit log whose secret nothing opens. `host` is where it sends to. */
export type LostSecret = {
  organisationId: string;
  organisation: string;
  kind: string;
  id: string;
  host: string | null;
};

export type Losses = {
  secrets: LostSecret[];
  /** Unsent invitations, each with a new link. */
  renewedInvitations: number;
  /** Signing keys, all withdrawn. */
  withdrawnKeys: number;
};

/** @param owner logged in as owner, who passes the policies of these tables */
export async function replaceLost(owner: Client, key: MasterKey): Promise<Losses> {
  await owner.query("begin");
  try {
    const losses = { secrets: 0, renewedInvitations: 0, withdrawnKeys: 0 };
    for (const sealed of sealedColumns) {
      for await (const rows of sealedRows(owner, sealed)) {
        const lost = rows.filter((row) => openedBy(key, sealed.purpose, row.sealed) === undefined);
        if (sealed.table === "mails")
          for (const mail of lost) losses.renewedInvitations += await renew(owner, key, mail);
        else if (sealed.table === "signing_keys") losses.withdrawnKeys += await withdraw(owner, lost);
        else losses.secrets += await mark(owner, sealed.table, lost);
      }
    }
    await owner.query("select operator.note_command('replace_lost_master_key', null, $1)", [JSON.stringify(losses)]);
    const { rows: secrets } = await owner.query<LostSecret>(lostSecrets);
    await owner.query("commit");
    return { ...losses, secrets };
  } catch (error) {
    await owner.query("rollback").catch(() => {});
    throw error;
  }
}

async function mark(
  owner: Client,
  table: "webhook_endpoints" | "audit_streams" | "hooks",
  lost: SealedRow[],
): Promise<number> {
  if (lost.length === 0) return 0;
  const { rowCount } = await owner.query(
    `update app.${table} target set unreadable_since = now()
     from unnest($1::uuid[], $2::uuid[]) as lost (organisation_id, id)
     where target.organisation_id = lost.organisation_id and target.id = lost.id and target.unreadable_since is null`,
    [lost.map((row) => row.organisation_id), lost.map((row) => row.id)],
  );
  return rowCount ?? 0;
}

/** The link of an unsent mail reached no person, so a new link takes its place. A new digest would withdraw an unsent mail. */
async function renew(owner: Client, key: MasterKey, { organisation_id, id }: SealedRow): Promise<number> {
  const { tokenDigest, tokenSealed } = makeSecret("invitation-token", key).stored;
  const { rowCount } = await owner.query(
    "update app.mails set sent_at = now(), token_sealed = decode($3, 'hex') where organisation_id = $1 and id = $2 and sent_at is null",
    [organisation_id, id, tokenSealed],
  );
  if (rowCount === 0) return 0;
  await owner.query(
    `update app.invitations set token_digest = decode($3, 'hex')
     from app.mails mail
     where mail.organisation_id = $1 and mail.id = $2
       and invitations.organisation_id = $1 and invitations.id::text = mail.data ->> 'invitationId'`,
    [organisation_id, id, tokenDigest],
  );
  await owner.query("update app.mails set sent_at = null where organisation_id = $1 and id = $2", [
    organisation_id,
    id,
  ]);
  return 1;
}

/** As a rotation without overlap does. The next worker creates a key. */
async function withdraw(owner: Client, lost: SealedRow[]): Promise<number> {
  const { rowCount } = await owner.query("delete from app.signing_keys where id = any ($1)", [
    lost.map(({ id }) => id),
  ]);
  return rowCount ?? 0;
}

const lostSecrets = `
  select lost.organisation_id as "organisationId", organisation.name as organisation, lost.kind, lost.id, lost.host
  from (
    select organisation_id, 'webhook endpoint' as kind, id, rows.host_of(url) as host
    from app.webhook_endpoints where unreadable_since is not null and deleted_at is null
    union all
    select organisation_id, 'audit stream', id, rows.host_of(url) from app.audit_streams where unreadable_since is not null
    union all
    select organisation_id, 'hook', id, null from app.hooks where unreadable_since is not null and deleted_at is null
  ) lost
  join app.organisations organisation on organisation.id = lost.organisation_id
  order by lost.organisation_id, lost.kind desc, lost.id`;
