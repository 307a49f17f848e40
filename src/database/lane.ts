/**
 * A lane: a few connections that statements share. Each statement is its own transaction, and none waits in Node for the
 * answer to the one before it on its connection, up to as many as the lane says.
 */
import { Socket } from "node:net";
import { Client, type ClientConfig, type Pool } from "pg";
import { TextQuery, type TextStatement } from "./text-query.ts";

export type Values = (string | Buffer | null)[];

/** As a Pool of pg counts. Who waits has not been sent yet, or stands behind another on the same connection. */
export type LaneCounts = Pick<Pool, "totalCount" | "idleCount" | "waitingCount">;

export type Lane = {
  counts: LaneCounts;
  /** @throws Error of pg, or of the connection. */
  ask(statement: TextStatement, values: Values): Promise<string>;
  close(): Promise<void>;
};

export type Width = {
  connections: number;
  /** Statements on one connection at a time. */
  each: number;
};

/** What could not be sent within this time is not sent any more. */
const patienceMs = 1_200;

type Call = {
  statement: TextStatement;
  values: Values;
  since: number;
  resolve(text: string): void;
  reject(error: Error): void;
};

export function openLane(settings: ClientConfig, { connections, each }: Width): Lane {
  const shared = Array.from({ length: connections }, () => sharedConnection(settings, each > 1, next));
  const waiting: Call[] = [];

  /** The first that takes one more, so that no more are open than are needed. */
  const free = () => shared.find((connection) => connection.busy() < each);

  function next(): void {
    const now = performance.now();
    while (waiting.length > 0) {
      const call = waiting[0] as Call;
      const expired = now - call.since > patienceMs;
      const connection = expired ? undefined : free();
      if (!expired && !connection) return;
      waiting.shift();
      if (connection) connection.send(call);
      else call.reject(new Error("timeout exceeded when trying to connect"));
    }
  }

  return {
    counts: {
      get totalCount() {
        return shared.filter((connection) => connection.isOpen()).length;
      },
      get idleCount() {
        return shared.filter((connection) => connection.isOpen() && connection.busy() === 0).length;
      },
      get waitingCount() {
        return shared.reduce((count, connection) => count + Math.max(connection.busy() - 1, 0), waiting.length);
      },
    },
    ask: (statement, values) =>
      new Promise((resolve, reject) => {
        const call: Call = { statement, values, since: performance.now(), resolve, reject };
        const connection = waiting.length === 0 ? free() : undefined;
        if (connection) connection.send(call);
        else waiting.push(call);
      }),
    async close() {
      await Promise.all(shared.map((connection) => connection.close()));
    },
  };
}

/**
 * One connection, opened when first asked for, and again whenever it was lost.
 *
 * @param gathers whether several statements may be sent together
 * @param isFree called when a statement is over
 */
function sharedConnection(settings: ClientConfig, gathers: boolean, isFree: () => void) {
  let current: Promise<Client> | undefined;
  let open: Client | undefined;
  let socket = new Socket();
  let gathering = false;
  let underWay = 0;

  function connect(): Promise<Client> {
    const own = new Socket();
    socket = own;
    const client = new Client({ ...settings, pipeline: true, stream: () => own });
    const opening = client.connect().then(() => {
      if (current === opening) open = client;
      return client;
    });
    const forget = () => {
      if (current !== opening) return;
      current = undefined;
      open = undefined;
    };
    client.on("error", forget);
    client.once("end", forget);
    opening.catch(forget);
    return opening;
  }

  /** What is sent within one turn of the event loop goes out together: a system call for all requests that came in. */
  function gather(): void {
    if (gathering) return;
    gathering = true;
    const corked = socket;
    corked.cork();
    setImmediate(() => {
      gathering = false;
      corked.uncork();
    });
  }

  return {
    isOpen: () => open !== undefined,
    busy: () => underWay,
    send({ statement, values, resolve, reject }: Call): void {
      underWay += 1;
      const done = (error: Error | null, text?: string) => {
        underWay -= 1;
        if (error) reject(error);
        else if (text === undefined) reject(new Error(`${statement.name} answered no text`));
        else resolve(text);
        isFree();
      };
      const query = new TextQuery(statement, values, done);
      const sendTo = (client: Client) => {
        if (gathers) gather();
        client.query(query);
      };
      current ??= connect();
      if (open) sendTo(open);
      else current.then(sendTo, done);
    },
    async close() {
      await current?.then((client) => client.end()).catch(() => {});
    },
  };
}
