import { Client, type QueryResultRow } from "pg";

/** Whether the server takes queries. */
export const answers = (url: string): Promise<boolean> =>
  query(url, "select 1").then(
    () => true,
    () => false,
  );

/** With its own connection, whose termination by the server does not fail the test. */
export async function query<Row extends QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
