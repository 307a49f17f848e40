/** Search results. A single result opens its page at once. */
import { useEffect } from "preact/hooks";
import { html } from "../html.ts";
import { kindLabel, pageOfResult, type SearchResult } from "../kinds.ts";
import { useLive } from "../live.ts";
import { Heading } from "../parts/heading.ts";
import { shortId } from "../parts/ids.ts";
import { shown } from "../parts/states.ts";
import { table } from "../parts/table.ts";
import { go, type PageProps } from "../place.ts";

type Data = { search: SearchResult[] };

export function SearchPage({ place }: PageProps) {
  const q = place.query.get("q") ?? "";
  const answer = useLive<Data>(q ? "search" : null, { query: q });
  const [first, ...others] = answer.data?.search ?? [];
  const isSingle = first && others.every(({ kind, id }) => kind === first.kind && id === first.id);
  const target = isSingle ? pageOfResult(first) : undefined;
  useEffect(() => {
    if (target) go(target, { instead: true });
  }, [target]);
  return html`<${Heading} title=${q ? `Search for “${q}”` : "Search"} />
    <div class="panel">
      ${
        q
          ? shown(answer, ({ search }) =>
              table(
                "Search results",
                search,
                [
                  {
                    head: "Result",
                    long: true,
                    cell: (found) => {
                      const href = pageOfResult(found);
                      const label = found.label ?? shortId(found.id);
                      return href ? html`<a href=${href}>${label}</a>` : label;
                    },
                  },
                  { head: "Kind", cell: ({ kind }) => kindLabel(kind) },
                  { head: "Id", cell: ({ id }) => html`<code>${id}</code>` },
                  {
                    head: "Organisation",
                    cell: ({ kind, organisationId }) =>
                      kind !== "organisation" &&
                      organisationId &&
                      html`<a href=${`/organisations/${organisationId}`}>open</a>`,
                  },
                ],
                { key: ({ kind, id, label }) => `${kind} ${id} ${label}`, none: nothingFound },
              ),
            )
          : html`<p class="empty">${hint}</p>`
      }
    </div>
    ${q && html`<p class="quiet">${hint}</p>`}`;
}

const hint =
  "Search for an id (of a request, too), a whole email address, the first twelve characters of a key, or part of an organisation’s name.";
const nothingFound = "No results.";
