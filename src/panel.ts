/**
 * What `npm start` ends with: where everything is, and on the first start a key and a call that works as printed.
 */
import type { Config } from "./config.ts";
import type { Demo } from "./demo.ts";

export type PanelContent = {
  config: Pick<Config, "baseUrl" | "consoleBaseUrl" | "dataDir">;
  /** Where the API listens; baseUrl is where the world finds it. */
  apiUrl: string;
  embedded: boolean;
  logFile: string | undefined;
  demo: Demo | undefined;
};

export function panel({ config, apiUrl, embedded, logFile, demo }: PanelContent): string {
  const places = [
    ["API", `${config.baseUrl}/api/v1`],
    ["Docs", `${config.baseUrl}/docs`],
    ["Console", `${config.consoleBaseUrl} (token: npx botstead operator mint --name you --scope act)`],
    ...(embedded ? [["Data", config.dataDir]] : []),
    ...(logFile ? [["Log", logFile]] : []),
    ...(config.baseUrl === apiUrl ? [] : [["Listening", apiUrl]]),
  ];
  const lines = ["", "Botstead is ready.", "", ...places.map(([name = "", place]) => `${name.padEnd(9)} ${place}`), ""];
  if (demo) lines.push(...firstSteps(config.baseUrl, demo));
  return `${lines.map((line) => (line === "" ? "" : `  ${line}`)).join("\n")}\n`;
}

function firstSteps(baseUrl: string, { key, botId }: Demo): string[] {
  const credential = `-H 'authorization: Bearer ${key}'`;
  return [
    "A demo organisation was made. Its admin key, shown this once:",
    "",
    `  ${key}`,
    "",
    "Ask its bot something:",
    "",
    `  curl -s ${baseUrl}/api/v1/runs ${credential} -H 'content-type: application/json' -H 'idempotency-key: my-first-run' -d '{"botId":"${botId}","message":"When does the next release ship?"}'`,
    "",
    "and read the answer, with the id of the run that came back:",
    "",
    `  curl -s ${baseUrl}/api/v1/runs/RUN_ID/messages ${credential}`,
    "",
  ];
}
