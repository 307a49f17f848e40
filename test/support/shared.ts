/** A database and its API that the test files of a process share. Organisations isolate the files. */
import { type TestApi, testApi } from "./api.ts";
import { makeExecutor, type TestDatabase, testDatabase } from "./database.ts";

export type Shared = { db: TestDatabase; api: TestApi };

let shared: Promise<Shared> | undefined;

/** Started by the first file that needs it. */
export function sharedApi(): Promise<Shared> {
  shared ??= openShared();
  return shared;
}

async function openShared(): Promise<Shared> {
  const db = await testDatabase();
  const api = await testApi(db);
  await makeExecutor(db);
  await db.sql(refuseDefinitions);
  exitAtEnd();
  return { db, api };
}

/** A file that defines objects would change the database under others. */
const refuseDefinitions = `
  create schema test;
  create function test.refuse() returns event_trigger language plpgsql as $$
  begin
    if session_user = 'postgres' then
      raise 'Other test files share this database: use ownApiOfFile or testDatabase.';
    end if;
  end
  $$;
  create event trigger refuse on ddl_command_start execute function test.refuse()`;

/** After the last file, in the process that started it. */
export async function closeShared(): Promise<void> {
  const opened = await shared;
  shared = undefined;
  await opened?.api.stop();
  await opened?.db.drop();
}

/** Jest stops listening to its main process after the last file, and then expects the process to end by itself. */
function exitAtEnd(): void {
  if (!process.send) return; // Jest runs the files in its main process, and global-teardown.ts closes.
  setInterval(() => process.listenerCount("message") === 0 && process.exit(), 50).unref();
}
