/**
 * A query that returns one text value. It skips what pg does beyond that: describing columns and building row objects.
 * Measured in docs/performance.md.
 */
import { type Connection, DatabaseError, Query } from "pg";

/** A named statement is parsed once per connection; an unnamed one each time, as poolers need it. */
export type TextStatement = { name: string; text: string };

/** The protocol methods of pg's Connection; its published types are older. */
type Wire = Connection & {
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse(statement: TextStatement): void;
  bind(statement: { statement: string; values: (string | Buffer | null)[] }): void;
  execute(): void;
};

/** Receives the text, or null for SQL null; or the error. */
export type TextCallback = (error: Error | null, text?: string | null) => void;

export class TextQuery extends Query {
  declare name: string;
  declare text: string;
  declare values: (string | Buffer | null)[];
  /** pg wraps it to clear its time-outs. */
  declare callback: TextCallback;
  /** In milliseconds; pg prefers it to the connection's. */
  declare query_timeout?: number;
  #answer: string | null | undefined;

  constructor({ name, text }: TextStatement, values: (string | Buffer | null)[], callback: TextCallback) {
    super(text);
    this.name = name;
    this.values = values;
    this.callback = callback;
  }

  /** Called by pg to send the query. */
  prepare(connection: Wire): void {
    const { name, text, values } = this;
    if (name === "") {
      connection.parse({ name, text });
    } else if (!connection.parsedStatements[name] && !connection.submittedNamedStatements[name]) {
      connection.parse({ name, text });
      connection.submittedNamedStatements[name] = text;
    }
    connection.bind({ statement: name, values });
    connection.execute();
    connection.sync();
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#answer = fields[0];
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.callback(null, this.#answer);
  }

  /**
   * PostgreSQL sends an error before it releases the transaction's locks. A client that retries at once with the same
   * Idempotency-Key would meet the lock of its failed request. So the callback waits until the session is ready again
   * or has ended.
   */
  handleError(error: Error, connection: Connection): void {
    if (!(error instanceof DatabaseError)) {
      this.callback(error);
      return;
    }
    const report = () => {
      connection.off("readyForQuery", report);
      connection.off("end", report);
      this.callback(error);
    };
    connection.on("readyForQuery", report);
    connection.on("end", report);
  }
}
