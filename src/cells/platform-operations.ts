/** The operations of a platform key, which concern all cells: each cell has the key. */
import { hash } from "node:crypto";
import { listTag } from "../api/cursors.ts";
import type { DatabaseApi } from "../api/one-database.ts";
import type { Answer, Request } from "../api/request.ts";
import { withinDeadline } from "../api/request.ts";
import { refusal } from "../api/stages/respond.ts";
import { paging } from "../contract/fields.ts";
import { getOrganisation, noOpenCell } from "../contract/platform.ts";
import type { Directory } from "./directory/directory.ts";
import type { OpenCells } from "./open-cells.ts";
import type { Routes } from "./routes.ts";

/** Sends a call to a cell. */
export type AskCell = (cell: DatabaseApi, request: Request) => Promise<Answer>;

export type PlatformOperations = (request: Request, ask: AskCell) => Promise<Answer>;

type Parts = { cells: OpenCells; directory: Directory; routes: Routes };
const noOrganisation = "00000000-0000-0000-0000-000000000000";

type Page = { data: { id: string }[]; nextCursor: string | null };

export function platformOperations({ cells, directory, routes }: Parts): PlatformOperations {
  return (request, ask) => {
    if (request.operation.list) return list(request, ask);
    return request.params.id === undefined ? create(request, ask) : askItsCell(request, request.params.id, ask);
  };

  /** The organisation is known to the directory before its creation is answered: a failure is a 503, and a repeat registers it. */
  async function create(request: Request, ask: AskCell): Promise<Answer> {
    const { bearer = "", idempotencyKey, requestId, operation } = request;
    if (operation.needsIdempotencyKey && !idempotencyKey) return ask(cells.own, request); // refuses it
    const refused = await refusalOfKey(request, ask);
    if (refused) return refused;
    const creation = hash("sha256", `${bearer}\n${idempotencyKey}`, "buffer");
    const wanted = request.query.get("cell") ?? undefined;
    const name = await withinDeadline(request, () => directory.cellForCreation(creation, wanted));
    if (name === undefined) {
      if (wanted === undefined) return refusal("unavailable", requestId, null, "no_open_cell");
      return ask(cells.own, { ...request, problem: { code: "invalid_request", details: [noOpenCell] } });
    }
    const answer = await ask(await cells.get(name), request);
    if (answer.status === 201) {
      const { id } = JSON.parse(answer.body) as { id: string };
      await withinDeadline(request, () => routes.learn({ organisationId: id, cell: name }));
    }
    return answer;
  }

  /** A key that this process does not know is checked first: a caller without one must not write into the directory. */
  async function refusalOfKey(request: Request, ask: AskCell): Promise<Answer | undefined> {
    if (cells.own.callerOf(request)) return undefined;
    const reading = { operation: getOrganisation, params: { id: noOrganisation }, readBody: undefined, again: true };
    const answer = await ask(cells.own, { ...request, ...reading });
    return answer.code === "not_found" ? undefined : answer;
  }

  /** Asks all cells for an organisation that the directory does not know. */
  async function askItsCell(request: Request, organisationId: string, ask: AskCell): Promise<Answer> {
    const known =
      routes.cellOf(organisationId) ??
      (await withinDeadline(request, async () => {
        const name = await directory.cellOf(organisationId);
        return name === undefined ? undefined : cells.get(name);
      }));
    let answer = await ask(known ?? cells.own, request);
    if (answer.code !== "not_found") return answer;
    for (const cell of (await cells.all()).values()) {
      if (cell === (known ?? cells.own)) continue;
      answer = await ask(cell, { ...request, again: true });
      if (answer.code !== "not_found") return answer;
    }
    return answer;
  }

  /** Newest first, as in each cell: a cursor names the last id of a page. One cell that is away makes it a 503. */
  async function list(request: Request, ask: AskCell): Promise<Answer> {
    const others = [...(await cells.all()).values()].filter((cell) => cell !== cells.own);
    const first = await ask(cells.own, request);
    if (first.status !== 200) return first;
    const answers = await Promise.all(others.map((cell) => ask(cell, { ...request, again: true })));
    const failed = answers.find(({ status }) => status !== 200);
    if (failed) return failed;
    const pages = [first, ...answers].map(({ body }) => JSON.parse(body) as Page);
    return { ...first, body: JSON.stringify(merged(pages, request)) };
  }
}

/** A page that is not the last says nothing about ids below its own. */
function merged(pages: Page[], { path, query }: Request): Page {
  const ends = pages.map(({ data, nextCursor }) => (nextCursor === null ? "" : (data.at(-1)?.id ?? "")));
  const lowest = ends.sort().at(-1) ?? "";
  const rows = pages.flatMap(({ data }) => data.filter(({ id }) => id >= lowest));
  const data = rows
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, paging.limit.parse(query.get("limit") ?? undefined));
  const isLast = lowest === "" && data.length === rows.length;
  return { data, nextCursor: isLast ? null : listTag(path) + data.at(-1)?.id.replaceAll("-", "") };
}
