/**
 * Suites that `npm run test:fault` runs and `npm test` leaves out. They start and kill processes, database servers and
 * browsers, or mostly wait, and take 20 seconds or more. Each entry is a path below test/, or the start of one. They run in this order: those with the
 * longest files first.
 */
export const faultSuites = [
  "fault/",
  "database/migrate",
  "database/differences",
  "console/web",
  "machines/",
  "hostile/",
  "runner/models",
  "cli/",
  "audit/findings",
  "audit/restored",
  "worker/neighbours",
  "worker/clock",
  "worker/killed-worker",
  "worker/mail",
  "client/packed",
  "console/query-plans",
  "contract/reasons",
  "contract/reference-page",
  "database/embedded",
  "database/queue",
  "database/unresponsive",
  "delivery/hostile-receivers",
  "examples/",
  "http/bot-deleted-in-parts",
  "http/database-unavailable",
  "metrics/alerts",
  "metrics/scrape",
  "pages/",
  "runner/bounds",
  "runner/killed-executor",
  "secrets/invitation-token",
  "tour/",
];
