/** What `npm start` prints when it is ready: on the first start a key and a call that works as printed, and the addresses. */
import { type Config, settingOf } from "../config.ts";
import type { Demo } from "./demo.ts";

/** A header with a random Idempotency-Key, made with tools of every Unix system. */
const freshKey = '"idempotency-key: $(od -An -N8 -tx8 /dev/urandom)"';

export type PanelContent = {
  config: Pick<Config, "baseUrl" | "consoleBaseUrl" | "dataDir">;
  /** The API's listening address; baseUrl is its public one. */
  apiUrl: string;
  embedded: boolean;
  logFile: string | undefined;
  /** Of a first start. */
  demo: Demo | undefined;
};

export function panel({ config, apiUrl, embedded, logFile, demo }: PanelContent): string {
  // A shell without the setting would look for the default folder.
  const setting = embedded && settingOf("DATA_DIR") ? `DATA_DIR=${quoted(config.dataDir)} ` : "";
  const places = [
    ["API", `${config.baseUrl}/api/v1`],
    ["Docs", `${config.baseUrl}/docs`],
    ["Console", `${config.consoleBaseUrl} (token: ${setting}npx botstead operator mint --name you --scope act)`],
    ...(embedded ? [["Data", config.dataDir]] : []),
    ...(logFile ? [["Log", logFile]] : []),
    ...(config.baseUrl === apiUrl ? [] : [["Listening", apiUrl]]),
  ];
  const rows = places.map(([name = "", place]) => `${name.padEnd(9)} ${place}`);
  const steps = demo ? firstSteps(config.baseUrl, demo) : [];
  return indented([...steps, "", "Botstead is ready.", "", ...rows, ""]);
}

function firstSteps(baseUrl: string, { key, botId }: Demo): string[] {
  const credential = `-H 'authorization: Bearer ${key}'`;
  return [
    "",
    "Demo organisation created. Its admin key, shown only this once:",
    "",
    `  ${key}`,
    "",
    "Ask its bot a question:",
    "",
    `  curl -s ${baseUrl}/api/v1/runs ${credential} -H 'content-type: application/json' -H ${freshKey} -d '{"botId":"${botId}","message":"When does the next release ship?"}'`,
    "",
    "Read the answer. Replace RUN_ID with the id in the response:",
    "",
    `  curl -s ${baseUrl}/api/v1/runs/RUN_ID/messages ${credential}`,
  ];
}

/** For a shell. */
const quoted = (path: string) => (/^[\w/.@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

const indented = (lines: string[]) => `${lines.map((line) => (line === "" ? "" : `  ${line}`)).join("\n")}\n`;
