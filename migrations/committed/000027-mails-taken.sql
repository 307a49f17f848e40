--! Previous: sha1:ab91a73d3373dc7039d6b12316c6e4a23878ea4e
--! Hash: sha1:1c7f2d7dff26a3ff67323b9347f89f15722a1357
--! Message: mails-taken

-- A mail that a worker has taken may have left: withdrawn, it counts all the same.
alter table app.mails add column taken_at timestamptz(3);
comment on column app.mails.taken_at is 'When a worker took it last to send it; null as long as none has.';
comment on column app.mails.sent_at is 'When it was sent, or was withdrawn after a worker had taken it; null while it waits.';
