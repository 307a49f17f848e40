--! Previous: sha1:576ff2849decd900969bb46c436df2626ffe6702
--! Hash: sha1:04de9f776d343165f79a3dbebf1da8cbcc40bfdb
--! Message: positions-of-events

-- Positions in the event feed are numbered for each organisation, under the chain head of its audit log. Events until now keep the
-- number of their transaction as position, so cursors stay valid. This rewrites app.events.

alter table app.events
  alter column transaction_id drop default,
  alter column transaction_id drop not null,
  alter column transaction_id type bigint using transaction_id::text::bigint;
alter table app.events rename column transaction_id to position;
comment on column app.events.position is
  'Order of commits within the organisation. Set as the transaction commits, under the chain head, so a reader that pages by (position, id) skips nothing. Null until then.';

alter table app.audit_chain_heads add column event_position bigint not null default 0;
comment on column app.audit_chain_heads.event_position is 'The position of the organisation''s last event.';

-- Above every event and every cursor until now.
update app.audit_chain_heads head
set event_position = greatest(
  pg_snapshot_xmax(pg_current_snapshot())::text::bigint + organisation.event_offset,
  (select max(event.position) from app.events event where event.organisation_id = head.organisation_id)
)
from app.organisations organisation
where organisation.id = head.organisation_id;

alter table app.organisations drop column event_offset;
alter table app.organisation_moves drop column event_position;

-- A pending row without an action gives the event its position.
alter table app.audit_pending_entries
  alter column action drop not null,
  add check (action is not null or resource = 'event' and resource_id is not null);
