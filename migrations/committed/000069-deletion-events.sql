--! Previous: sha1:d24a1dc51dcdf4cfbe646d42914a9b9eb5f74a0e
--! Hash: sha1:01fd6d4deadd56d01e5854016ecfe2907a570159
--! Message: deletion-events

-- What an organisation's endpoints receive when its deletion is scheduled or cancelled.
alter type app.event_kind add value 'organisation.deletion_scheduled';
alter type app.event_kind add value 'organisation.deletion_cancelled';
