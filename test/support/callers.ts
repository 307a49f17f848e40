/** The API of a test file, and callers with their own organisations: unused rate limits and no rows. */
import { type CallOptions, isServedByOther, type Json, type Reply, type TestApi, testApi } from "./api.ts";
import {
  makeExecutor,
  makeKey,
  makeOrganisation,
  makePlatformKey,
  type Organisation,
  type TestDatabase,
  type TestKey,
  testDatabase,
} from "./database.ts";
import { ofFile } from "./of-file.ts";
import { lent, type SharedApi, sharedApi } from "./shared-api.ts";

type Scope = "read" | "write" | "admin";

export type Caller = {
  key: TestKey;
  get(path: string, options?: CallOptions): Promise<Reply<Json>>;
  post(path: string, body?: unknown, options?: CallOptions): Promise<Reply<Json>>;
  patch(path: string, body?: unknown, options?: CallOptions): Promise<Reply<Json>>;
  delete(path: string, options?: CallOptions): Promise<Reply<Json>>;
};

export type Member = Caller & { organisation: Organisation };

export type ApiOfFile = {
  readonly db: TestDatabase;
  readonly api: TestApi;
  /** A caller with this key. */
  withKey(key: TestKey): Caller;
  /** The owner of a new organisation, with a key of this scope. */
  owner(scope?: Scope, more?: Parameters<typeof makeOrganisation>[1]): Promise<Member>;
  /** Another key of a person in the organisation. Defaults to the owner. */
  another(member: Member, scope?: Scope, personId?: string): Promise<Member>;
  platform(): Promise<Caller>;
};

/**
 * Callers of the API that all files of a process share, with its database. A file sees rows of other files, so it asks only
 * about its own organisations, and changes nothing else. An executor counts as alive, so that runs can start.
 */
export function apiOfFile(): ApiOfFile {
  if (isServedByOther()) return ownApiOfFile();
  const open = async (here: SharedApi) => Object.assign(here, lent(await sharedApi()));
  return callersOf(ofFile(open, () => {}));
}

/** The same with a database and an API of the file's own, for a file that changes or counts what organisations share. */
export function ownApiOfFile(
  settings: Record<string, string> = {},
  limiter?: Parameters<typeof testApi>[2],
): ApiOfFile {
  const here = ofFile<SharedApi>(
    async (here) => {
      here.db = await testDatabase();
      here.api = await testApi(here.db, settings, limiter);
      await makeExecutor(here.db);
    },
    async ({ api, db }) => {
      await api?.stop();
      await db?.drop();
    },
  );
  return callersOf(here);
}

function callersOf(here: SharedApi): ApiOfFile {
  const withKey = (key: TestKey): Caller => ({
    key,
    get: (path, options) => here.api.call("GET", path, { key: key.text, ...options }),
    post: (path, body, options) => here.api.call("POST", path, { key: key.text, body, ...options }),
    patch: (path, body, options) => here.api.call("PATCH", path, { key: key.text, body, ...options }),
    delete: (path, options) => here.api.call("DELETE", path, { key: key.text, ...options }),
  });
  return {
    get db() {
      return here.db;
    },
    get api() {
      return here.api;
    },
    withKey,
    async owner(scope = "admin", more = {}) {
      const organisation = await makeOrganisation(here.db, more);
      return { organisation, ...withKey(await makeKey(here.db, organisation.id, organisation.ownerId, scope)) };
    },
    async another({ organisation }, scope = "admin", personId = organisation.ownerId) {
      return { organisation, ...withKey(await makeKey(here.db, organisation.id, personId, scope)) };
    },
    async platform() {
      return withKey(await makePlatformKey(here.db));
    },
  };
}
