/**
 * Settings from the environment, parsed once. Only this file reads process.env. Faults are reported together, a
 * sentence each (docs/specification/service.md#settings-and-first-start).
 */
import { availableParallelism } from "node:os";
import { z } from "zod";
import { type AuditConfig, auditConfig, auditSettings } from "./config/audit.ts";
import { type CellConfig, cellConfig, cellFaults, cellSettings } from "./config/cells.ts";
import {
  type DatabaseConfig,
  databaseConfig,
  databaseFaults,
  databaseSettings,
  defaultDataDir,
} from "./config/database.ts";
import { type Misspelled, misspelled } from "./config/misspelled.ts";
import { type NetworkConfig, networkConfig, networkSettings } from "./config/network.ts";
import { type ObservabilityConfig, observabilityConfig, observabilitySettings } from "./config/observability.ts";
import { type OutboundConfig, outboundConfig, outboundFaults, outboundSettings } from "./config/outbound.ts";

const Environment = z.object({
  ...networkSettings.shape,
  ...databaseSettings.shape,
  ...cellSettings.shape,
  ...outboundSettings.shape,
  ...observabilitySettings.shape,
  ...auditSettings.shape,
});

/** The names of all settings. */
export const settingNames: string[] = Object.keys(Environment.shape);

export { defaultDataDir };

/** A setting as it is in the environment. An empty variable is not set. */
export const settingOf = (name: string): string | undefined => process.env[name] || undefined;

/** The settings that the environment has, except these. */
export function givenSettings(except: readonly string[]): Record<string, string> {
  const names = settingNames.filter((name) => !except.includes(name));
  return Object.fromEntries(names.flatMap((name) => (settingOf(name) ? [[name, settingOf(name) as string]] : [])));
}

/** Adds settings that the environment does not have. An empty setting stays empty: so a command can do without it. */
export function addSettings(settings: Record<string, string>): void {
  for (const [name, value] of Object.entries(settings)) process.env[name] ??= value;
}

/** Environment variables with names similar to a setting. */
export function misspelledSettings(): Misspelled[] {
  return misspelled(process.env, settingNames);
}

export type Config = NetworkConfig &
  DatabaseConfig &
  CellConfig &
  OutboundConfig &
  ObservabilityConfig &
  AuditConfig & {
    /** Whether standard output is a terminal. */
    terminal: boolean;
    cores: number;
  };

/** Faults of the settings, one sentence each. */
export class ConfigError extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(["The settings can't be used:", ...faults.map((fault) => `  ${fault}`)].join("\n"));
    this.faults = faults;
  }
}

/** @throws ConfigError with all faults */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  // Compose files and shells write an empty variable for "not set".
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const { data, error } = Environment.safeParse(given);
  const faults = [
    ...(error?.issues ?? []).map(({ path, message }) => faultOf(path.join("."), message)),
    ...databaseFaults(given),
    ...cellFaults(given),
    ...outboundFaults(given),
  ];
  if (!data || faults.length > 0) throw new ConfigError(faults);
  return {
    ...networkConfig(data),
    ...databaseConfig(data),
    ...cellConfig(data),
    ...outboundConfig(data),
    ...observabilityConfig(data),
    ...auditConfig(data),
    terminal: process.stdout.isTTY === true,
    cores: availableParallelism(),
  };
}

/** The message is the rest of a sentence, or a sentence of its own. */
function faultOf(name: string, message: string): string {
  return message.endsWith(".") ? `${name}: ${message}` : `${name} ${message}.`;
}

/** Some libraries are in development mode unless these are set. */
export function setProductionDefaults(): void {
  process.env.NODE_ENV ??= "production";
  process.env.GRAPHILE_ENV ??= "production";
}

/**
 * Whether npm, or src/botstead.js under an older Node, runs this process. They pass signals on, but this process gets none
 * when they are killed.
 */
export function isLaunched(): boolean {
  return process.env.npm_lifecycle_event !== undefined || process.argv0 === "botstead";
}

/** The login that called sudo, if any. */
export const sudoUser = (): string | undefined => process.env.SUDO_USER?.trim() || undefined;

/** A child's environment with these settings and none of this process's. */
export function environmentOf(settings: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, TMPDIR, ...settings };
}

/** A child's environment: this process's without `withheld`, and with `added`. */
export function environmentWith(added: Record<string, string>, withheld: string[] = []): NodeJS.ProcessEnv {
  const passedOn = Object.entries(process.env).filter(([name]) => !withheld.includes(name));
  return { ...Object.fromEntries(passedOn), ...added };
}

/** A variable of a child whose parent sends the rest of its environment later. */
export const awaitsEnvironment = "BOTSTEAD_AWAITS_ENVIRONMENT";

export const isEnvironmentComplete = (): boolean => process.env[awaitsEnvironment] === undefined;

/** Adds the rest to this process's environment. */
export function completeEnvironmentWith(rest: NodeJS.ProcessEnv): void {
  delete process.env[awaitsEnvironment];
  Object.assign(process.env, rest);
}
