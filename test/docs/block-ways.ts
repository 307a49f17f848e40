/** How each code block of the documentation is tested, by its page and the begin of its first line. */

export type Way =
  /** Runs in the folder of a running `npm start` (blocks-start.test.ts). */
  | { at: "start"; replace?: Record<string, string>; orEndsWith?: number }
  /** Runs with the settings of a PostgreSQL of one's own (blocks-server.test.ts), until this path answers. */
  | { at: "server"; until?: "api" | "worker"; replace?: Record<string, string> }
  /** These test files run it. */
  | { by: string[] }
  /** Nothing runs it, for this reason. */
  | { not: string };

const ofPage = (way: Way): Record<string, Way> => ({ "": way });
const start: Way = { at: "start" };
const listens: Way = { by: ["test/docs/blocks-start.test.ts"] };
const runbook: Way = { by: ["test/docs/runbooks.test.ts"] };
/** grep ends with 1 if the log has no such line. */
const inLog: Way = { at: "start", orEndsWith: 1 };
const machines: Way = { by: ["test/machines/contract.test.ts"] };
const repository: Way = {
  not: "It develops the repository itself. CI runs these commands. Some take hours. blocks.test.ts looks up their names.",
};
const diagram: Way = { not: "It is a diagram." };

/** By page; within it by the begin of the first line, or all blocks of the page. */
export const ways: Record<string, Record<string, Way>> = {
  "CONTRIBUTING.md": ofPage(repository),
  "README.md": {
    "npm ci && npm start": { by: ["test/cli/start.test.ts"] },
    "curl -s": { by: ["test/docs/first-calls.test.ts"] },
    "This is what I was told": { by: ["test/cli/start.test.ts"] },
    "create policy": { by: ["test/docs/pages.test.ts"] },
  },
  "clients/python/README.md": ofPage({ by: ["test/client/wheel.test.ts"] }),
  "docs/audit-stream.md": {
    "curl -sS": { by: ["test/docs/blocks-start.test.ts"] },
    "SECRET=whsec_": { by: ["test/worker/audit-stream.test.ts"] },
  },
  "docs/auditing.md": {
    'psql "$(npx botstead database-url)"': start,
    "npx botstead audit accept 04d1": { by: ["test/cli/audit.test.ts"] },
    'psql "$(npx botstead database-url --role administrator)"': start,
    "npx botstead audit prove": { by: ["test/cli/audit-prove.test.ts"] },
    "npx botstead audit accept-fault": { by: ["test/cli/audit.test.ts"] },
    "npx botstead witness": { by: ["test/transparency/witness.test.ts"] },
    "npx botstead audit export": start,
    "": { by: ["test/docs/auditing.test.ts"] },
  },
  "docs/backups.md": {
    "BACKUP_DIR=": { by: ["test/docs/blocks-start.test.ts"] },
    "15 3 * * *": { by: ["test/docs/blocks-start.test.ts"] },
    "npx botstead backup list": { by: ["test/docs/blocks-start.test.ts"] },
    "install -D": { by: ["test/docs/blocks-start.test.ts"] },
    "tar --": { by: ["test/docs/blocks-start.test.ts"] },
    "npx botstead backup record": { at: "server" },
    "npx botstead migrate --lost": { by: ["test/cli/lost-master-key.test.ts"] },
    "MASTER_KEY=former": { by: ["test/cli/lost-master-key.test.ts"] },
    pg_dump: { by: ["test/cli/dump.test.ts"] },
    "npx botstead migrate --roles": { by: ["test/cli/dump.test.ts"] },
  },
  "docs/client.md": ofPage({ by: ["test/client/packed.test.ts", "test/client/wheel.test.ts"] }),
  "docs/commands.md": {
    "npx botstead key mint": start,
  },
  "docs/console.md": ofPage(start),
  "docs/database.md": {
    "host  botstead": { by: ["test/docs/blocks-server.test.ts"] },
    "DATABASE_URL=postgres://postgres": { by: ["test/docs/blocks-server.test.ts"] },
    "npx botstead platform-key": { by: ["test/docs/blocks-server.test.ts"] },
    'psql "$': start,
    "DATABASE_URL=postgres://db.internal": machines,
    "DATABASE_URL=postgres://pooler": machines,
    "psql -At": { at: "start", replace: { "/etc/pgbouncer/": "" } },
  },
  "docs/deliveries.md": {
    WEBHOOK_ALLOW_RANGES: {
      at: "server",
      until: "worker",
      replace: { "/etc/ssl/our-ca.pem": "/etc/ssl/certs/ca-certificates.crt" },
    },
    WEBHOOK_PROXY: { at: "server", until: "worker" },
    "update app.service_settings": start,
    "npx botstead signing-key": start,
  },
  "docs/deploying.md": {
    "npm ci && npx botstead build && npm prune": { by: ["test/ops/pruned.test.ts"] },
    useradd: { by: ["test/docs/blocks-server.test.ts"] },
    "kubectl create namespace": { by: ["test/ops/helm.test.ts"] },
    "helm upgrade": { by: ["test/ops/helm.test.ts"] },
    "kubectl --namespace botstead run": { by: ["test/ops/kubernetes-security.test.ts"] },
    "kubectl --namespace botstead delete": { by: ["test/ops/helm.test.ts"] },
  },
  "docs/directory.md": ofPage({ by: ["test/cells/commands.test.ts"] }),
  "docs/executors.md": ofPage(start),
  "docs/failover.md": ofPage({
    not: "It installs services of a machine. test/machines starts them with the same files.",
  }),
  "docs/guide.md": {
    "curl -s": { by: ["test/docs/first-calls.test.ts"] },
  },
  "docs/integrators.md": ofPage(listens),
  "docs/leaving.md": {
    "tar -xf": { by: ["test/portal/export.test.ts"] },
    mutation: { by: ["test/console/operator-actions.test.ts"] },
    "npx botstead organisation receipt": { by: ["test/deletion/nothing-left.test.ts"] },
    "": { by: ["test/cli/export.test.ts"] },
  },
  "docs/mcp.md": {
    "{": { by: ["test/mcp/mcp.test.ts"] },
  },
  "docs/models.md": ofPage({ at: "start", replace: { "sk-…": "sk-x" } }),
  "docs/moves.md": ofPage({ by: ["test/moves/move.test.ts"] }),
  "docs/observing.md": {
    "npx botstead operator mint": start,
    "sed ": { at: "start", replace: { "/etc/prometheus/": "" } },
  },
  "docs/operating.md": {
    TRUSTED_PROXIES: { at: "server", until: "api" },
    RATE_LIMITS: { at: "server", until: "api" },
    "systemctl stop": { by: ["test/cli/master-key.test.ts"] },
  },
  "docs/portal.md": {
    "curl -s": { by: ["test/docs/first-calls.test.ts"] },
    PORTAL_FRAME_ANCESTORS: { at: "server", until: "api" },
    "<iframe": { by: ["test/portal/document.test.ts"] },
  },
  "docs/receiving-webhooks.md": {
    "npx botstead login": listens,
    'curl -s "$API': { by: ["test/docs/blocks-start.test.ts"] },
    "": { by: ["test/docs/receiving.test.ts"] },
  },
  "docs/runbooks/README.md": { psql: start, grep: inLog },
  "docs/runbooks/database.md": { psql: start, "": runbook },
  "docs/runbooks/deliveries.md": { grep: inLog, "": runbook },
  "docs/runbooks/jobs.md": { grep: inLog, "": runbook },
  "docs/runbooks/processes.md": { curl: start, npx: start, "": runbook },
  "docs/runbooks/requests.md": { grep: inLog, "": runbook },
  "docs/runbooks/runs.md": { "": runbook },
  "docs/runbooks/security.md": { "npx botstead audit": { at: "start", orEndsWith: 1 }, "": runbook },
  "docs/runbooks/storage.md": { df: start, "": runbook },
  "docs/settings.md": ofPage({ by: ["test/docs/blocks-start.test.ts"] }),
  "docs/specification/deliveries.md": ofPage(diagram),
  "docs/specification/events.md": ofPage({ by: ["test/docs/blocks-start.test.ts"] }),
  "docs/specification/runs.md": ofPage(diagram),
  "docs/specification/webhooks.md": ofPage(diagram),
  "examples/README.md": ofPage({ by: ["test/examples/examples.test.ts"] }),
  "tools/client/README.md": ofPage({ by: ["test/client/packed.test.ts"] }),
};

/** The way of a block. Undefined if there is none. */
export function wayOf(page: string, text: string): Way | undefined {
  const begins = Object.keys(ways[page] ?? {}).filter((begin) => text.startsWith(begin));
  const longest = begins.toSorted((one, other) => other.length - one.length)[0];
  return longest === undefined ? undefined : ways[page]?.[longest];
}
