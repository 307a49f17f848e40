/** What pages for operators repeat of the database: its roles, the ceilings of an organisation, the service's settings. */
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

test("database.md and decisions.md name every role that is made", () => {
  const roles = JSON.parse(describeRoles()).map(({ name }: { name: string }) => name);
  const lists = [
    /its roles are called\s([^.]*), and a role/.exec(page("database.md")),
    /\*\*Roles with plain names, and a mark\.\*\*([^.]*) read well/.exec(page("decisions.md")),
  ];
  for (const list of lists) {
    expect([...(list?.[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name]) => name).toSorted()).toEqual(roles.toSorted());
  }
});

test("console.md has a row for each ceiling, with its default and its name in GET /me", async () => {
  const [, table = ""] = page("console.md").split("### Ceilings");
  const told = rows(table).map(([, ceiling = "", value = "", limit = ""]) => ({ ceiling, value, limit }));
  const ada = await here.owner();
  const found = await here.db.sql<{ ceiling: string; value: string }>(
    `select ceiling::text, coalesce(pg_get_expr(def.adbin, def.adrelid), 'none') as value
     from unnest(enum_range(null::operator.ceiling)) ceiling
     join pg_attribute att on att.attrelid = 'app.organisations'::regclass and att.attname = ceiling::text
     left join pg_attrdef def on def.adrelid = att.attrelid and def.adnum = att.attnum`,
  );
  expect(told.map(({ ceiling, value }) => ({ ceiling, value })).toSorted(byName)).toEqual(found.toSorted(byName));
  for (const [index, { ceiling }] of told.entries()) {
    await here.db.sql(`update app.organisations set ${ceiling} = $1 where id = $2`, [700 + index, ada.organisation.id]);
  }
  const { limits } = (await ada.get("/me")).body;
  expect(Object.keys(limits).toSorted()).toEqual(told.map(({ limit }) => limit).toSorted());
  for (const [index, { limit }] of told.entries()) expect([limit, limits[limit].limit]).toEqual([limit, 700 + index]);
});
const byName = (one: { ceiling: string }, other: { ceiling: string }) => one.ceiling.localeCompare(other.ceiling);

test("deliveries.md and database.md name the service's settings, deliveries.md the ladder", async () => {
  const settings = await here.db.sql<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = 'app.service_settings'::regclass and attnum > 0 and not attisdropped and attname <> 'singleton'`,
  );
  const pages = page("deliveries.md") + page("database.md");
  expect(settings.filter(({ name }) => !pages.includes(name))).toEqual([]);
  const [ladder] = await here.db.sql<{ rungs: string; delays: string[]; attempts: number }>(
    `select string_agg(rung::text, ' | ' order by rung) as rungs, array_agg(extract(epoch from delay)::integer::text order by rung) as delays,
       (select delivery_max_attempts from app.service_settings) as attempts
     from app.delivery_ladder`,
  );
  expect(page("deliveries.md")).toContain(`| \`rung\` | ${ladder?.rungs} |`);
  const [, delays = ""] = /^\| `delay` \| (.*) \|$/m.exec(page("deliveries.md")) ?? [];
  const [told] = await here.db.sql<{ delays: string[] }>(
    "select array_agg(extract(epoch from delay::interval)::integer::text order by place) as delays from unnest($1::text[]) with ordinality each (delay, place)",
    [delays.split(" | ")],
  );
  expect(told?.delays).toEqual(ladder?.delays);
  expect(page("deliveries.md")).toContain(`\`delivery_max_attempts\` there says, ${ladder?.attempts} unless`);
});
