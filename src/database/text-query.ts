/**
 * A statement that answers one text, as all of the API is asked for. What pg does beyond that is left out: the server is
 * not asked what columns there are, and no row is made of them. (docs/performance.md shows what this buys.)
 */
import { type Connection, DatabaseError, Query } from "pg";

/** With a name it is parsed once a connection; with an empty one each time, as poolers want it. */
export type TextStatement = { name: string; text: string };

/** What a Connection of pg is to a query; its types know an older form of these. */
type Wire = Connection & {
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse(statement: TextStatement): void;
  bind(statement: { statement: string; values: (string | Buffer | null)[] }): void;
  execute(): void;
};

/** Told of the text, null where SQL says null; or of what kept it from being answered. */
export type TextCallback = (error: Error | null, text?: string | null) => void;

export class TextQuery extends Query {
  declare name: string;
  declare text: string;
  declare values: (string | Buffer | null)[];
  /** pg puts one of its own in its place, which knows of time-outs. */
  declare callback: TextCallback;
  /** For pg: in milliseconds, in place of the connection's. */
  declare query_timeout?: number;
  #answer: string | null | undefined;

  constructor({ name, text }: TextStatement, values: (string | Buffer | null)[], callback: TextCallback) {
    super(text);
    this.name = name;
    this.values = values;
    this.callback = callback;
  }

  /** Called by pg to send it. */
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
   * PostgreSQL reports an error first and gives up its locks after that; whoever is told of it and asks again at once,
   * under the same Idempotency-Key, must not find the lock of their own failed request. So an error is told when the
   * session is ready again, or has ended.
   */
  handleError(error: Error, connection: Connection): void {
    if (!(error instanceof DatabaseError)) {
      this.callback(error);
      return;
    }
    const tell = () => {
      connection.off("readyForQuery", tell);
      connection.off("end", tell);
      this.callback(error);
    };
    connection.on("readyForQuery", tell);
    connection.on("end", tell);
  }
}
