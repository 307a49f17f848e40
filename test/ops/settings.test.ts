/** .env.example, as systemd and docker compose read a copy of it. */
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { settingNames } from "../../src/config.ts";

const project = new URL("../../", import.meta.url);
const text = (file: string) => readFileSync(new URL(file, project), "utf8");
const example = text(".env.example");

test("a copy of .env.example sets nothing that a unit sets: systemd takes EnvironmentFile= before Environment=", () => {
  const copied = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(copied).toContain("MASTER_KEY"); // to be filled in
  const ofUnits = readdirSync(new URL("ops/systemd/", project)).flatMap((file) =>
    [...text(`ops/systemd/${file}`).matchAll(/^Environment=(.*)$/gm)].flatMap(([, set = ""]) =>
      [...set.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name),
    ),
  );
  expect(ofUnits).toEqual(expect.arrayContaining(["DATA_DIR", "METRICS_PORT"]));
  expect(copied.filter((name) => ofUnits.includes(name))).toEqual([]);
});

test("docker compose passes on every setting of .env but those that .env.example says are its own", () => {
  const { services } = parse(text("docker-compose.yml"), { merge: true });
  const own = /passes on all but ([^.]*), which are its own/.exec(example.replaceAll("\n# ", " "))?.[1] ?? "";
  const given = (part: string): Record<string, string> => services[part].environment;
  const passedOn = (part: string) =>
    settingNames.filter((name) => new RegExp(`^\\$\\{${name}:[-?]`).test(given(part)[name] ?? ""));
  const notPassedOn = settingNames.filter((name) => !passedOn("api").includes(name));
  expect(notPassedOn.toSorted()).toEqual(["NEW_MASTER_KEY", ...own.split(/, | and /)].toSorted());
  expect(passedOn("migrate")).toContain("NEW_MASTER_KEY"); // by whose login it is used
  for (const part of ["worker", "console"]) expect(given(part)).toEqual(given("api"));
});
