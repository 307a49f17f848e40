--! Previous: sha1:1bdd412528bbfefdde52d0d0431a883350e332bb
--! Hash: sha1:52c9fa36fff45ddea912c495a2f51b19ad0edb88
--! Message: start-of-address

-- The console finds a person by the start of an address. The operator class makes it independent of the locale.
create index people_by_start_of_address on app.people (lower(email) text_pattern_ops);
