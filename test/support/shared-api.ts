/** A database and its API that the test files of a process share. */
import { type TestApi, testApi } from "./api.ts";
import { makeExecutor, type TestDatabase, testDatabase } from "./database.ts";
import { shared } from "./shared.ts";

export type SharedApi = { db: TestDatabase; api: TestApi };

/** Organisations isolate the files. */
export const sharedApi = shared<SharedApi>(
  async () => {
    const db = await testDatabase();
    const api = await testApi(db);
    await makeExecutor(db);
    await refuseDefinitions(db);
    return { db, api };
  },
  async ({ db, api }) => {
    await api.stop();
    await db.drop();
  },
);

/** What a file gets of it: a file that ended it would end it for others. */
export const lent = ({ db, api }: SharedApi): SharedApi => ({
  db: { ...db, drop: refuseEnd },
  api: { ...api, stop: refuseEnd },
});

const refuseEnd = () => Promise.reject(new Error("Other test files share it."));

/** A file that defines objects would change the database under others. */
export const refuseDefinitions = (db: TestDatabase) =>
  db.sql(`
  create schema test;
  create function test.refuse() returns event_trigger language plpgsql as $$
  begin
    if session_user = 'postgres' then
      raise 'Other test files share this database: use ownApiOfFile or testDatabase.';
    end if;
  end
  $$;
  create event trigger refuse on ddl_command_start execute function test.refuse()`);
