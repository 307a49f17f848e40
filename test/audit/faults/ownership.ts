/** Faults: ownership. */
import type { Faults } from "./fault.ts";

export const faultsOfOwnership: Faults = {
  owned_by_another: {
    "a table of tenant": {
      plant: "alter table app.mails owner to tenant",
      object: "table app.mails",
      cure: "alter table app.mails owner to owner",
    },
    "a function of a role with bypassrls": {
      plant: "alter function errors.refuse owner to postgres",
      object: "function errors.refuse(text,json,text)",
      cure: "alter function errors.refuse owner to owner",
    },
    "a schema": {
      plant: "alter schema rows owner to operator",
      object: "schema rows",
      cure: "alter schema rows owner to owner",
    },
    "a type": {
      plant: "alter type app.key_scope owner to postgres",
      object: "type app.key_scope",
      cure: "alter type app.key_scope owner to owner",
    },
    "a table of the job queue": {
      plant: "alter table graphile_worker._private_known_crontabs owner to worker",
      object: "table graphile_worker._private_known_crontabs",
      cure: "alter table graphile_worker._private_known_crontabs owner to owner",
    },
    "a function given to another role": {
      plant: "alter function caller.authenticate owner to owner",
      object: "function caller.authenticate(bytea,text,boolean,inet)",
      cure: "alter function caller.authenticate owner to authenticator",
    },
  },
  not_handed_over: {
    "a function without security definer": {
      plant: "alter function api.handle security invoker",
      object: "function api.handle(bytea,text,jsonb,json,uuid,bytea,bytea,bytea,boolean,inet)",
      cure: "alter function api.handle security definer",
    },
  },
};
