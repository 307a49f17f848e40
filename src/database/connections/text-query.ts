/**
 * Calls of one statement in one transaction, each with one text value as its result: Bind and Execute for each, then one
 * Sync, which commits. It skips what pg does beyond that: describing columns and building row objects. Measured in
 * docs/performance.md.
 */
import type { Socket } from "node:net";
import { type Connection, DatabaseError, Query } from "pg";

export type TextStatement = {
  /** A named statement is parsed once per connection. An unnamed statement is parsed each time, as poolers need it. */
  name: string;
  text: string;
};

export type Values = (string | Buffer | null)[];

/** The protocol methods of pg's Connection; its published types are older. */
type Wire = Connection & {
  stream: Socket;
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse(statement: TextStatement): void;
  bind(statement: { statement: string; values: Values }): void;
  execute(): void;
};

/** A result is null for SQL null, and undefined if the statement returned no row. */
export type Texts = (string | null | undefined)[];
/** Receives a result for each call, or the error with the results of the calls before the failed call. */
export type TextCallback = (error: Error | null, texts?: Texts) => void;

export class TextQuery extends Query {
  declare name: string;
  declare text: string;
  /** pg wraps it to clear its time-outs. */
  declare callback: TextCallback;
  /** In milliseconds; pg prefers it to the connection's. */
  declare query_timeout?: number;
  readonly #calls: Values[];
  readonly #texts: Texts = [];
  #completed = 0;

  constructor({ name, text }: TextStatement, calls: Values[], callback: TextCallback) {
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
