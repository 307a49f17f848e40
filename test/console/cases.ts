/** Variables of each saved query for an organisation of the seed, and texts that its response must contain. */
import type { TestDatabase } from "../support/database.ts";

/** Adds what the seed lacks: a failed run and a degraded endpoint. */
export async function addFailures(db: TestDatabase, ids: Record<string, string>): Promise<void> {
  await db.sql("update app.runs set state = 'failed', error = 'internal', finished_at = now() where id = $1", [
    ids.personal_run,
  ]);
  await db.sql("update app.webhook_endpoints set degraded_since = now(), consecutive_failures = 3 where id = $1", [
    ids.endpoint,
  ]);
}

const hour = 3_600_000;
export const lastHour = () => ({
  since: new Date(Date.now() - hour).toISOString(),
  until: new Date(Date.now() + 60_000).toISOString(),
  minutes: 1,
});

export const cases: Record<
  string,
  (ids: Record<string, string>) => { variables?: object; expected: (string | undefined)[] }
> = {
  issues: ({ endpoint }) => ({
    expected: [endpoint, "failing_endpoint", "warning", "receiver.example", "Organisation "],
  }),
  "delivery-series": ({ organisation }) => ({ variables: { ...lastHour(), organisation }, expected: ['"p99Ms":'] }),
  "run-series": ({ organisation }) => ({ variables: { ...lastHour(), organisation }, expected: ['"p95Seconds":'] }),
  "request-series": () => ({ variables: lastHour(), expected: ['"limited":'] }),
  search: ({ delivery, organisation }) => ({
    variables: { query: delivery },
    expected: [delivery, organisation, "run.finished"],
  }),
  organisations: ({ organisation }) => ({ expected: [organisation] }),
  organisation: ({ organisation, endpoint, personal_run, run, test_delivery }) => ({
    variables: { id: organisation },
    expected: [organisation, endpoint, personal_run, run, test_delivery, "liveKeys", "health", "2026-01-01"],
  }),
  "organisation-members": ({ owner, colleague }) => ({ expected: [owner, colleague] }),
  "organisation-keys": ({ admin_key, owner }) => ({ expected: [admin_key, owner, "bsk_"] }),
  "organisation-bots": ({ bot }) => ({ expected: [bot] }),
  "organisation-invitations": ({ invitation }) => ({ expected: [invitation, "guest@example.test", "open"] }),
  "organisation-endpoints": ({ endpoint }) => ({ expected: [endpoint, "receiver.example", "approval.needed"] }),
  "organisation-deliveries": ({ delivery, test_delivery, endpoint }) => ({
    expected: [delivery, test_delivery, endpoint],
  }),
  "organisation-runs": ({ run, personal_run, bot }) => ({ expected: [run, personal_run, bot] }),
  "organisation-approvals": ({ approval, run }) => ({ expected: [approval, run] }),
  "organisation-routines": ({ routine, bot }) => ({ expected: [routine, bot, "0 9 * * *"] }),
  "organisation-hooks": ({ hook, bot }) => ({ expected: [hook, bot] }),
  "organisation-mails": ({ mail }) => ({ expected: [mail, "guest@example.test"] }),
  mails: ({ mail, organisation }) => ({ variables: { first: 200 }, expected: [mail, organisation] }),
  "organisation-events": ({ event, test_event }) => ({ expected: [event, test_event] }),
  "operator-actions": ({ operator_action, organisation }) => ({ expected: [operator_action, organisation] }),
  "organisation-operator-actions": ({ operator_action }) => ({ expected: [operator_action] }),
  "organisation-erasures": ({ erasure }) => ({ expected: [erasure] }),
  "organisation-audit-log": ({ organisation }) => ({ expected: [organisation, '"action":"created"'] }),
  request: () => ({ variables: { id: "01900000-0000-7000-8000-000000000000" }, expected: ['"nodes":[]'] }),
  "organisation-restriction-changes": ({ restriction_change }) => ({ expected: [restriction_change] }),
  endpoint: ({ endpoint, organisation }) => ({
    variables: { id: endpoint },
    expected: [endpoint, organisation, '"status":"failing"'],
  }),
  "endpoint-deliveries": ({ endpoint, delivery, test_delivery }) => ({
    variables: { endpoint },
    expected: [delivery, test_delivery],
  }),
  delivery: ({ test_delivery, endpoint, test_event }) => ({
    variables: { id: test_delivery },
    expected: [test_delivery, endpoint, test_event, '"failure":"timeout"', '"durationMs":1'],
  }),
  run: ({ run, bot, owner, conversation, approval }) => ({
    variables: { id: run },
    expected: [run, bot, owner, conversation, approval, '"kind":"answer"'],
  }),
  queues: () => ({ expected: ['"model":"recall"', '"waiting":"'] }),
  "delivery-queues": ({ endpoint, organisation }) => ({ expected: [endpoint, organisation] }),
  executors: () => ({ expected: ['"name":"matrix"', '"silent":false'] }),
  workers: () => ({ expected: [] }),
  jobs: () => ({ expected: ["send_mail"] }),
  "waiting-mails": ({ mail, organisation }) => ({ variables: { first: 200 }, expected: [mail, organisation] }),
  service: () => ({ expected: ["databaseVersion", "lastMaintenanceAt"] }),
  person: ({ owner, organisation }) => ({
    variables: { id: owner },
    expected: [owner, organisation, '"role":"owner"'],
  }),
  bot: ({ bot, run, owner }) => ({ variables: { id: bot, first: 100 }, expected: [bot, run, owner] }),
  "api-key": ({ admin_key, owner }) => ({ variables: { id: admin_key }, expected: [admin_key, owner] }),
  invitation: ({ invitation, owner }) => ({ variables: { id: invitation }, expected: [invitation, owner] }),
  approval: ({ approval, run, owner }) => ({ variables: { id: approval }, expected: [approval, run, owner] }),
  routine: ({ routine, bot }) => ({ variables: { id: routine }, expected: [routine, bot] }),
  hook: ({ hook, bot }) => ({ variables: { id: hook }, expected: [hook, bot] }),
  mail: ({ mail }) => ({ variables: { id: mail }, expected: [mail, "guest@example.test"] }),
  conversation: ({ conversation, bot, owner }) => ({
    variables: { id: conversation },
    expected: [conversation, bot, owner],
  }),
  tokens: () => ({ expected: ['"name":"matrix"', '"scope":"'] }),
};
