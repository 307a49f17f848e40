/** What `npm start` prints: on the first start a key and a call that works as printed, and at the end the addresses. */
import type { Config } from "../config.ts";
import type { Demo } from "./demo.ts";

/** A header with a random Idempotency-Key, made with tools of every Unix system. */
const freshKey = '"idempotency-key: $(od -An -N8 -tx8 /dev/urandom)"';

export type PanelContent = {
  config: Pick<Config, "baseUrl" | "consoleBaseUrl" | "dataDir">;
  /** The API's listening address; baseUrl is its public one. */
  apiUrl: string;
  embedded: boolean;
  logFile: string | undefined;
};

export function panel({ config, apiUrl, embedded, logFile }: PanelContent): string {
  const places = [
    ["API", `${config.baseUrl}/api/v1`],
    ["Docs", `${config.baseUrl}/docs`],
    ["Console", `${config.consoleBaseUrl} (token: npx botstead operator mint --name you --scope act)`],
    ...(embedded ? [["Data", config.dataDir]] : []),
    ...(logFile ? [["Log", logFile]] : []),
    ...(config.baseUrl === apiUrl ? [] : [["Listening", apiUrl]]),
  ];
  const rows = places.map(([name = "", place]) => `${name.padEnd(9)} ${place}`);
  return indented(["", "Botstead is ready.", "", ...rows, ""]);
}

/** Printed as soon as the API is served, before the other parts are ready. */
export function firstSteps(baseUrl: string, { key, botId }: Demo): string {
  const credential = `-H 'authorization: Bearer ${key}'`;
  return indented([
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
  ]);
}

const indented = (lines: string[]) => `${lines.map((line) => (line === "" ? "" : `  ${line}`)).join("\n")}\n`;
