/** .env.example, as systemd and docker compose read it. */
import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import { settingNames } from "../../src/config.ts";

const project = new URL("../../", import.meta.url);
const text = (file: string) => readFileSync(new URL(file, project), "utf8");
const example = text(".env.example");

test(".env.example sets nothing that a unit sets, since systemd reads EnvironmentFile= before Environment=", () => {
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

test("docker compose passes every setting of .env except the names that .env.example reserves for compose", () => {
  const { services } = parse(text("docker-compose.yml"), { merge: true });
  const own = /does not pass them on: ([^.]*)\./.exec(example.replaceAll("\n# ", " "))?.[1] ?? "";
  const given = (part: string): Record<string, string> => services[part].environment;
  const passedOn = (part: string) =>
    settingNames.filter((name) => new RegExp(`^\\$\\{${name}:[-?]`).test(given(part)[name] ?? ""));
  const everywhere = ["migrate", "api", "worker", "console"].flatMap(passedOn);
  expect(settingNames.filter((name) => !everywhere.includes(name)).toSorted()).toEqual(
    own.split(/, | and /).toSorted(),
  );
  expect(given("console")).toEqual(given("api"));
  const beyond = (part: string) => passedOn(part).filter((name) => !passedOn("api").includes(name));
  expect(beyond("migrate")).toEqual(["MASTER_KEY", "NEW_MASTER_KEY"]); // no other part gets the administrator's login
  expect(beyond("worker").toSorted()).toEqual([
    "MODEL_API_KEY",
    "MODEL_BASE_URL",
    "MODEL_IDLE_TIMEOUT_SECONDS",
    "MODEL_TURN_TIMEOUT_SECONDS",
    "SMTP_URL",
    "WEBHOOK_PROXY",
  ]);
  for (const part of ["api", "worker", "console"]) {
    expect(services[part].env_file).toEqual([{ path: `secrets/${part}.env`, required: false }]);
  }
});

test("systemd gives each part a file with its own secrets, besides the common settings", () => {
  for (const part of ["api", "worker", "console"]) {
    const files = [...text(`ops/systemd/botstead-${part}.service`).matchAll(/^EnvironmentFile=(.*)$/gm)].map(
      ([, file]) => file,
    );
    expect(files).toEqual(["/etc/botstead/botstead.env", `/etc/botstead/${part}.env`]);
  }
});
