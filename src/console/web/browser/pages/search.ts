/** What was searched for; where one thing alone is meant, its page at once. */
import { useEffect } from "preact/hooks";
import { html } from "../html.ts";
import { type Found, foundAt, kindWords } from "../kinds.ts";
import { useLive } from "../live.ts";
import { Heading } from "../parts/heading.ts";
import { shortId } from "../parts/ids.ts";
import { shown } from "../parts/states.ts";
import { table } from "../parts/table.ts";
import { go, type PageProps } from "../place.ts";

type Data = { search: Found[] };

export function SearchPage({ place }: PageProps) {
  const q = place.query.get("q") ?? "";
  const answer = useLive<Data>(q ? "search" : null, { query: q });
  const [first, ...others] = answer.data?.search ?? [];
  const alone = first && others.every(({ kind, id }) => kind === first.kind && id === first.id);
  const there = alone ? foundAt(first) : undefined;
  useEffect(() => {
    if (there) go(there, { instead: true });
  }, [there]);
  return html`<${Heading} title=${q ? `Search for “${q}”` : "Search"} />
    <div class="panel">
      ${
        q
          ? shown(answer, ({ search }) =>
              table(
                "What was found",
                search,
                [
                  {
                    head: "Found",
                    long: true,
                    cell: (found) => {
                      const href = foundAt(found);
                      const words = found.label ?? shortId(found.id);
                      return href ? html`<a href=${href}>${words}</a>` : words;
                    },
                  },
                  { head: "Is a", cell: ({ kind }) => kindWords(kind) },
                  { head: "Id", cell: ({ id }) => html`<code>${id}</code>` },
                  {
                    head: "Of",
                    cell: ({ kind, organisationId }) =>
                      kind !== "organisation" &&
                      organisationId &&
                      html`<a href=${`/organisations/${organisationId}`}>its organisation</a>`,
                  },
                ],
                { key: ({ kind, id, label }) => `${kind} ${id} ${label}`, none: nothingFound },
              ),
            )
          : html`<p class="empty">${how}</p>`
      }
    </div>
    ${q && html`<p class="quiet">${how}</p>`}`;
}

const how =
  "An id, a request’s too; a whole e-mail address; the first twelve characters of a key; or a part of an organisation’s name.";
const nothingFound = "Nothing here goes by that.";
