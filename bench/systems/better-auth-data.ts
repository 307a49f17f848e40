/** Better Auth with the production settings of its documentation and the organisations, people and keys of the benchmark. */
import { randomBytes } from "node:crypto";
import { apiKey } from "@better-auth/api-key";
import { betterAuth } from "better-auth";
import { hashPassword } from "better-auth/crypto";
import { getMigrations } from "better-auth/db/migration";
import { organization } from "better-auth/plugins";
import type { Pool } from "pg";
import type { Caller } from "./system.ts";

const day = 24 * 60 * 60;
const password = randomBytes(16).toString("hex");

/**
 * Rate limits are off for the benchmark. Database joins and the cookie cache, which avoids the look-up of a session, are on,
 * as its performance guide advises. `nextKey` supplies the text of a key, so that all systems use the same keys.
 */
const optionsOf = (pool: Pool, nextKey: () => string) => ({
  baseURL: "http://127.0.0.1",
  secret: randomBytes(32).toString("hex"),
  database: pool,
  rateLimit: { enabled: false },
  emailAndPassword: { enabled: true },
  session: { cookieCache: { enabled: true, maxAge: day } },
  advanced: { database: { joins: true } },
  plugins: [
    organization(),
    apiKey({
      enableMetadata: true,
      enableSessionForAPIKeys: true,
      rateLimit: { enabled: false },
      customKeyGenerator: nextKey,
      defaultKeyLength: 32, // shorter keys are rejected without a look-up; ours have 53 characters
    }),
  ],
});

const copies = `
  insert into better_auth."user" (id, name, email, "emailVerified")
  select id, display_name, email, true from app.people;
  insert into better_auth.organization (id, name, slug, "createdAt")
  select id, name, id, created_at from app.organisations;
  insert into better_auth.member (id, "organizationId", "userId", role, "createdAt")
  select id, organisation_id, person_id, role, created_at from app.memberships;
  analyze better_auth."user", better_auth.organization, better_auth.member`;

/** @param pool with search path better_auth @returns the instance, and the cookies of one owner of each organisation */
export async function openBetterAuth(pool: Pool, callers: Caller[]) {
  let creating = "";
  const options = optionsOf(pool, () => creating);
  await pool.query("drop schema if exists better_auth cascade; create schema better_auth");
  await (await getMigrations(options)).runMigrations();
  await pool.query(copies);

  const auth = betterAuth(options);
  const cookies = new Map<string, string>();
  const hash = await hashPassword(password);
  for (const { organisationId, personId, bearer } of callers) {
    creating = bearer;
    await auth.api.createApiKey({ body: { userId: personId, name: "bench", metadata: { organisationId } } });
    if (!cookies.has(organisationId)) cookies.set(organisationId, await signIn(personId));
  }
  return { auth, cookies };

  async function signIn(userId: string): Promise<string> {
    const { rows } = await pool.query<{ email: string }>(
      `with new_account as (
         insert into account (id, "accountId", "providerId", "userId", password, "updatedAt")
         values ($1, $1, 'credential', $1, $2, now()) returning "userId"
       )
       select email from "user" join new_account on id = "userId"`,
      [userId, hash],
    );
    const body = { email: rows[0]?.email ?? "", password };
    const { headers } = await auth.api.signInEmail({ body, returnHeaders: true });
    return headers
      .getSetCookie()
      .map((cookie) => cookie.split(";")[0])
      .join("; ");
  }
}
