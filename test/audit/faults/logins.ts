/** Faults: objects owned by logins, and objects that use them. */
import { executor, type Faults } from "./fault.ts";

const definer = (name: string, uses: string) =>
  `create function ${name}() returns int language plpgsql security definer set search_path = '' as
     'begin perform ${uses}; return 1; end'`;
const inSchemaOf = (login: string) => `create schema careless;
  create function careless.helper() returns int language sql as 'select 1';
  alter schema careless owner to ${login};`;
const object = "function public.careless()";

export const faultsOfLogins: Faults = {
  owned_by_login: {
    "a schema of server": { plant: "create schema careless authorization server", object: "schema careless" },
    "a schema of an executor": {
      plant: `${executor}; create schema careless authorization executor_careless`,
      object: "schema careless",
    },
    "a schema of a foreign login": {
      plant: "create role outsider login; create schema careless authorization outsider",
      object: "schema careless",
    },
    "the schema of the job queue": {
      plant: "alter schema graphile_worker owner to worker",
      object: "schema graphile_worker",
    },
    "a function of the job queue": {
      plant: "alter function graphile_worker.force_unlock_workers owner to worker",
      object: "function graphile_worker.force_unlock_workers(text[])",
    },
    "the view of the job queue": {
      plant: "alter view graphile_worker.jobs owner to worker",
      object: "view graphile_worker.jobs",
    },
    "a table": { plant: "alter table app.mails owner to operator", object: "table app.mails" },
    "a sequence": {
      plant: "create sequence public.careless; alter sequence public.careless owner to server",
      object: "sequence public.careless",
    },
    "a type": {
      plant: "create type public.careless as enum (); alter type public.careless owner to runner",
      object: "type public.careless",
    },
  },
  uses_replaceable: {
    "a definer function that indirectly calls a function of worker": {
      plant: `${inSchemaOf("owner")} alter function careless.helper owner to worker;
        create function public.between() returns int language sql as 'select careless.helper()';
        ${definer("public.careless", "public.between()")}`,
      object,
      cure: "alter function careless.helper owner to owner",
    },
    "a definer function that calls into a schema of worker": {
      plant: `${inSchemaOf("worker")} ${definer("public.careless", "careless.helper()")}`,
      object,
      cure: "alter schema careless owner to owner",
    },
    "a definer function that calls into a schema where PUBLIC may create": {
      plant: `${inSchemaOf("owner")} grant create on schema careless to public;
        ${definer("public.careless", '"careless"."helper"()')}`,
      object,
      cure: "revoke create on schema careless from public",
    },
    "a definer function that calls a function of a role that a login may become": {
      plant: `create role idle; create role outsider login; grant idle to outsider; ${inSchemaOf("idle")}
        ${definer("public.careless", "careless.helper()")}`,
      object,
      cure: "revoke idle from outsider",
    },
    "a view of the console that reads a view of worker": {
      plant: `${inSchemaOf("owner")} create view careless.seen as select 1; alter view careless.seen owner to worker;
        create view operator.careless as select * from careless.seen`,
      object: "view operator.careless",
      cure: "alter view careless.seen owner to owner",
    },
    "a view that calls a function of worker": {
      plant: `${inSchemaOf("worker")} create view operator.careless as select careless.helper()`,
      object: "view operator.careless",
      cure: "alter schema careless owner to owner",
    },
    "a definer function that writes a table of worker": {
      plant: `${inSchemaOf("owner")} create table careless.kept (); alter table careless.kept owner to worker;
        ${definer("public.careless", "count(*) from careless.kept")}`,
      object,
      cure: "alter table careless.kept owner to owner",
    },
  },
};
