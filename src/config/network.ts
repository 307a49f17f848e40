/** Settings of the servers: addresses, proxies, limits of clients. */
import { compile as compileTrust } from "proxy-addr";
import { z } from "zod";
import { httpUrl, numberIn, parsed, port, withoutSlash } from "./kinds.ts";

export const networkSettings = z.object({
  HOST: z.string().min(1).default("127.0.0.1"),
  PORT: port.default(3000),
  CONSOLE_PORT: port.default(3001),
  BASE_URL: httpUrl,
  CONSOLE_BASE_URL: httpUrl,
  MAX_CONNECTIONS: numberIn(1, 1_000_000, "must be a number of connections, 1 or more").default(20_000),
  KEEP_ALIVE_SECONDS: numberIn(5, 3_600, "must be a whole number from 5 to 3600").default(65),
  TRUSTED_PROXIES: parsed(readProxies).prefault(""),
  PORTAL_FRAME_ANCESTORS: parsed(readOrigins).prefault(""),
  APPLICATION_URL: httpUrl,
  RESPONSE_TIMEOUT_SECONDS: numberIn(1, 30, "must be a whole number from 1 to 30").default(5),
  RATE_LIMITS: z.enum(["process", "shared"], "must be process or shared").default("process"),
});

export type NetworkConfig = {
  host: string;
  port: number;
  consolePort: number;
  /** Without a trailing slash. */
  baseUrl: string;
  /** The console's URL for operators' browsers, without a trailing slash. */
  consoleBaseUrl: string;
  /** Concurrent connections to the API's port; further ones are closed. */
  maxConnections: number;
  /** How long the API's port keeps an idle connection. */
  keepAliveMs: number;
  /** Whether a peer is a trusted proxy, whose X-Forwarded-For counts. */
  trustsProxy: (address: string) => boolean;
  /** Origins of the pages that may embed the portal. */
  portalFrameAncestors: string[];
  /** The address that a page of a mailed link leads to. */
  applicationUrl: string | undefined;
  /** After this time a caller gets a 503. */
  responseMs: number;
  /** The counter of rate limits: in each API process, or in the database for all. */
  rateLimits: "process" | "shared";
};

export function networkConfig(value: z.infer<typeof networkSettings>): NetworkConfig {
  const { HOST: host, PORT, CONSOLE_PORT, TRUSTED_PROXIES: trusts } = value;
  return {
    host,
    port: PORT,
    consolePort: CONSOLE_PORT,
    baseUrl: withoutSlash(value.BASE_URL ?? `http://${hostInUrl(host)}:${PORT}`),
    consoleBaseUrl: withoutSlash(value.CONSOLE_BASE_URL ?? `http://${hostInUrl(host)}:${CONSOLE_PORT}`),
    maxConnections: value.MAX_CONNECTIONS,
    keepAliveMs: value.KEEP_ALIVE_SECONDS * 1000,
    trustsProxy: trusts as NetworkConfig["trustsProxy"], // it reads no second argument
    portalFrameAncestors: value.PORTAL_FRAME_ANCESTORS,
    applicationUrl: value.APPLICATION_URL,
    responseMs: value.RESPONSE_TIMEOUT_SECONDS * 1000,
    rateLimits: value.RATE_LIMITS,
  };
}

function readProxies(text: string): ReturnType<typeof compileTrust> {
  const entries = text.split(",").map((entry) => entry.trim());
  try {
    return compileTrust(entries.filter((entry) => entry !== ""));
  } catch {
    throw new Error("must be addresses or ranges such as 10.0.0.0/8, separated by commas.");
  }
}

function readOrigins(text: string): string[] {
  const entries = text.split(",").map((entry) => entry.trim());
  const origins = entries.filter((entry) => entry !== "");
  if (origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin)) return origins;
  throw new Error("must be origins such as https://app.example.com, separated by commas.");
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
