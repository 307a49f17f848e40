--! Previous: sha1:f323e0201bacb2152d872ad53fbd47c89e046f93
--! Hash: sha1:d976b6480622afd8d939eea57ea58ec7ff88b8b9
--! Message: mails-taken

-- A mail that a worker has taken may have left: withdrawn, it counts all the same.
alter table app.mails add column taken_at timestamptz(3);
comment on column app.mails.taken_at is 'When a worker took it last to send it; null as long as none has.';
comment on column app.mails.sent_at is 'When it was sent, or was withdrawn after a worker had taken it; null while it waits.';
