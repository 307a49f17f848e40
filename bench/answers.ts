/** Whether contestants answer with the rows that are there: a figure of something else would compare nothing. */
import { Client } from "pg";
import type { Contestant, ContestantName } from "./contest.ts";
import type { Data } from "./data.ts";
import type { Figure } from "./figure.ts";

/** Where the ids of the rows lie in an answer, by contestant. Undefined where the answer is another one. */
// biome-ignore lint/suspicious/noExplicitAny: any JSON
type Shown = (body: any) => (string | undefined)[] | undefined;
type Row = { id?: string; userId?: string };

const shown: Record<"get" | "list" | "members", Shown> = {
  get: (body: Row) => [body.id],
  list: (body) => (body.data?.allMemories?.nodes ?? body.data)?.map(({ id }: Row) => id),
  members: (body) => (body.members ?? body.data)?.map(({ userId }: Row) => userId),
};
/** Of the first target: the claim; the newest fifty, of which its person reads all; and those of whom fifty are a page. */
const there = {
  get: "select $2::uuid as id where $1::uuid is not null",
  list: "select id from app.memories where organisation_id = $1 and $2::uuid is not null order by id desc limit 50",
  members: "select person_id as id from app.memberships where organisation_id = $1 and $2::uuid is not null",
};

/** Asks each once, before anything is measured. @throws Error in a sentence that names who answers otherwise. */
export async function checkAnswers(
  figures: Figure[],
  contestants: Map<ContestantName, Contestant>,
  { adminUrl, targets: [target] }: Data,
): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    for (const figure of figures) {
      if (!("contestant" in figure) || figure.contestant === "ground") continue;
      if (figure.row !== "get" && figure.row !== "list" && figure.row !== "members") continue;
      const { rows } = await admin.query<{ id: string }>(there[figure.row], [target?.organisationId, target?.memoryId]);
      const ids = new Set(rows.map(({ id }) => id));
      const given = shown[figure.row](await ask(figure, contestants.get(figure.contestant)?.url ?? ""));
      const distinct = new Set(given);
      if (distinct.size !== Math.min(ids.size, 50) || given?.some((id) => id === undefined || !ids.has(id))) {
        throw new Error(`"${figure.label}" answers with other rows than are there.`);
      }
    }
  } finally {
    await admin.end();
  }
}

async function ask({ requests: [first] }: Extract<Figure, { requests: unknown }>, url: string): Promise<unknown> {
  if (!first) return {};
  const { method, path, headers = {}, body = null } = first;
  const response = await fetch(url + path, { method, headers, body });
  return response.json();
}
