/** The API of a test file, and callers with their own organisations: unused rate limits and no rows. */
import { type CallOptions, type Json, type Reply, type TestApi, testApi } from "./api.ts";
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

/** Started before the file's tests and stopped after them. An executor counts as alive, so that runs can start. */
export function apiOfFile(settings: Record<string, string> = {}, limiter?: Parameters<typeof testApi>[2]): ApiOfFile {
  let db: TestDatabase;
  let api: TestApi;
  beforeAll(async () => {
    db = await testDatabase();
    api = await testApi(db, settings, limiter);
    await makeExecutor(db);
  });
  afterAll(async () => {
    await api?.stop();
    await db?.drop();
  });

  const withKey = (key: TestKey): Caller => ({
    key,
    get: (path, options) => api.call("GET", path, { key: key.text, ...options }),
    post: (path, body, options) => api.call("POST", path, { key: key.text, body, ...options }),
    patch: (path, body, options) => api.call("PATCH", path, { key: key.text, body, ...options }),
    delete: (path, options) => api.call("DELETE", path, { key: key.text, ...options }),
  });
  return {
    get db() {
      return db;
    },
    get api() {
      return api;
    },
    withKey,
    async owner(scope = "admin", more = {}) {
      const organisation = await makeOrganisation(db, more);
      return { organisation, ...withKey(await makeKey(db, organisation.id, organisation.ownerId, scope)) };
    },
    async another({ organisation }, scope = "admin", personId = organisation.ownerId) {
      return { organisation, ...withKey(await makeKey(db, organisation.id, personId, scope)) };
    },
    async platform() {
      return withKey(await makePlatformKey(db));
    },
  };
}
