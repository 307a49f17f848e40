--! Previous: sha1:da18bab63a9f9f0eacb68faa55dd15ccb07ffa44
--! Hash: sha1:7f986f6be92dc497133ffa8da8c1db74a259a4af
--! Message: acts-in-order

-- The list of all operators' acts, newest first, whichever organisation each is about.
create index operator_acts_in_order on app.operator_acts (id);
