/** Pages repeat numbers whose definitions are in the database or in the source. Each must be equal to its definition. */
import { readdirSync, readFileSync } from "node:fs";
import { openApiDocument } from "../../src/api/openapi/document.ts";
import { maxBodyBytes } from "../../src/contract/body-limits.ts";
import { operations } from "../../src/contract/operations.ts";
import { isReason, reasons } from "../../src/contract/reasons.ts";
import { maxApiConnections } from "../../src/database/connections/api-pools.ts";
import { specified } from "../../src/web/rate-limiter.ts";
import { apiOfFile } from "../support/callers.ts";

const here = apiOfFile();

/** A page without line breaks, so that a sentence can wrap anywhere. */
const page = (name: string) =>
  readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8").replaceAll(/\s+/g, " ");
const document = JSON.stringify(openApiDocument("http://127.0.0.1")).replaceAll("\\n", " ").replaceAll("`", "");

async function first(query: string): Promise<Record<string, string>> {
  return (await here.db.sql<Record<string, string>>(query))[0] ?? {};
}

test.each<[setting: string, words: Record<string, string>, pages: Record<string, (value: string) => string>]>([
  [
    "delivery_retention",
    {},
    {
      "database.md": (value) => `| events, deliveries, attempts | ${value} | \`delivery_retention\``,
      "specification/deliveries.md": (value) => `Deliveries, attempts and events are kept for ${value} by default`,
      "specification/events.md": (value) => `after ${value} by default`,
      "specification/webhooks.md": (value) => `(${value} by default)`,
    },
  ],
  [
    "step_retention",
    {},
    {
      "database.md": (value) => `| steps and events of runs | ${value} from the start of the run | \`step_retention\``,
      "specification/runs.md": (value) => `Steps are kept for ${value} from the start of the run`,
    },
  ],
  [
    "audit_retention",
    { "1 year": "a year" },
    {
      "database.md": (value) => `| ${value} | \`audit_retention\``,
      "specification/audit-log.md": (value) => `Entries are kept for ${value} by default`,
    },
  ],
  [
    "delivery_slots",
    {},
    {
      "specification/deliveries.md": (value) => `| service | ${value} (\`delivery_slots\`) |`,
    },
  ],
  [
    "delivery_share_of_organisation",
    {},
    {
      "specification/deliveries.md": (value) => `| organisation | ${value} |`,
    },
  ],
  [
    "delivery_share_of_endpoint",
    {},
    {
      "specification/deliveries.md": (value) => `| endpoint | ${value} |`,
    },
  ],
  [
    "run_share_of_organisation",
    {},
    {
      "executors.md": (value) => `\`run_share_of_organisation\` (in \`app.service_settings\`, default ${value})`,
      "specification/executors.md": (value) => `at most ${value} runs in work (\`run_share_of_organisation\`)`,
    },
  ],
])("pages give the default of %s", async (setting, words, pages) => {
  const { value = "" } = await first(`select ${setting}::text as value from app.service_settings`);
  for (const [name, sentence] of Object.entries(pages)) expect(page(name)).toContain(sentence(words[value] ?? value));
});

test("pages give the delays and the number of attempts of app.retry_schedule", async () => {
  const rows = await here.db.sql<{ seconds: number }>(
    "select extract(epoch from delay)::integer as seconds from app.retry_schedule order by attempt",
  );
  const { attempts } = await first("select delivery_max_attempts as attempts from app.service_settings");
  const delays = rows.map(({ seconds }) => inWords(seconds));
  const made = delays.slice(0, Number(attempts) - 1);
  const listed = (words: string[]) => `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
  expect(page("specification/deliveries.md")).toContain(`Retries come ${listed(delays)} after the previous failure`);
  expect(page("receiving-webhooks.md")).toContain(`${listed(made)} after the previous failure`);
  expect(document).toContain(`up to ${attempts} attempts, with delays of ${listed(made)}.`);
});

const inWords = (seconds: number): string => {
  if (seconds >= 3600) return `${seconds / 3600} hours`;
  return seconds > 60 ? `${seconds / 60} minutes` : `${seconds} seconds`;
};

test("pages give the rate limits of src/web/rate-limiter.ts", () => {
  const { key, organisation, platformKey, hook, clientDocument, address, withoutAddress } = specified;
  const number = (value: number) => value.toLocaleString("en");
  const rows = [
    ["key", key],
    ["organisation", organisation],
    ["platform key, link of a mail", platformKey],
    ["hook", hook],
    ["organisation, documents of MCP clients", clientDocument],
    ["address, refusals only", address],
    ["all callers without an address, refusals only", withoutAddress],
  ] as const;
  for (const [name, limit] of rows) {
    expect(page("specification/conventions.md")).toContain(`| ${name} | ${number(limit)} |`);
  }
  expect(page("specification/hooks.md")).toContain(
    `${hook} posts a minute to this hook, or ${address} refusals a minute of this address`,
  );
  expect(page("operating.md")).toContain(`limited to ${address} a minute per client address`);
  expect(document).toContain(
    `${number(key)} requests per key, ${number(organisation)} per organisation, ${platformKey} per platform key`,
  );
});

test("pages give the connections of API processes, from the sizes of the pools", () => {
  const listening = 1;
  const direct = (sharedLimits: boolean) => maxApiConnections({ pooled: false, sharedLimits }) + listening;
  const pooled = (sharedLimits: boolean) => maxApiConnections({ pooled: true, sharedLimits });
  const row = new RegExp(
    `\\| API process \\| ${direct(false)}: .* With \`RATE_LIMITS=shared\` one more counts \\| ${pooled(false)}, or ${pooled(true)}, and the listening one`,
  );
  expect(page("database.md")).toMatch(row);
  expect(direct(true)).toBe(direct(false) + 1);
  // The manifests count requests in the database, and run at most eight processes.
  expect(page("deploying.md")).toContain(
    `eight API processes use up to ${8 * direct(true)}, and ${direct(true)} more for each extra pod`,
  );
});

