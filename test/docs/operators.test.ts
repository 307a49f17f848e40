/** Pages for operators repeat facts of the database: roles, limits of an organisation, settings of the service. */
import { readFileSync, writeFileSync } from "node:fs";
import { isReason } from "../../src/contract/reasons.ts";
import { describeRoles } from "../../src/database/roles.ts";
import { apiOfFile } from "../support/callers.ts";

const here = apiOfFile();
const page = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), "utf8");

test("database.md names every database role", () => {
  const roles = JSON.parse(describeRoles()).map(({ name }: { name: string }) => name);
  const [, list = ""] = /Botstead creates the roles\s([^.]*)\./.exec(page("database.md")) ?? [];
  expect([...list.matchAll(/`(\w+)`/g)].map(([, name]) => name).toSorted()).toEqual(roles.toSorted());
});

test("the table of limits in the specification has the rows of app.limits; UPDATE_DOCS=1 writes it", async () => {
  const limits = await here.db.sql<Row>(
    "select name, maximum, default_from, description, reason from app.limits order by position",
  );
  const lines = limits.map(
    ({ name, maximum, default_from, description, reason }) =>
      `| \`${name}\` | ${maximum ?? (default_from ? `value of \`${default_from}\`` : "none")} | ${description} | ${isReason(reason) ? `\`${reason}\` ` : ""}|\n`,
  );
  const file = new URL("../../docs/specification/organisation-and-me.md", import.meta.url);
  const text = readFileSync(file, "utf8");
  const written = text.replace(/(\| Name in `\/me` .*\n\|[-:|]+\|\n)(?:\|.*\n)+/, (_, head) => head + lines.join(""));
  if (process.env.UPDATE_DOCS) writeFileSync(file, written);
  else expect(text).toBe(written);
});
type Row = {
  name: string;
  maximum: string | null;
  default_from: string | null;
  description: string;
  reason: string | null;
};

test("deliveries.md, database.md and executors.md name the service's settings", async () => {
  const settings = await here.db.sql<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = 'app.service_settings'::regclass and attnum > 0 and not attisdropped and attname <> 'singleton'`,
  );
  const pages = ["deliveries.md", "database.md", "executors.md"].map(page).join("");
  expect(settings.filter(({ name }) => !pages.includes(name))).toEqual([]);
});
