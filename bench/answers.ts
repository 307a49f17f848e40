/** Checks that systems answer with the rows of the database. Figures of different answers cannot be compared. */
import { Client } from "pg";
import type { Data } from "./data.ts";
import type { Figure } from "./figure.ts";
import type { System, SystemName } from "./systems.ts";

/** Reads the ids of the rows from an answer, by system. Undefined if the answer has another form. */
// biome-ignore lint/suspicious/noExplicitAny: any JSON
type ReadIds = (body: any) => (string | undefined)[] | undefined;
type Row = { id?: string; userId?: string };

const readIds: Record<"get" | "list" | "members", ReadIds> = {
  get: (body: Row) => [body.id],
  list: (body) => (body.data?.allMemories?.nodes ?? body.data)?.map(({ id }: Row) => id),
  members: (body) => (body.members ?? body.data)?.map(({ userId }: Row) => userId),
};
/** The expected ids for the first target: its memory, the 50 newest memories, all of them readable, and the members. */
const expectedIds = {
  get: "select $2::uuid as id where $1::uuid is not null",
  list: "select id from app.memories where organisation_id = $1 and $2::uuid is not null order by id desc limit 50",
  members: "select person_id as id from app.memberships where organisation_id = $1 and $2::uuid is not null",
};

/** Sends each request once, before the first measurement. @throws Error that names a system with other rows. */
export async function checkAnswers(
  figures: Figure[],
  systems: Map<SystemName, System>,
  { adminUrl, targets: [target] }: Data,
): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    for (const figure of figures) {
      if (!("system" in figure) || figure.system === "baseline") continue;
      if (figure.row !== "get" && figure.row !== "list" && figure.row !== "members") continue;
      const { rows } = await admin.query<{ id: string }>(expectedIds[figure.row], [
        target?.organisationId,
        target?.memoryId,
      ]);
      const ids = new Set(rows.map(({ id }) => id));
      const returned = readIds[figure.row](await send(figure, systems.get(figure.system)?.url ?? ""));
      const distinct = new Set(returned);
      if (distinct.size !== Math.min(ids.size, 50) || returned?.some((id) => id === undefined || !ids.has(id))) {
        throw new Error(`"${figure.label}" returned other rows than the database holds: check its query.`);
      }
    }
  } finally {
    await admin.end();
  }
}

async function send({ requests: [first] }: Extract<Figure, { requests: unknown }>, url: string): Promise<unknown> {
  if (!first) return {};
  const { method, path, headers = {}, body = null } = first;
  const response = await fetch(url + path, { method, headers, body });
  return response.json();
}
