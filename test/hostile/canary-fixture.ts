/**
 * Botstead as `start` runs it, with all processes at the most verbose log level. Its external services quote every
 * request in their errors, because such texts reach logs.
 */
import { appendFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Client } from "pg";
import { SMTPServer } from "smtp-server";
import { findDatabase } from "../../src/database/access.ts";
import { accountFor } from "../../src/database/embedded/account.ts";
import { findBinaries } from "../../src/database/embedded/binaries.ts";
import { createCluster } from "../../src/database/embedded/cluster.ts";
import { freePort } from "../../src/database/embedded/port.ts";
import { loadMasterKey, type MasterKey } from "../../src/secrets/master-key.ts";
import { type CallOptions, callerOf, type Json, type Reply } from "../support/api.ts";
import { type Collector, startCollector } from "../support/collector.ts";
import { type Installation, keyIn, makeInstallation, type Started } from "../support/installation.ts";
import { command, killPrograms } from "../support/program.ts";
import { secrets, unkept, words } from "./canaries.ts";

export type CanaryFixture = {
  home: Installation;
  started: Started;
  collector: Collector;
  master: MasterKey;
  key: string;
  /** Status, headers and body of each refusal. */
  refused: string[];
  /** Their codes. */
  codes: Set<string>;
  /** Parts that have refused something so far. */
  failures: Set<"model" | "mail" | "proxy">;
  /** As an admin of the demo organisation, unless another key is given. */
  send(method: string, path: string, body?: unknown, more?: CallOptions): Promise<Reply<Json>>;
  site: string;
  console: string;
  /** Queries the running database as administrator. */
  connect(): Promise<Client>;
  /** Runs a CLI command and returns its output. */
  botstead(...args: string[]): Promise<string>;
  close(): Promise<void>;
};

export async function openCanaryFixture(): Promise<CanaryFixture> {
  const failures: CanaryFixture["failures"] = new Set();
  const models = parrot(failures);
  const proxy = createServer().on("connect", (_request, socket) => {
    failures.add("proxy");
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  });
  const smtp = forgetfulMailServer(failures);
  const collector = await startCollector();
  const smtpPort = await listening(smtp);
  const home = await makeInstallation(undefined, {
    LOG_LEVEL: "trace",
    METRICS_PORT: String(await freePort()),
    MODEL_BASE_URL: `http://127.0.0.1:${await listening(models)}`,
    MODEL_API_KEY: unkept.modelKey,
    SMTP_URL: `smtp://botstead:${unkept.smtpPassword}@127.0.0.1:${smtpPort}`,
    WEBHOOK_PROXY: `http://botstead:${unkept.proxyPassword}@127.0.0.1:${await listening(proxy)}`,
    WEBHOOK_ALLOW_RANGES: "127.0.0.0/8",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  });
  const master = loadMasterKey({ dataDir: home.dataDir, masterKey: undefined });
  await makeCountingCluster(home.dataDir, master);
  const started = await home.start();
  const site = home.api.replace("/api/v1", "");
  const call = callerOf(site);
  const botstead = async (...args: string[]) => (await command(args, { env: home.env })).stdout.trim();
  const demo = ["--organisation", "Demo", "--person", "owner@demo.example"];
  const key = await botstead("key", "mint", ...demo, "--name", "canary", "--scope", "admin");
  Object.assign(secrets, { key, demoKey: keyIn(started.panel), superuserPassword: master.password("postgres") });
  for (const role of ["owner", "server", "worker", "runner", "operator", "cli"]) {
    secrets[`password of ${role}`] = master.password(role);
  }
  const refused: string[] = [];
  const codes = new Set<string>();
  return {
    home,
    started,
    collector,
    master,
    key,
    refused,
    codes,
    failures,
    site,
    console: `http://127.0.0.1:${home.env.CONSOLE_PORT}`,
    async send(method, path, body, more = {}) {
      const reply = await call(method, path, { key, body, ...more });
      if (reply.status >= 400) {
        refused.push(JSON.stringify([reply.status, [...reply.headers], reply.text]));
        codes.add(reply.body.error?.code);
      }
      return reply;
    },
    async connect() {
      const url = await findDatabase({ dataDir: home.dataDir, databaseUrl: undefined }, master);
      const client = new Client({ connectionString: url });
      client.on("error", () => {});
      await client.connect();
      return client;
    },
    botstead,
    async close() {
      await home.remove();
      await killPrograms();
      await collector.close();
      for (const server of [models, proxy]) {
        server.close();
        server.closeAllConnections();
      }
      await new Promise<void>((resolve) => smtp.close(() => resolve()));
    },
  };
}

/** The cluster that `start` would create, with pg_stat_statements from its first start. */
async function makeCountingCluster(dataDir: string, master: MasterKey): Promise<void> {
  const cluster = join(dataDir, "postgres");
  const account = accountFor(cluster);
  await createCluster(cluster, { binaries: findBinaries(account), account, password: master.password("postgres") });
  const settings = {
    shared_preload_libraries: "pg_stat_statements",
    "pg_stat_statements.track": "all", // includes statements in functions
    "pg_stat_statements.max": "20000", // large enough to evict nothing
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  appendFileSync(join(cluster, "postgresql.auto.conf"), lines.join(""));
}

const listening = (server: Server | SMTPServer) =>
  new Promise<number>((resolve) => {
    const inner = "server" in server ? server.server : server;
    server.listen(0, "127.0.0.1", () => resolve((inner.address() as AddressInfo).port));
  });

/** A model service that answers every request with an error that quotes the key and the request. */
function parrot(failures: CanaryFixture["failures"]): Server {
  return createServer((request, response) => {
    if (request.url === "/models") {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ object: "list", data: [{ id: "parrot", object: "model" }] }));
      return;
    }
    let received = "";
    request.on("data", (part) => (received += part));
    request.on("end", () => {
      failures.add("model");
      response.writeHead(400, { "content-type": "application/json" });
      const message = `${unkept.modelAnswer} ${request.headers.authorization} ${received}`;
      response.end(JSON.stringify({ error: { message, type: "invalid_request_error", code: unkept.modelAnswer } }));
    });
  });
}

/** Refuses the address of the invited person and quotes it; accepts every other mail. */
function forgetfulMailServer(failures: CanaryFixture["failures"]): SMTPServer {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onAuth: (_auth, _session, callback) => callback(null, { user: "botstead" }),
    onRcptTo({ address }, _session, callback) {
      if (address !== words.invited) return callback();
      failures.add("mail");
      return callback(Object.assign(new Error(`<${address}> is not known here`), { responseCode: 450 }));
    },
    onData(stream, _session, callback) {
      stream.resume().once("end", () => callback());
    },
  });
  smtp.on("error", () => {}); // one of the terminated sessions is sending a mail
  return smtp;
}
