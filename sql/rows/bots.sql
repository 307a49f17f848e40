/*
 * Bot, unless deleted. (docs/specification/bots.md)
 */
create view rows.bots with (security_invoker = true) as
select
  bot.id,
  bot.name,
  bot.instructions,
  bot.model,
  bot.visibility,
  bot.direct_conversation as "directConversation",
  bot.owner_id as "ownerId",
  rows.time(bot.created_at) as "createdAt"
from app.bots bot
where bot.deleted_at is null;
grant select on rows.bots to tenant;

-- For the names of deleted bots, to which runs refer.
create view rows.deleted_bots with (security_invoker = true) as
select
  bot.id,
  bot.name,
  bot.instructions,
  bot.model,
  bot.visibility,
  bot.direct_conversation as "directConversation",
  bot.owner_id as "ownerId",
  rows.time(bot.created_at) as "createdAt"
from app.bots bot
where bot.deleted_at is not null;
grant select on rows.deleted_bots to tenant;
