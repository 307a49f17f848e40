/* Bots, conversations, runs with steps and approvals, routines and hooks. */
-- Leaves out the instructions of a bot, which are text of the organisation.
create view operator.bots as
select organisation_id, id, name, model, visibility, direct_conversation, owner_id, created_at, deleted_at,
  case when deleted_at is null then 'live' else 'deleted' end as state
from app.bots;
comment on view operator.bots is $$
@primaryKey id
@unique organisation_id,id|@behavior -*
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName bots
@foreignKey (owner_id) references operator.people (id)|@fieldName owner|@foreignFieldName ownedBots|@backwardBehavior -*
@filters state,model,visibility
@orders name,model,visibility,state
@contains name,model
A bot.$$;
grant select on operator.bots to operator;

-- Leaves out its messages.
create view operator.conversations as
select organisation_id, id, bot_id, person_id, next_run_id, next_model, created_at
from app.conversations;
comment on view operator.conversations is $$
@primaryKey id
@unique organisation_id,id|@behavior -*
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName conversations
@foreignKey (organisation_id, bot_id) references operator.bots (organisation_id, id)|@fieldName bot|@foreignFieldName conversations|@backwardBehavior -*
@foreignKey (person_id) references operator.people (id)|@fieldName person|@foreignFieldName conversations|@backwardBehavior -*
The conversation of one person with one bot; next_run_id is the run that an executor may lease.$$;
grant select on operator.conversations to operator;

-- Leaves out messages, and lease_id, which lets its holder write to the run.
create view operator.runs as
select organisation_id, id, bot_id, conversation_id, person_id, routine_id, parent_run_id, state, trigger, taint, steps,
  spend_micro_cents, budget_steps, budget_micro_cents, extract(epoch from budget_working)::double precision as budget_working_seconds,
  extract(epoch from working)::double precision as working_seconds, working_since, lease_until, error, executors_lost,
  start_at, postponed, paused_until, firing_at, created_at, finished_at
from app.runs;
comment on view operator.runs is $$
@primaryKey id
@unique organisation_id,id|@behavior -*
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName runs
@foreignKey (organisation_id, bot_id) references operator.bots (organisation_id, id)|@fieldName bot|@foreignFieldName runs
@foreignKey (organisation_id, conversation_id) references operator.conversations (organisation_id, id)|@fieldName conversation|@foreignFieldName runs|@backwardBehavior -*
@foreignKey (person_id) references operator.people (id)|@fieldName person|@foreignFieldName runs|@backwardBehavior -*
@foreignKey (organisation_id, parent_run_id) references operator.runs (organisation_id, id)|@fieldName parentRun|@foreignFieldName startedRuns|@backwardBehavior -*
@filters state,trigger,taint,bot_id,person_id
@orders state,trigger,steps,spend_micro_cents,finished_at
@contains error
A run of a bot.$$;
grant select on operator.runs to operator;

create view operator.steps as
select organisation_id, run_id, number, kind, input_tokens, output_tokens, spend_micro_cents, created_at
from app.steps;
comment on view operator.steps is $$
@primaryKey organisation_id,run_id,number
@foreignKey (organisation_id, run_id) references operator.runs (organisation_id, id)|@fieldName run|@foreignFieldName stepLog
A step of a run: kind, tokens and cost.$$;
grant select on operator.steps to operator;

-- Leaves out question, proposal and the digest of the link.
create view operator.approvals as
select organisation_id, id, run_id, bot_id, conversation_id, person_id, kind, rows.approval_state(state, expires_at) as state,
  token_digest is not null as mailed, created_at, expires_at, answered_at
from app.approvals;
comment on view operator.approvals is $$
@primaryKey id
@unique organisation_id,id|@behavior -*
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName approvals
@foreignKey (person_id) references operator.people (id)|@fieldName person|@foreignFieldName approvals|@backwardBehavior -*
@foreignKey (organisation_id, run_id) references operator.runs (organisation_id, id)|@fieldName run|@foreignFieldName approvals
@filters state,kind
@orders kind,state,mailed,expires_at,answered_at
An approval that a person answers.$$;
grant select on operator.approvals to operator;

-- Leaves out its message.
create view operator.routines as
select organisation_id, id, bot_id, name, schedule, time_zone, state, pause_reason,
  nullif(next_firing_at, '-infinity') as next_firing_at, last_fired_at,
  last_run_id, last_skipped_at, last_skip_reason, created_by, created_at, deleted_at,
  case when deleted_at is null then state::text else 'deleted' end as status
from app.routines;
comment on view operator.routines is $$
@primaryKey id
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName routines
@foreignKey (organisation_id, bot_id) references operator.bots (organisation_id, id)|@fieldName bot|@foreignFieldName routines|@backwardBehavior -*
@filters status,bot_id
@orders name,status,next_firing_at,last_fired_at,last_skip_reason
@contains name
A routine, which starts runs on a schedule.$$;
grant select on operator.routines to operator;

-- Leaves out the sealed signing secret and its digest.
create view operator.hooks as
select organisation_id, id, bot_id, name, state, pause_reason, last_received_at, last_run_id, created_by, created_at,
  deleted_at, case when deleted_at is null then state::text else 'deleted' end as status
from app.hooks;
comment on view operator.hooks is $$
@primaryKey id
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName hooks
@foreignKey (organisation_id, bot_id) references operator.bots (organisation_id, id)|@fieldName bot|@foreignFieldName hooks|@backwardBehavior -*
@filters status,bot_id
@orders name,status,last_received_at
@contains name
A hook, which starts runs when an external system posts to it.$$;
grant select on operator.hooks to operator;
