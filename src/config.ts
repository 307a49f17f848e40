/**
 * Settings, from the environment, read here and nowhere else, parsed once. Every fault is reported together, in a
 * sentence each. (decisions: section 6.)
 */
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { resolve } from "node:path";
import { compile as compileTrust } from "proxy-addr";
import { z } from "zod";
import { type AllowedRanges, parseRanges } from "./delivery/address.ts";
import { type ForwardProxy, parseProxy } from "./delivery/proxy.ts";

const port = z.coerce.number("must be a port number").int().min(0).max(65535);

const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https address" }).optional();

const masterKey = z
  .string()
  .regex(/^[A-Za-z0-9+/]{43}=$/, "must be 32 bytes in base64 (openssl rand -base64 32)")
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
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// address" }).optional(),
  MAIL_FROM: z.string().min(3).default("Botstead <botstead@localhost>"),
  MAX_CONNECTIONS: z.coerce.number("must be a number of connections").int().min(1).default(20_000),
  TRUSTED_PROXIES: z.string().default(""),
  RATE_LIMITS: z.enum(["process", "shared"], "must be process or shared").default("process"),
  WEBHOOK_ALLOW_RANGES: z.string().default(""),
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
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number("must be from 0 to 1").min(0).max(1).default(1),
  LOG_LEVEL: z
    .enum(["silent", "fatal", "error", "warn", "info", "debug", "trace"], "must be a level of pino, as info")
    .default("info"),
});

/** Every variable that is read here. */
export const settingNames: string[] = Object.keys(Environment.shape);

/** A service that speaks the Chat Completions protocol. */
export type ModelSettings = { baseUrl: string; apiKey: string | undefined };

export type Config = {
  host: string;
  port: number;
  consolePort: number;
  /** Without a trailing slash. */
  baseUrl: string;
  /** Where operators' browsers find the console. Without a trailing slash. */
  consoleBaseUrl: string;
  /** Absolute. */
  dataDir: string;
  /** PostgreSQL itself. Unset: the embedded server in dataDir. */
  databaseUrl: string | undefined;
  /** A pooler in transaction mode before it, for the calls of the API. Unset: they go to PostgreSQL itself. */
  poolerUrl: string | undefined;
  /** A streaming replica, for reads. Unset: the primary answers all. */
  readUrl: string | undefined;
  /** 32 bytes in base64; unset: made once and kept in dataDir. */
  masterKey: string | undefined;
  /** What masterKey is to be followed by, for the command that does it. */
  newMasterKey: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: string;
  /** To the API's port, at once; who connects beyond them is turned away. */
  mostConnections: number;
  /** Whether a peer of this address is a proxy of ours, whose X-Forwarded-For is believed. */
  trustsProxy: (address: string) => boolean;
  /** Where requests are counted: by each process of the API for itself, or in the database for all. */
  rateLimits: "process" | "shared";
  webhooks: { allowed: AllowedRanges; extraCa: string | undefined; proxy: ForwardProxy | undefined };
  /** Unset: no models beside the built-in recall. */
  models: ModelSettings | undefined;
  /** Where this process tells its metrics beside the console; unset: nowhere. */
  metrics: { host: string; port: number } | undefined;
  /** Unset: no traces. Where they go, the exporter reads from the standard variables itself. `ratio`: of traces begun here. */
  tracing: { serviceName: string; ratio: number } | undefined;
  logLevel: string;
  /** True where a person is likely to read the log as it comes. */
  terminal: boolean;
  cores: number;
};

/** The faults of the settings, one sentence each. */
export class ConfigError extends Error {
  readonly faults: string[];
  constructor(faults: string[]) {
    super(["The settings can't be used:", ...faults.map((fault) => `  ${fault}`)].join("\n"));
    this.faults = faults;
  }
}

/** @throws ConfigError that names every fault at once. */
export function readConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  // An empty variable is how compose files and shells say "not set".
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
  const parsed = Environment.safeParse(given);
  const faults = parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}.`);
  const value = parsed.data;
  if (given.DATABASE_URL && !given.MASTER_KEY) {
    faults.push("MASTER_KEY must be set when DATABASE_URL is: it seals secrets that outlive this machine.");
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
  const { WEBHOOK_PROXY: proxyText } = given;
  const proxy = proxyText ? attempt("WEBHOOK_PROXY", () => parseProxy(proxyText)) : undefined;
  const trustsProxy = attempt("TRUSTED_PROXIES", () => compileTrust(listed(given.TRUSTED_PROXIES ?? "")));
  const caFile = given.WEBHOOK_CA_FILE;
  if (caFile && !existsSync(caFile)) faults.push(`WEBHOOK_CA_FILE ${caFile} is not there.`);
  const extraCa =
    caFile && existsSync(caFile) ? attempt("WEBHOOK_CA_FILE", () => readFileSync(caFile, "utf8")) : undefined;
  if (faults.length > 0 || !value || !allowed || !trustsProxy) throw new ConfigError(faults);
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
    // With a direct address beside it, the other is a pooler's.
    databaseUrl: value.DATABASE_DIRECT_URL ?? value.DATABASE_URL,
    poolerUrl: value.DATABASE_DIRECT_URL && value.DATABASE_URL,
    readUrl: value.DATABASE_READ_URL,
    masterKey: value.MASTER_KEY,
    newMasterKey: value.NEW_MASTER_KEY,
    smtpUrl: value.SMTP_URL,
    mailFrom: value.MAIL_FROM,
    mostConnections: value.MAX_CONNECTIONS,
    trustsProxy: (address) => trustsProxy(address, 0),
    rateLimits: value.RATE_LIMITS,
    webhooks: { allowed, extraCa, proxy },
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

function listed(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** An address to listen on as an address to go to: any-address means this machine, IPv6 wants brackets. */
export function hostInUrl(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

/** For libraries that ask the environment how strict to be, and complain where it does not say. */
export function sayProduction(): void {
  process.env.NODE_ENV ??= "production";
  process.env.GRAPHILE_ENV ??= "production";
}

/** The environment of a child process: this one's, and what is added. */
export function environmentWith(added: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...added };
}
