/*
 * Views of organisations and people. All views of this folder are read-only, belong to owner and so read all
 * organisations; only operator may select from them. No view has digests, secrets, or text of people, bots or memories;
 * comments name what is left out. Lines with @ are smart tags of PostGraphile: keys and relations. Large tables are
 * reached through organisation, bot or endpoint, the order of their indexes. (docs/console.md)
 */
create view operator.organisations as
select id, name, kind, language, billing_state, trial_ends_at, seats_bought, suspended_at, deletion_at,
  case when suspended_at is null then 'active' else 'suspended' end as state, created_at
from app.organisations;
comment on view operator.organisations is $$
@primaryKey id
@behavior +query:resource:connection
@filters kind,billing_state,state
@orders name,kind,billing_state,state,trial_ends_at
@contains name
A tenant and its billing.$$;
grant select on operator.organisations to operator;

create view operator.people as
select id, email, display_name, created_at
from app.people;
comment on view operator.people is $$
@primaryKey id
A person, who may belong to several organisations.$$;
grant select on operator.people to operator;

create view operator.members as
select member.organisation_id, member.id, member.person_id, person.email, person.display_name, member.role,
  member.created_at
from app.memberships member
join app.people person on person.id = member.person_id;
comment on view operator.members is $$
@primaryKey id
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName members
@foreignKey (person_id) references operator.people (id)|@fieldName person|@foreignFieldName memberships
@filters role
@orders email,display_name,role
@contains email,display_name
A person in an organisation.$$;
grant select on operator.members to operator;

-- Leaves out the digest of the token.
create view operator.invitations as
select organisation_id, id, email, role, rows.invitation_state(accepted_at, revoked_at, expires_at) as state, invited_by,
  created_at, expires_at, accepted_at, accepted_by, revoked_at
from app.invitations;
comment on view operator.invitations is $$
@primaryKey id
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName invitations
@foreignKey (invited_by) references operator.people (id)|@fieldName inviter|@foreignFieldName sentInvitations|@backwardBehavior -*
@filters state,role
@orders email,role,state,expires_at
@contains email
An invitation; open, accepted, revoked or expired.$$;
grant select on operator.invitations to operator;

-- Leaves out the digest of the key.
create view operator.api_keys as
select key.organisation_id, key.id, key.name, key.prefix, key.scope, key.created_by, key.created_at, key.expires_at,
  key.rotated_at, use.last_used_at, key.revoked_at,
  case when key.revoked_at is not null then 'revoked' when key.expires_at <= now() then 'expired' else 'live' end as state
from app.api_keys key
left join app.api_key_uses use on use.organisation_id = key.organisation_id and use.key_id = key.id;
comment on view operator.api_keys is $$
@primaryKey id
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName keys
@foreignKey (created_by) references operator.people (id)|@fieldName creator|@foreignFieldName createdKeys|@backwardBehavior -*
@filters state,scope
@orders name,prefix,scope,state,last_used_at,expires_at
@contains name,prefix
A key of an organisation, by its first twelve characters.$$;
grant select on operator.api_keys to operator;

create view operator.platform_keys as
select id, name, prefix, created_at, expires_at, revoked_at
from app.platform_keys;
comment on view operator.platform_keys is $$
@primaryKey id
@behavior +query:resource:connection
A key of operators, by its first twelve characters.$$;
grant select on operator.platform_keys to operator, cli;

create view operator.tokens as
select id, name, scope, created_at, expires_at, last_used_at, revoked_at
from app.operator_tokens;
comment on view operator.tokens is $$
@primaryKey id
@behavior +query:resource:connection
A token that opens the console to an operator.$$;
grant select on operator.tokens to operator, cli;

create view operator.third_party_restrictions as
select organisation_id, kind
from app.third_party_restrictions;
comment on view operator.third_party_restrictions is $$
@primaryKey organisation_id,kind
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName restrictions
A kind that memories about third parties may not have.$$;
grant select on operator.third_party_restrictions to operator;

create view operator.third_party_restriction_changes as
select organisation_id, id, kind, change, reason, changed_at
from app.third_party_restriction_changes;
comment on view operator.third_party_restriction_changes is $$
@primaryKey id
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName restrictionChanges
@filters change,kind
@orders kind,change
@contains kind,reason
Why an operator restricted or allowed a kind.$$;
grant select on operator.third_party_restriction_changes to operator;

create view operator.erasures as
select organisation_id, id, subject_kind, memories, history, proposals, answers, complete, erased_by, key_id, operator, erased_at
from app.erasures;
comment on view operator.erasures is $$
@primaryKey id
@foreignKey (organisation_id) references operator.organisations (id)|@fieldName organisation|@foreignFieldName erasures
@filters subject_kind,complete
@orders subject_kind,memories,history,proposals,answers,complete
The receipt of an erasure: when, by whom, and how many rows. complete is false while rows remain.$$;
grant select on operator.erasures to operator;
