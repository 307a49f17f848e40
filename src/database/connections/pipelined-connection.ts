/** One connection, for one transaction at a time. Calls of one statement can share it. It opens again after a loss. */
import type { Socket } from "node:net";
import { type ClientConfig, type Connection, DatabaseError, Query } from "pg";
import { AbortableClient } from "./client.ts";
import type { TextStatement, Values } from "./pool.ts";

/** A result is null for SQL null, and undefined if the statement returned no row. */
export type Texts = (string | null | undefined)[];

export type Call = {
  statement: TextStatement;
  values: Values;
  /** Deadline on the clock of `performance.now`; the statement is not sent later. */
  until: number | undefined;
  resolve(text: string | null): void;
  reject(error: Error): void;
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
export function pipelinedConnection<C extends Call>(settings: ClientConfig, onEnd: OnEnd<C>) {
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

  /** Sends calls of one statement as one transaction. */
  function send(calls: C[]): void {
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

  /** The next statement opens it again. */
  async function close(): Promise<void> {
    if (latest && connecting) {
      closing = connecting.then((client) => client.end()).catch(() => {});
      forget(latest);
    }
    await closing;
  }

  return {
    isOpen: () => open !== undefined,
    /** Whether it has no transaction without a response. */
    isIdle: () => isIdle,
    send,
    /** Closes it if it had no transaction since the last call of this. */
    closeIfUnused() {
      if (open && isIdle && !isUsed) void close();
      isUsed = false;
    },
    close,
  };
}

/** Receives a result for each call, or the error with the results of the calls before the failed call. */
type Done = (error: Error | null, texts?: Texts) => void;

/** The protocol methods of pg's Connection; its published types are older. */
type Wire = Connection & {
  stream: Socket;
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse(statement: TextStatement): void;
  bind(statement: { statement: string; values: Values }): void;
  execute(): void;
};

/**
 * Calls of one statement in one transaction, each with one text value as its result: Bind and Execute for each, then one
 * Sync, which commits. It skips what pg does beyond that: describing columns and building row objects.
 */
class TextQuery extends Query {
  declare name: string;
  declare text: string;
  /** pg wraps it to clear its time-outs. */
  declare callback: Done;
  /** In milliseconds; pg prefers it to the connection's. */
  declare query_timeout?: number;
  readonly #calls: Values[];
  readonly #texts: Texts = [];
  #completed = 0;

  constructor({ name, text }: TextStatement, calls: Values[], callback: Done) {
    super(text);
    this.name = name;
    this.callback = callback;
    this.#calls = calls;
  }

  /** For pg: the extended protocol also for an unnamed statement. */
  requiresPreparation(): boolean {
    return true;
  }

  /** Called by pg to send the query. */
  prepare(connection: Wire): void {
    const { name, text } = this;
    connection.stream.cork(); // one system call for all messages
    if (name === "") {
      connection.parse({ name, text });
    } else if (!connection.parsedStatements[name] && !connection.submittedNamedStatements[name]) {
      connection.parse({ name, text });
      connection.submittedNamedStatements[name] = text;
    }
    for (const values of this.#calls) {
      connection.bind({ statement: name, values });
      connection.execute();
    }
    connection.sync();
    connection.stream.uncork();
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#texts[this.#completed] = fields[0];
  }

  handleCommandComplete(): void {
    this.#completed += 1;
  }

  handleReadyForQuery(): void {
    this.callback(null, this.#texts);
  }

  /**
   * PostgreSQL sends an error before it releases the transaction's locks. A client that retries at once with the same
   * Idempotency-Key would meet the lock of its failed request. So the callback waits until the session is ready again
   * or has ended.
   */
  handleError(error: Error, connection: Connection): void {
    if (!(error instanceof DatabaseError)) {
      this.callback(error, this.#texts);
      return;
    }
    const report = () => {
      connection.off("readyForQuery", report);
      connection.off("end", report);
      this.callback(error, this.#texts);
    };
    connection.on("readyForQuery", report);
    connection.on("end", report);
  }
}
