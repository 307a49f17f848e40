--! Previous: sha1:7f986f6be92dc497133ffa8da8c1db74a259a4af
--! Hash: sha1:e16fdc94297e0cbc39bf1ed91ffb9c64364eba17
--! Message: more-slots

-- A worker records and claims in the time in which others are posted: with twice as many under way neither waits for the
-- other. (docs/performance.md, "What a delivery is made of".) It stays where an operator has chosen it.
alter table app.service_settings alter column delivery_slots set default 200;
update app.service_settings set delivery_slots = 200 where delivery_slots = 100;
