/** The real console over a test's database, in this process or in its own, and requests to it. */
import { request as send } from "node:http";
import { readConfig } from "../../src/config.ts";
import { startConsole } from "../../src/console/server.ts";
import { freePort } from "../../src/database/embedded/port.ts";
import { type Credential, makeCredential } from "../../src/secrets/credentials.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { log } from "./logged.ts";
import { ofFile } from "./of-file.ts";
import { answersAt, runProgram, untilWorks } from "./program.ts";

export type Token = Credential & { id: string; name: string };

export type Answer = { status: number; headers: Headers; text: string };

export type GraphQlResult = {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the query determines the data
  data: any;
  errors?: { message: string; extensions?: { code?: string } }[];
};

export type TestConsole = {
  url: string;
  /** Sends a GraphQL request with a bearer token. */
  ask(query: string, token: string, variables?: object): Promise<GraphQlResult>;
  stop(): Promise<void>;
};

/** @param settings environment variables in addition to the defaults of tests */
export async function testConsole(db: TestDatabase, settings: Record<string, string> = {}): Promise<TestConsole> {
  const port = await freePort();
  const config = readConfig({ DATA_DIR: db.dataDir, CONSOLE_PORT: String(port), ...settings });
  let running: { stop(): Promise<void> } | undefined = await startConsole(config, db.adminUrl, db.key, log);
  return consoleAt(port, async () => {
    const ended = running;
    running = undefined; // as in of-file.ts
    await ended?.stop();
  });
}

/** `botstead console` with exactly these environment variables. */
export async function consoleProcess(env: Record<string, string>): Promise<TestConsole> {
  const port = await freePort();
  const program = runProgram(["console"], { env: { ...env, CONSOLE_PORT: String(port) } });
  const { url, ...rest } = consoleAt(port, async () => void (await program.kill("SIGTERM")));
  await untilWorks(program, () => answersAt(url));
  return { url, ...rest };
}

function consoleAt(port: number, stop: TestConsole["stop"]): TestConsole {
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    stop,
    async ask(query, token, variables) {
      const response = await fetch(`${url}/graphql`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ query, variables }),
      });
      return { status: response.status, ...((await response.json()) as Omit<GraphQlResult, "status">) };
    },
  };
}

/** A database and its console: started before the file's tests and stopped after them. */
export function consoleOfFile(): { db: TestDatabase; testServer: TestConsole } {
  return ofFile(
    async (here) => {
      here.db = await testDatabase();
      here.testServer = await testConsole(here.db);
    },
    async ({ testServer, db }) => {
      await testServer?.stop();
      await db?.drop();
    },
  );
}

export async function mintToken(db: TestDatabase, scope: "view" | "act", name = `Otto ${scope}`): Promise<Token> {
  const credential = makeCredential("bso");
  const [row] = await db.sql<{ id: string }>("select operator.mint_token($1, $2, 1, $3) as id", [
    name,
    scope,
    credential.digest,
  ]);
  return { ...credential, id: row?.id ?? "", name };
}

/** Sends one request with exactly these headers, including Host, which fetch does not allow. */
export function sendRaw(url: string, headers: Record<string, string>, method = "GET", body = ""): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = send(url, { method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.once("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: flattened(response.headers), text }),
      );
    });
    request.once("error", reject);
    request.end(body);
  });
}

function flattened(headers: Record<string, string | string[] | undefined>): Headers {
  return new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => [name, one] as [string, string]),
    ),
  );
}
