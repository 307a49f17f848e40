/* Deletions of organisations and their receipts. (docs/leaving.md) */
create view operator.organisation_deletions as
select organisation_id,
  case when ended_at is not null then 'ended' when places_left <> '{}' then 'left' else 'deleting' end as state,
  action_id, scheduled_at, due_at, begun_at, ended_at, deleted, searched, places_left, mentioned_by_others,
  encode(hash, 'hex') as receipt_hash,
  receipt
from app.organisation_deletions;
comment on view operator.organisation_deletions is $$
@primaryKey organisation_id
@behavior +query:resource:connection
A deletion that has begun. When it has ended, the receipt: which rows were deleted, which tables were searched, and that nothing is left.$$;
grant select on operator.organisation_deletions to operator;
comment on column operator.organisation_deletions.receipt_hash is 'SHA-256 of the receipt as text, also in the last entry of the organisation''s audit log.';