test("pages give the sizes of request bodies", () => {
  const valuesOf = (name: string) => {
    const operation = operations.find((each) => each.name === name);
    if (!operation) throw new Error(`There is no operation ${name}.`);
    return operation.maxBodyValues.toLocaleString("en");
  };
  const size = `${maxBodyBytes / 1024 ** 2} MB`;
  const [values, batchValues] = [valuesOf("create_bot"), valuesOf("batch")];
  const sentence = `at most ${size} and ${values} values; a batch has at most ${batchValues} values`;
  expect(page("specification/conventions.md")).toContain(sentence);
  expect(document).toContain(sentence);
  expect(document).toContain(`larger than ${size}`);
  expect(page("specification/batch.md")).toContain(`at most ${batchValues} values`);
  expect(page("specification/hooks.md")).toContain(`more than ${size}`);
});

test("SQL and pages replay idempotent responses and deliveries of hooks for the same time", async () => {
  const { idempotency, hooks } = await first(`
    select substring(pg_get_functiondef('api_private.find_response'::regproc) from $$interval '([^']*)'$$) as idempotency,
      substring(pg_get_functiondef('api_private.hook_receipt'::regproc) from $$interval '([^']*)'$$) as hooks`);
  expect(hooks).toBe(idempotency);
  expect(page("specification/conventions.md")).toContain(`The same request within ${idempotency}`);
  expect(page("specification/hooks.md")).toContain(`For ${hooks} the same name and body`);
  expect(page("database.md")).toContain(`| idempotent responses, receipts of hooks | ${idempotency} |`);
  expect(document).toContain(`Within ${idempotency} a repeated request`);
});

test("pages give the times of trials, invitations and approvals", async () => {
  const { trial, invitation, resent, approval, proposal } = await first(`
    select ${defaultOf("app.organisations", "trial_ends_at")} as trial,
      ${defaultOf("app.invitations", "expires_at")} as invitation,
      substring(pg_get_functiondef('api.resend_invitation'::regproc) from $$interval '([^']*)'$$) as resent,
      substring(pg_get_functiondef('runner.ask_approval'::regproc) from $$interval DEFAULT '([^']*)'$$) as approval,
      substring(pg_get_functiondef('runner.propose_memory'::regproc) from $$interval '([^']*)'$$) as proposal`);
  expect([resent, proposal]).toEqual([invitation, approval]);
  expect(page("specification/platform.md")).toContain(`a trial of ${trial}`);
  expect(page("specification/invitations.md")).toContain(`An invitation is open for ${invitation}`);
  expect(page("specification/approvals.md")).toContain(`A question expires after ${approval} by default`);
  expect(page("specification/approvals.md")).toContain(`A proposal expires after ${proposal}`);
});

const defaultOf = (table: string, column: string) => `(
  select substring(pg_get_expr(adbin, adrelid) from $$'([^']*)'::interval$$)
  from pg_attrdef join pg_attribute on attrelid = adrelid and attnum = adnum
  where adrelid = '${table}'::regclass and attname = '${column}'
)`;

test("the specification names every reason of the contract, and no other", () => {
  const pages = readdirSync(new URL("../../docs/specification/", import.meta.url)).map((name) =>
    page(`specification/${name}`),
  );
  const text = pages.join(" ");
  expect(Object.keys(reasons).filter((reason) => !text.includes(`\`${reason}\``))).toEqual([]);
  const named = [...text.matchAll(/\breason `(\w+)`/g)].map(([, reason = ""]) => reason);
  expect(named.filter((reason) => !isReason(reason))).toEqual([]);
});
