--! Previous: sha1:d241201832fb919b44977758d63fc0d7215c8426
--! Hash: sha1:ab91a73d3373dc7039d6b12316c6e4a23878ea4e
--! Message: forgetting-in-parts

-- A bot, or somebody, of whom very much is held is forgotten in parts, each within the time that a statement has.
-- Writes to memory_history wait while its index is built.
alter table app.bots add column has_claims_left boolean not null default false;
comment on column app.bots.has_claims_left is 'It was deleted, and some of what it was told is still to be erased. Nobody reads that any more.';
create index bots_with_claims_left on app.bots (organisation_id, id) where has_claims_left;
create index memory_history_of_bot on app.memory_history (organisation_id, bot_id, id) where bot_id is not null;

alter table app.erasures add column complete boolean not null default true;
comment on column app.erasures.complete is 'Whether nothing was left: one erasure takes away so much, and who asked asks again.';
