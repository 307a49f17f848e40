/**
 * Settings from the environment, parsed once. Only this file reads process.env. Faults are reported together, a
 * sentence each (docs/specification/service.md#settings).
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { compile as compileTrust } from "proxy-addr";
import { z } from "zod";
import { type Misspelled, misspelled } from "./config/misspelled.ts";
import { type AllowedRanges, parseRanges } from "./delivery/address.ts";
import { type AllowedHosts, parseHosts } from "./delivery/host-names.ts";
import { type ForwardProxy, parseProxy } from "./delivery/proxy.ts";

const port = numberIn(0, 65_535, "must be a port number from 0 to 65535");

/** A whole number. One message for every fault; it does not repeat the value. */
function numberIn(min: number, max: number, message: string) {
  return z.coerce.number(message).int(message).min(min, message).max(max, message);
}

const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional();

const masterKey = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, "must be 32 bytes in base64 (openssl rand -base64 32)")
  .optional();

const derivedKey = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, 'must be a key that "botstead secrets" prints')
  .optional();

const postgresUrl = z.url({ protocol: /^postgres(ql)?$/, error: "must be a postgres:// address" }).optional();

const Environment = z.object({
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: port.default(3000),
  CONSOLE_PORT: port.default(3001),
  BASE_URL: httpUrl,
  CONSOLE_BASE_URL: httpUrl,
  DATA_DIR: z.string().min(1).default(".botstead"),
  DATABASE_URL: postgresUrl,
  DATABASE_DIRECT_URL: postgresUrl,
  DATABASE_READ_URL: postgresUrl,
  MASTER_KEY: masterKey,
  NEW_MASTER_KEY: masterKey,
  DATABASE_PASSWORD: z.string().optional(),
  EXECUTOR_PASSWORD: z.string().optional(),
  SEALING_KEY: derivedKey,
  INVITATION_KEY: derivedKey,
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// address" }).optional(),
  MAIL_FROM: z
    .string()
    .min(3, "must be a sender, such as Botstead <mail@example.com>")
    .default("Botstead <botstead@localhost>"),
  MAX_CONNECTIONS: numberIn(1, 1_000_000, "must be a number of connections, 1 or more").default(20_000),
  TRUSTED_PROXIES: z.string().default(""),
  RATE_LIMITS: z.enum(["process", "shared"], "must be process or shared").default("process"),
  WEBHOOK_ALLOW_RANGES: z.string().default(""),
  WEBHOOK_ALLOW_HOSTS: z.string().default(""),
  WEBHOOK_CA_FILE: z.string().optional(),
  WEBHOOK_PROXY: z.string().optional(),
  MODEL_BASE_URL: httpUrl,
  MODEL_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must be printable ASCII without spaces")
    .optional(),
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
  METRICS_PORT: port.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl,
  OTEL_SDK_DISABLED: z.stringbool("must be true or false").default(false),
  OTEL_SERVICE_NAME: z.string().min(1).default("botstead"),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number("must be from 0 to 1")
    .min(0, "must be from 0 to 1")
    .max(1, "must be from 0 to 1")
    .default(1),
  LOG_LEVEL: z
    .enum(["silent", "fatal", "error", "warn", "info", "debug", "trace"], "must be a level of pino, as info")
    .default("info"),
});

/** The names of all settings. */
export const settingNames: string[] = Object.keys(Environment.shape);

/** Environment variables whose names are almost those of settings. */
export function misspelledSettings(): Misspelled[] {
  return misspelled(process.env, settingNames);
}

/** A service with the Chat Completions protocol. */
export type ModelSettings = { baseUrl: string; apiKey: string | undefined };

export type Config = {
  host: string;
  port: number;
  consolePort: number;
  /** Without a trailing slash. */
  baseUrl: string;
  /** The console's URL for operators' browsers, without a trailing slash. */
  consoleBaseUrl: string;
  /** Absolute. */
  dataDir: string;
  /** PostgreSQL itself. Unset: the embedded server in dataDir. */
  databaseUrl: string | undefined;
  /** A pooler in transaction mode for API calls. Unset: they connect to PostgreSQL itself. */
  poolerUrl: string | undefined;
  /** A streaming replica for reads. Unset: the primary answers all. */
  readUrl: string | undefined;
  /** 32 bytes in base64. Unset: generated once and stored in dataDir. */
  masterKey: string | undefined;
  /** The key that replaces masterKey in a rotation. */
  newMasterKey: string | undefined;
  /** The secrets of one process instead of the master key, by name of setting. */
  partSecrets: Partial<Record<(typeof partSettings)[number], string>>;
  smtpUrl: string | undefined;
  mailFrom: string;
  /** Concurrent connections to the API's port; further ones are closed. */
  maxConnections: number;
  /** Whether a peer is a trusted proxy, whose X-Forwarded-For counts. */
  trustsProxy: (address: string) => boolean;
  /** Where requests are counted: in each API process, or in the database for all. */
  rateLimits: "process" | "shared";
  webhooks: {
    allowed: AllowedRanges;
    allowedHosts: AllowedHosts;
    extraCa: string | undefined;
    proxy: ForwardProxy | undefined;
  };
  /** Unset: only the built-in engine recall. */
  models: ModelSettings | undefined;
  /** Address of this process's metrics endpoint. Unset: none. */
  metrics: { host: string; port: number } | undefined;
  /** Unset: no traces. The exporter reads its own endpoint variables. `ratio` applies to traces that start here. */
  tracing: { serviceName: string; ratio: number } | undefined;
  logLevel: string;
  /** Whether standard output is a terminal. */
  terminal: boolean;
  cores: number;
};

