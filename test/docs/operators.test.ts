/** Pages for operators repeat facts of the database: roles, limits of an organisation, settings of the service. */
import { readFileSync } from "node:fs";
import { describeRoles } from "../../src/database/roles.ts";
import { apiOfFile } from "../support/callers.ts";

const here = apiOfFile();
const page = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");
const rows = (text: string) =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.split("|").map((cell) => cell.replaceAll("`", "").trim()));

test("database.md and decision 0005 name every database role", () => {
  const roles = JSON.parse(describeRoles()).map(({ name }: { name: string }) => name);
  const lists = [
    /Botstead creates the roles\s([^.]*)\./.exec(page("database.md")),
    /Roles have plain names:([^.]*)\./.exec(page("decisions/0005-database-roles.md")),
  ];
  for (const list of lists) {
    expect([...(list?.[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name).toSorted()).toEqual(roles.toSorted());
  }
});

test("console.md has a row for each limit, with its default and its name in GET /me", async () => {
  const [, table = ""] = page("console.md").split("### Limits");
  const listed = rows(table).map(([, column = "", value = "", limit = ""]) => ({ column, value, limit }));
  const ada = await here.owner();
  const found = await here.db.sql<{ column: string; value: string }>(
    `select name::text as column, coalesce(pg_get_expr(def.adbin, def.adrelid), 'none') as value
     from unnest(enum_range(null::operator.limit_name)) name
     join pg_attribute att on att.attrelid = 'app.organisations'::regclass and att.attname = name::text
     left join pg_attrdef def on def.adrelid = att.attrelid and def.adnum = att.attnum`,
  );
  expect(listed.map(({ column, value }) => ({ column, value })).toSorted(byName)).toEqual(found.toSorted(byName));
  for (const [index, { column }] of listed.entries()) {
    await here.db.sql(`update app.organisations set ${column} = $1 where id = $2`, [700 + index, ada.organisation.id]);
  }
  const { limits } = (await ada.get("/me")).body;
  expect(Object.keys(limits).toSorted()).toEqual(listed.map(({ limit }) => limit).toSorted());
  for (const [index, { limit }] of listed.entries()) expect([limit, limits[limit].limit]).toEqual([limit, 700 + index]);
});
const byName = (one: { column: string }, other: { column: string }) => one.column.localeCompare(other.column);

test("deliveries.md, database.md and executors.md name the service's settings, deliveries.md the retry schedule", async () => {
  const settings = await here.db.sql<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = 'app.service_settings'::regclass and attnum > 0 and not attisdropped and attname <> 'singleton'`,
  );
  const pages = ["deliveries.md", "database.md", "executors.md"].map(page).join("");
  expect(settings.filter(({ name }) => !pages.includes(name))).toEqual([]);
  const [schedule] = await here.db.sql<{ numbers: string; delays: string[]; attempts: number }>(
    `select string_agg(attempt::text, ' | ' order by attempt) as numbers, array_agg(extract(epoch from delay)::integer::text order by attempt) as delays,
       (select delivery_max_attempts from app.service_settings) as attempts
     from app.retry_schedule`,
  );
  expect(page("deliveries.md")).toContain(`| \`attempt\` | ${schedule?.numbers} |`);
  const [, delays = ""] = /^\| `delay` \| (.*) \|$/m.exec(page("deliveries.md")) ?? [];
  const [printed] = await here.db.sql<{ delays: string[] }>(
    "select array_agg(extract(epoch from delay::interval)::integer::text order by place) as delays from unnest($1::text[]) with ordinality each (delay, place)",
    [delays.split(" | ")],
  );
  expect(printed?.delays).toEqual(schedule?.delays);
  expect(page("deliveries.md")).toContain(`\`delivery_max_attempts\` attempts, ${schedule?.attempts} unless`);
});
