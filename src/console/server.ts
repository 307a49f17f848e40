/**
 * The operators' console: GraphQL over schema `operator`, as role operator, on a port of its own, closed to everybody
 * without an operator's token. Read-only: schema operator shows views here, and its functions are for the command line.
 */
import { createServer } from "node:http";
import express, { type NextFunction, type Request, type Response } from "express";
import { postgraphile } from "postgraphile";
import { grafserv } from "postgraphile/grafserv/express/v4";
import type { Config } from "../config.ts";
import { patientPool } from "../database/patient-pool.ts";
import { urlAs } from "../database/urls.ts";
import { listen } from "../http/server.ts";
import type { Log } from "../log.ts";
import { classOf, digestOf } from "../secrets/credentials.ts";
import type { MasterKey } from "../secrets/master-key.ts";
import { consolePreset } from "./preset.ts";

export type RunningConsole = { stop(): Promise<void> };

export async function startConsole(
  config: Pick<Config, "host" | "consolePort">,
  adminUrl: string,
  key: MasterKey,
  log: Log,
): Promise<RunningConsole> {
  const pool = patientPool(
    {
      connectionString: urlAs("operator", adminUrl, key),
      max: 4,
      application_name: "botstead console",
    },
    { patienceMs: 60_000 }, // a person waits for the answer
  );

  async function requireToken(request: Request, response: Response, next: NextFunction): Promise<void> {
    const token = tokenOf(request);
    if (token && classOf(token) === "bso") {
      const { rows } = await pool.query<{ admitted: boolean }>("select operator.admits($1) as admitted", [
        digestOf(token),
      ]);
      if (rows[0]?.admitted) return next();
    }
    response
      .status(401)
      .set({ "www-authenticate": 'Basic realm="Botstead console", charset="UTF-8"', "cache-control": "no-store" })
      .type("text/plain")
      .end("The console opens with an operator's token, as the password: npx botstead operator mint --name you\n");
  }

  const app = express().disable("x-powered-by");
  const server = createServer(app);
  app.get("/healthz", (_request, response) => void response.json({ status: "ok" }));
  app.use((request, response, next) => {
    requireToken(request, response, next).catch(next);
  });
  app.get("/", (_request, response) => response.redirect("/graphiql"));
  const instance = postgraphile(consolePreset(pool));
  await instance.getSchema(); // a schema that can't be built must show now, and not to the first who asks
  await instance.createServ(grafserv).addTo(app, server);
  app.use((error: Error, _request: Request, response: Response, _next: NextFunction) => {
    log.error({ error: error.message }, "console");
    if (!response.headersSent) response.status(503).type("text/plain").end("The console can't answer right now.\n");
  });
  const release = async () => {
    await instance.release();
    await pool.end();
  };
  await listen(server, config.consolePort, config.host).catch(async (error: Error) => {
    await release(); // or its connections would keep the process for seconds after it has said why it ends
    throw error;
  });
  return {
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
      await release();
    },
  };
}

/** A browser asks for a name and a password; a script sends a bearer. */
function tokenOf(request: Request): string | undefined {
  const [scheme = "", value = ""] = (request.headers.authorization ?? "").split(/ +/, 2);
  if (/^bearer$/i.test(scheme)) return value;
  if (/^basic$/i.test(scheme)) return Buffer.from(value, "base64").toString("utf8").split(":").slice(1).join(":");
  return undefined;
}
