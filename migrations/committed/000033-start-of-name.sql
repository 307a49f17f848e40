--! Previous: sha1:1254ba8ecfde7fc28cdfbcdb6d12df8f58c5da89
--! Hash: sha1:73c2865e56f2083f2eb8e0f94280072a79095618
--! Message: start-of-name

-- The console finds a person by the start of the name or of its last word. Both indexes are independent of the locale.
create index people_by_start_of_name on app.people (lower(display_name) text_pattern_ops) where display_name is not null;
create index people_by_start_of_last_name on app.people (lower(regexp_replace(display_name, '^.*\s', '')) text_pattern_ops)
  where display_name is not null;
