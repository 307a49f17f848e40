/** One connection, for one transaction at a time. Calls of one statement can share it. It opens again after a loss. */
import { type ClientConfig, DatabaseError } from "pg";
import { AbortableClient } from "./client.ts";
import { TextQuery, type TextStatement, type Texts, type Values } from "./text-query.ts";

export type Call = {
  statement: TextStatement;
  values: Values;
  /** Deadline on the clock of `performance.now`; the statement is not sent later. */
  until: number | undefined;
  resolve(text: string | null): void;
  reject(error: Error): void;
};

export type PipelinedConnection<C extends Call> = {
  isOpen(): boolean;
  /** Whether it has no transaction without a response. */
  isIdle(): boolean;
  /** Sends calls of one statement as one transaction. */
  send(calls: C[]): void;
  /** Closes it if it had no transaction since the last call of this. */
  closeIfUnused(): void;
  /** The next statement opens it again. */
  close(): Promise<void>;
};

/**
 * Called once for each transaction.
 *
 * @param error after which nothing was committed if it is a DatabaseError
 * @param texts of all calls; if one failed, of those before it
 */
type OnEnd<C extends Call> = (calls: C[], error: Error | null, texts: Texts) => void;

/** The message of pg, which `isOutage` knows. */
export const notSent = () => new Error("timeout exceeded when trying to connect");

/** The connection opens for the first statement. */
export function pipelinedConnection<C extends Call>(settings: ClientConfig, onEnd: OnEnd<C>): PipelinedConnection<C> {
  let latest: AbortableClient | undefined;
  let connecting: Promise<AbortableClient> | undefined;
  let open: AbortableClient | undefined;
  let isIdle = true;
  let isUsed = false;
  let closing: Promise<void> | undefined;

  function connect(): Promise<AbortableClient> {
    const client = new AbortableClient(settings);
    latest = client;
    client.on("error", () => forget(client));
    client.once("end", () => forget(client));
    return client.connect().then(
      () => {
        if (latest === client) open = client;
        return client;
      },
      (error: Error) => {
        forget(client);
        throw error;
      },
    );
  }

  /** The next statement opens another connection. */
  function forget(client: AbortableClient): void {
    if (latest !== client) return;
    latest = undefined;
    connecting = undefined;
    open = undefined;
  }

  function sendCalls(calls: C[]): void {
    isIdle = false;
    let sentBy: AbortableClient | undefined;
    const done = (error: Error | null, texts: Texts = []) => {
      isIdle = true;
      isUsed = true;
      // The server must not receive a statement whose caller already got a 503. An orderly end would leave it in the
      // system's send buffer.
      if (sentBy && error && !(error instanceof DatabaseError)) {
        sentBy.abort();
        forget(sentBy);
      }
      onEnd(calls, error, texts);
    };
    const [{ statement }] = calls as [C];
    const query = new TextQuery(
      statement,
      calls.map(({ values }) => values),
      done,
    );
    const sendTo = (client: AbortableClient) => {
      const leftMs = Math.min(...calls.map(({ until }) => until ?? Number.POSITIVE_INFINITY)) - performance.now();
      if (leftMs <= 0) {
        done(notSent()); // connecting may have used the time
        return;
      }
      // A time-out resets the connection.
      if (leftMs < (settings.query_timeout ?? Number.POSITIVE_INFINITY)) query.query_timeout = leftMs;
      sentBy = client;
      client.query(query);
    };
    if (open) sendTo(open);
    else {
      connecting ??= closing ? closing.then(connect) : connect();
      connecting.then(sendTo, done);
    }
  }

  async function close(): Promise<void> {
    if (latest && connecting) {
      closing = connecting.then((client) => client.end()).catch(() => {});
      forget(latest);
    }
    await closing;
  }

  return {
    isOpen: () => open !== undefined,
    isIdle: () => isIdle,
    send: sendCalls,
    closeIfUnused() {
      if (open && isIdle && !isUsed) void close();
      isUsed = false;
    },
    close,
  };
}
