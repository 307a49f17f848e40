--! Previous: sha1:73c2865e56f2083f2eb8e0f94280072a79095618
--! Hash: sha1:d8ba97ab67df50dc0dcd1e6b21dabff1fec726d6
--! Message: optional-reasons

-- A command of the command line may give no reason.
alter table app.model_prices alter column reason drop not null;
comment on table app.model_prices is
  'Prices of models, each with its reason if one was given. The latest price counts. Rows are never changed or removed, so past spend can be explained.';

alter table app.accepted_findings alter column reason drop not null;

alter table app.audit_faults drop constraint audit_faults_check;
alter table app.audit_faults add check ((accepted_at is null) = (accepted_by is null) and (accepted_at is not null or accepted_reason is null));
