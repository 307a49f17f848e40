/**
 * Ends sessions of executors' logins that could block the whole service (sql/jobs/sessions.sql). Not a step of maintenance,
 * because such a step may itself wait for the session.
 */
import type { Client } from "pg";
import { faultOf, type Log } from "../log.ts";

const checkIntervalMs = 2_000;
const end = { name: "end_overlong_sessions", text: "select jobs.end_overlong_sessions() as ended" };
const cache = { name: "cache_executors", text: "select jobs.cache_executors()" };

export type SessionGuard = {
  /** Checks in this session from now on. A session that has checked before needs no shared lock for it. */
  use(client: Client): void;
  stop(): Promise<void>;
};

export function startSessionGuard(log: Log): SessionGuard {
  let session: Client | undefined;
  let busy: Promise<void> | undefined;
  async function check(): Promise<void> {
    try {
      const ended = (await session?.query<{ ended: number }>(end))?.rows[0];
      if (ended?.ended) log.warn(ended, "ended sessions of executors with long transactions or many locks");
      await session?.query(cache);
    } catch (error) {
      log.warn({ error: faultOf(error) }, "check of executor sessions failed, will retry");
    }
  }
  const timer = setInterval(() => {
    busy ??= check().finally(() => {
      busy = undefined;
    });
  }, checkIntervalMs);
  return {
    use(client) {
      session = client;
    },
    async stop() {
      clearInterval(timer);
      await busy;
    },
  };
}
