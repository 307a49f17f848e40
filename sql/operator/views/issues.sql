/*
 * Current issues of all categories (issue_categories.sql): twenty of each, so that many old issues of one category cannot
 * hide a new one of another. (docs/console.md#issues-search-and-data)
 */
create view operator.issues as
select row_number() over (order by issue.severity, issue.since desc nulls last, issue.category, issue.subject_id, issue.subject) as position,
  concat_ws(' ', issue.category, issue.subject_id, issue.subject) as id, issue.category, issue.severity, issue.since,
  issue.organisation_id, issue.page, issue.subject_id, issue.subject, issue.description, issue.suggested_action, issue.total,
  organisation.name as organisation_name
from (
  select candidate.*, count(*) over (partition by candidate.category, candidate.severity)::integer as total,
    row_number() over (
      partition by candidate.category
      order by candidate.severity, candidate.since desc nulls last, candidate.subject_id, candidate.subject
    ) as position_in_category
  from (
    select * from operator.service_issues
    union all select * from operator.stuck_run_queues
    union all select * from operator.late_deliveries
    union all select * from operator.silent_executors
    union all select * from operator.lost_secrets
    union all select * from operator.failing_endpoints
    union all select * from operator.failing_streams
    union all select * from operator.organisations_at_limit
    union all select * from operator.failing_jobs
    union all select * from operator.failing_mails
    union all select * from operator.expired_approvals
    union all select * from operator.unfinished_deletions
  ) candidate
) issue
left join app.organisations organisation on organisation.id = issue.organisation_id
where issue.position_in_category <= 20;
comment on view operator.issues is $$
@primaryKey position
@behavior +query:resource:connection -query:resource:single
A current problem: since when, the suggested action, and the page that shows it. Limited to twenty per category.$$;
grant select on operator.issues to operator;
comment on column operator.issues.total is 'Number of issues of this category and severity; 100 means 100 or more.';

do $$
declare
  part text;
begin
  foreach part in array array['service_issues', 'stuck_run_queues', 'late_deliveries', 'silent_executors',
    'lost_secrets', 'failing_endpoints', 'failing_streams', 'organisations_at_limit', 'failing_jobs', 'failing_mails', 'expired_approvals',
    'unfinished_deletions'] loop
    execute format('comment on view operator.%I is %L', part, E'@behavior -*\nA category of operator.issues.');
  end loop;
end
$$;
