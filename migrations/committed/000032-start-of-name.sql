--! Previous: sha1:52c9fa36fff45ddea912c495a2f51b19ad0edb88
--! Hash: sha1:a0ad5ff90bd7d6358dcb571df8bde81ae33eccb4
--! Message: start-of-name

-- The console finds a person by the start of the name or of its last word. Both indexes are independent of the locale.
create index people_by_start_of_name on app.people (lower(display_name) text_pattern_ops) where display_name is not null;
create index people_by_start_of_last_name on app.people (lower(regexp_replace(display_name, '^.*\s', '')) text_pattern_ops)
  where display_name is not null;
