/**
 * Ends long transactions of executors' logins, which could block the whole service (sql/jobs/sessions.sql). Not a step of
 * maintenance, because such a step may itself wait for the session.
 */
import type { Pool } from "pg";
import { faultOf, type Log } from "../log.ts";

const checkIntervalMs = 2_000;

export type SessionGuard = { stop(): Promise<void> };

export function startSessionGuard(pool: Pool, log: Log): SessionGuard {
  let busy: Promise<void> | undefined;
  async function check(): Promise<void> {
    try {
      const { rows } = await pool.query<{ ended: number }>("select jobs.end_overlong_sessions() as ended");
      if (rows[0]?.ended) log.warn(rows[0], "ended sessions of executors with long transactions or many locks");
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
    async stop() {
      clearInterval(timer);
      await busy;
    },
  };
}