const partSettings = ["DATABASE_PASSWORD", "EXECUTOR_PASSWORD", "SEALING_KEY", "INVITATION_KEY"] as const;

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
  const parsed = Environment.safeParse(given);
  const faults = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}.`);
  const value = parsed.data;
  if (given.DATABASE_URL && !given.MASTER_KEY && !given.DATABASE_PASSWORD) {
    faults.push(
      "MASTER_KEY must be set when DATABASE_URL is, or the secrets of one process, which botstead secrets prints.",
    );
  }
  const ofPart = partSettings.filter((name) => given[name]);
  for (const name of ofPart) {
    if (given.MASTER_KEY)
      faults.push(`${name} and MASTER_KEY can't both be set: the first is derived from the second.`);
    else if (!given.DATABASE_URL)
      faults.push(`DATABASE_URL must be set when ${name} is: it says where the database is.`);
  }
  if (given.DATABASE_DIRECT_URL && !given.DATABASE_URL) {
    faults.push("DATABASE_URL must be set when DATABASE_DIRECT_URL is: it says where the pooler is.");
  }
  if (given.DATABASE_READ_URL && !given.DATABASE_URL) {
    faults.push("DATABASE_URL must be set when DATABASE_READ_URL is: it says where the primary is.");
  }
  if (given.MODEL_API_KEY && !given.MODEL_BASE_URL) {
    faults.push("MODEL_BASE_URL must be set when MODEL_API_KEY is: it says which service the key is for.");
  }
  const attempt = <T>(name: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      faults.push(`${name}: ${(error as Error).message}`);
      return undefined;
    }
  };
  const allowed = attempt("WEBHOOK_ALLOW_RANGES", () => parseRanges(given.WEBHOOK_ALLOW_RANGES ?? ""));
  const allowedHosts = attempt("WEBHOOK_ALLOW_HOSTS", () => parseHosts(given.WEBHOOK_ALLOW_HOSTS ?? ""));
  const { WEBHOOK_PROXY: proxyText } = given;
  const proxy = proxyText ? attempt("WEBHOOK_PROXY", () => parseProxy(proxyText)) : undefined;
  const trustsProxy = attempt("TRUSTED_PROXIES", () => readProxies(given.TRUSTED_PROXIES ?? ""));
  const { WEBHOOK_CA_FILE: caFile } = given;
  const extraCa = caFile ? attempt("WEBHOOK_CA_FILE", () => readCertificates(caFile)) : undefined;
  if (faults.length > 0 || !value || !allowed || !allowedHosts || !trustsProxy) throw new ConfigError(faults);
  return {
    host: value.HOST,
    port: value.PORT,
    consolePort: value.CONSOLE_PORT,
    baseUrl: (value.BASE_URL ?? `http://${hostInUrl(value.HOST)}:${value.PORT}`).replace(/\/+$/, ""),
    consoleBaseUrl: (value.CONSOLE_BASE_URL ?? `http://${hostInUrl(value.HOST)}:${value.CONSOLE_PORT}`).replace(
      /\/+$/,
      "",
    ),
    dataDir: resolve(value.DATA_DIR),
    // With DATABASE_DIRECT_URL, DATABASE_URL is the pooler's.
    databaseUrl: value.DATABASE_DIRECT_URL ?? value.DATABASE_URL,
    poolerUrl: value.DATABASE_DIRECT_URL && value.DATABASE_URL,
    readUrl: value.DATABASE_READ_URL,
    masterKey: value.MASTER_KEY,
    newMasterKey: value.NEW_MASTER_KEY,
    partSecrets: Object.fromEntries(ofPart.map((name) => [name, value[name]])),
    smtpUrl: value.SMTP_URL,
    mailFrom: value.MAIL_FROM,
    maxConnections: value.MAX_CONNECTIONS,
    trustsProxy: (address) => trustsProxy(address, 0),
    rateLimits: value.RATE_LIMITS,
    webhooks: { allowed, allowedHosts, extraCa, proxy },
    models: value.MODEL_BASE_URL
      ? { baseUrl: value.MODEL_BASE_URL.replace(/\/+$/, ""), apiKey: value.MODEL_API_KEY }
      : undefined,
    metrics: value.METRICS_PORT === undefined ? undefined : { host: value.METRICS_HOST, port: value.METRICS_PORT },
    tracing:
      (value.OTEL_EXPORTER_OTLP_ENDPOINT ?? value.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) && !value.OTEL_SDK_DISABLED
        ? { serviceName: value.OTEL_SERVICE_NAME, ratio: value.OTEL_TRACES_SAMPLER_ARG }
        : undefined,
    logLevel: value.LOG_LEVEL,
    terminal: process.stdout.isTTY === true,
    cores: availableParallelism(),
  };
}

// Messages about a setting never repeat its value: it may be a secret in the wrong variable.

function readProxies(text: string): ReturnType<typeof compileTrust> {
  const entries = text.split(",").map((entry) => entry.trim());
  try {
    return compileTrust(entries.filter((entry) => entry !== ""));
  } catch {
    throw new Error("must be addresses or ranges such as 10.0.0.0/8, separated by commas.");
  }
}

function readCertificates(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(code === "ENOENT" ? "the file does not exist." : `its file can't be read (${code}).`);
  }
}

/** A listening address as host of a URL: the any-address becomes 127.0.0.1, IPv6 gets brackets. */
export function hostInUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

/** Whether a URL names this machine, which others cannot follow. */
export function isOnLoopback(url: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);
}

/** Some libraries are in development mode unless these are set. */
export function setProductionDefaults(): void {
  process.env.NODE_ENV ??= "production";
  process.env.GRAPHILE_ENV ??= "production";
}

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
