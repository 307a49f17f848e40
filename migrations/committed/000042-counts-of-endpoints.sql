--! Previous: sha1:e142c603666b977fd140939fd46cc5978967247b
--! Hash: sha1:c6f329b5a14f8c6a6dfc460571a3490dabe9eec4
--! Message: counts-of-endpoints

-- Counts for the statistics of an endpoint. sql/triggers/endpoint_counts.sql counts the rows that exist, and keeps the counts.

create table app.endpoint_counts (
  organisation_id uuid,
  endpoint_id uuid,
  hour timestamptz(3),
  counted text,
  duration_ms integer,
  week_id uuid,
  total bigint not null,
  primary key (organisation_id, endpoint_id, hour, counted, duration_ms, week_id),
  foreign key (organisation_id) references app.organisations (id)
) partition by range (week_id);
comment on table app.endpoint_counts is
  'Deliveries that have ended, and attempts, by the hour. Partitioned and dropped with the deliveries that they count.';
comment on column app.endpoint_counts.hour is 'The start of the hour, in which the delivery was created or the attempt began.';
comment on column app.endpoint_counts.counted is
  'Deliveries: delivered, failed. Attempts: succeeded, status, or the word of the failure.';
comment on column app.endpoint_counts.duration_ms is 'Of these attempts; 0 for deliveries.';
comment on column app.endpoint_counts.week_id is 'The least id of the week of the delivery.';

-- Only the statistics read it.
drop index app.delivery_attempts_of_endpoint;
