/* Findings that a named person has accepted (`botstead audit accept`). Each covers the exact state that was found. */
create view audit.accepted as
select accepted.finding, accepted.rule, accepted.object, accepted.what, accepted.accepted_by, accepted.accepted_at, accepted.reason
from app.accepted_findings accepted
where accepted.revoked_at is null;
comment on view audit.accepted is 'Findings that a named person has accepted, with the reason if one was given.';
grant select on audit.accepted to auditor;

create function audit.finding_id(rule text, object text, evidence text) returns text
language sql immutable
set search_path = ''
as $$ select left(encode(sha256(convert_to(concat_ws(E'\n', rule, object, evidence), 'UTF8')), 'hex'), 16) $$;
comment on function audit.finding_id is 'Names a finding: the same object in another state is another finding.';
grant execute on function audit.finding_id to auditor;
