--! Previous: sha1:a461a516fe1fa978315d5e3a398cb31a4a659850
--! Hash: sha1:d5b134fad16bcb807e0981b4dd90f4c3ab2cfe46
--! Message: dumps

-- The form in which PostgreSQL prints this constraint again after a dump is restored.

alter table app.model_prices drop constraint model_prices_model_check;
alter table app.model_prices add constraint model_prices_model_check
  check (char_length(model) >= 1 and char_length(model) <= 100 and model <> 'recall');
