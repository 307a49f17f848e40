/** One connection that accepts several statements before the first has its response. It opens again after a loss. */
import { type ClientConfig, DatabaseError } from "pg";
import { AbortableClient } from "./client.ts";
import { TextQuery, type TextStatement } from "./text-query.ts";

export type Values = (string | Buffer | null)[];

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
  /** The number of statements without a response. */
  pending(): number;
  send(call: C): void;
  close(): Promise<void>;
};

/** The message of pg, which `isOutage` knows. */
export const notSent = () => new Error("timeout exceeded when trying to connect");

/**
 * The connection opens for the first statement.
 *
 * @param isShared whether several statements may be pending
 */
export function pipelinedConnection<C extends Call>(
  settings: ClientConfig,
  isShared: boolean,
  onDone: (call: C) => void,
): PipelinedConnection<C> {
  let latest: AbortableClient | undefined;
  let connecting: Promise<AbortableClient> | undefined;
  let open: AbortableClient | undefined;
  let pending = 0;

  function connect(): Promise<AbortableClient> {
    const client = new AbortableClient({ ...settings, pipeline: true });
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

  return {
    isOpen: () => open !== undefined,
    pending: () => pending,
    send(call) {
      const { statement, values, until, resolve, reject } = call;
      pending += 1;
      let sentBy: AbortableClient | undefined;
      const done = (error: Error | null, text?: string | null) => {
        pending -= 1;
        // The server must not receive a statement whose caller already got a 503. An orderly end would leave it in the
        // system's send buffer.
        if (sentBy && error && !(error instanceof DatabaseError)) {
          sentBy.abort();
          forget(sentBy);
        }
        if (error) reject(error);
        else if (text === undefined) reject(new Error("the statement returned no row"));
        else resolve(text);
        onDone(call);
      };
      const query = new TextQuery(statement, values, done);
      const sendTo = (client: AbortableClient) => {
        if (until !== undefined) {
          const leftMs = until - performance.now(); // connecting may have used some of it
          if (leftMs <= 0) return done(notSent());
          // A time-out resets the connection. Shared connections only carry reads, which may still run.
          if (!isShared) query.query_timeout = Math.min(leftMs, settings.query_timeout ?? leftMs);
        }
        sentBy = client;
        if (isShared) client.cork();
        client.query(query);
      };
      if (open) return sendTo(open);
      connecting ??= connect();
      connecting.then(sendTo, done);
    },
    async close() {
      await connecting?.then((client) => client.end()).catch(() => {});
    },
  };
}
