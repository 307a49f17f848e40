/** What each saved query is asked with, of an organisation that the matrix has seeded, and what its answer has to hold. */
import type { TestDatabase } from "../support/database.ts";

/** What is not among the rows of the matrix: something that went wrong. */
export async function goWrong(db: TestDatabase, ids: Record<string, string>): Promise<void> {
  await db.sql("update app.runs set state = 'failed', error = 'internal', finished_at = now() where id = $1", [
    ids.personal_run,
  ]);
  await db.sql("update app.webhook_endpoints set troubled_since = now(), consecutive_failures = 3 where id = $1", [
    ids.endpoint,
  ]);
}

const hour = 3_600_000;
export const lastHour = () => ({
  since: new Date(Date.now() - hour).toISOString(),
  until: new Date(Date.now() + 60_000).toISOString(),
  minutes: 1,
});

export const cases: Record<string, (ids: Record<string, string>) => { asked?: object; holds: (string | undefined)[] }> =
  {
    troubles: ({ endpoint }) => ({
      holds: [endpoint, "failing_endpoint", "warning", "receiver.example", "Organisation "],
    }),
    "delivery-series": ({ organisation }) => ({ asked: { ...lastHour(), organisation }, holds: ['"p99Ms":'] }),
    "run-series": ({ organisation }) => ({ asked: { ...lastHour(), organisation }, holds: ['"p95Seconds":'] }),
    "request-series": () => ({ asked: lastHour(), holds: ['"limited":'] }),
    search: ({ delivery, organisation }) => ({
      asked: { query: delivery },
      holds: [delivery, organisation, "run.finished"],
    }),
    organisations: ({ organisation }) => ({ holds: [organisation] }),
    organisation: ({ organisation, endpoint, personal_run, run, test_delivery }) => ({
      asked: { id: organisation },
      holds: [organisation, endpoint, personal_run, run, test_delivery, "liveKeys", "health", "2026-01-01"],
    }),
    "organisation-members": ({ owner, colleague }) => ({ holds: [owner, colleague] }),
    "organisation-keys": ({ admin_key, owner }) => ({ holds: [admin_key, owner, "bsk_"] }),
    "organisation-bots": ({ bot }) => ({ holds: [bot] }),
    "organisation-invitations": ({ invitation }) => ({ holds: [invitation, "guest@example.test", "open"] }),
    "organisation-endpoints": ({ endpoint }) => ({ holds: [endpoint, "receiver.example", "approval.needed"] }),
    "organisation-deliveries": ({ delivery, test_delivery, endpoint }) => ({
      holds: [delivery, test_delivery, endpoint],
    }),
    "organisation-failed-deliveries": ({ test_delivery, endpoint }) => ({ holds: [test_delivery, endpoint] }),
    "organisation-runs": ({ run, personal_run, bot }) => ({ holds: [run, personal_run, bot] }),
    "organisation-open-runs": ({ run, bot }) => ({ holds: [run, bot] }),
    "organisation-halted-runs": ({ personal_run, personal_bot }) => ({ holds: [personal_run, personal_bot] }),
    "organisation-approvals": ({ approval, run }) => ({ holds: [approval, run] }),
    "organisation-routines": ({ routine, bot }) => ({ holds: [routine, bot, "0 9 * * *"] }),
    "organisation-hooks": ({ hook, bot }) => ({ holds: [hook, bot] }),
    "organisation-mails": ({ mail }) => ({ holds: [mail, "guest@example.test"] }),
    acts: ({ act, organisation }) => ({ holds: [act, organisation] }),
    "organisation-acts": ({ act }) => ({ holds: [act] }),
    "organisation-erasures": ({ erasure }) => ({ holds: [erasure] }),
    "organisation-trail": ({ organisation }) => ({ holds: [organisation, '"action":"created"'] }),
    "endpoint-trail": ({ endpoint }) => ({ asked: { endpoint }, holds: [endpoint, '"action":'] }),
    request: () => ({ asked: { id: "01900000-0000-7000-8000-000000000000" }, holds: ['"nodes":[]'] }),
    "organisation-restriction-changes": ({ restriction_change }) => ({ holds: [restriction_change] }),
    endpoint: ({ endpoint, organisation, delivery, test_delivery }) => ({
      asked: { id: endpoint },
      holds: [endpoint, organisation, delivery, test_delivery],
    }),
    "endpoint-deliveries": ({ endpoint, delivery, test_delivery }) => ({
      asked: { endpoint },
      holds: [delivery, test_delivery],
    }),
    delivery: ({ test_delivery, endpoint, test_event }) => ({
      asked: { id: test_delivery },
      holds: [test_delivery, endpoint, test_event, '"failure":"timeout"', '"durationMs":1'],
    }),
    run: ({ run, bot, owner, conversation, approval }) => ({
      asked: { id: run },
      holds: [run, bot, owner, conversation, approval, '"kind":"answer"'],
    }),
    queues: () => ({ holds: ['"model":"recall"', '"waiting":"'] }),
    "waiting-runs": ({ run, bot }) => ({ asked: { model: "recall", first: 200 }, holds: [run, bot] }),
    "delivery-queues": ({ endpoint, organisation }) => ({ holds: [endpoint, organisation] }),
    executors: () => ({ holds: ['"name":"matrix"', '"silent":false'] }),
    workers: () => ({ holds: [] }),
    jobs: () => ({ holds: ["send_mail"] }),
    "waiting-mails": ({ mail, organisation }) => ({ asked: { first: 200 }, holds: [mail, organisation] }),
    service: () => ({ holds: ["databaseVersion", "sweptAt"] }),
    person: ({ owner, organisation }) => ({ asked: { id: owner }, holds: [owner, organisation, '"role":"owner"'] }),
    bot: ({ bot, run, owner }) => ({ asked: { id: bot, first: 100 }, holds: [bot, run, owner] }),
    "api-key": ({ admin_key, owner }) => ({ asked: { id: admin_key }, holds: [admin_key, owner] }),
    invitation: ({ invitation, owner }) => ({ asked: { id: invitation }, holds: [invitation, owner] }),
    approval: ({ approval, run, owner }) => ({ asked: { id: approval }, holds: [approval, run, owner] }),
    routine: ({ routine, bot }) => ({ asked: { id: routine }, holds: [routine, bot] }),
    hook: ({ hook, bot }) => ({ asked: { id: hook }, holds: [hook, bot] }),
    mail: ({ mail }) => ({ asked: { id: mail }, holds: [mail, "guest@example.test"] }),
    conversation: ({ conversation, bot, owner }) => ({
      asked: { id: conversation },
      holds: [conversation, bot, owner],
    }),
    "model-prices": () => ({ holds: ['"model":"matrix"', '"current":true'] }),
    "platform-keys": ({ platform_key }) => ({ holds: [platform_key] }),
    tokens: () => ({ holds: ['"name":"matrix"', '"scope":"'] }),
  };
