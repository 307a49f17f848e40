/** Search results. A single result opens its page at once. */
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Failure } from "../../parts/failure.tsx";
import { shortId } from "../../parts/id.tsx";
import { type Elsewhere, type FoundElsewhere, useElsewhere } from "../cells.ts";
import { kindLabel, pageOfResult, type SearchResult } from "../kinds.ts";
import { useLive } from "../live.ts";
import { Heading } from "../parts/heading.tsx";
import { organisationLink } from "../parts/rows.tsx";
import { shown } from "../parts/states.tsx";
import { type Column, table } from "../parts/table.tsx";
import type { PageProps } from "../place.ts";

type Data = { search: SearchResult[] };

export function SearchPage({ place }: PageProps) {
  const { route } = useLocation();
  const q = place.query.get("q") ?? "";
  const answer = useLive<Data>(q ? "search" : null, { query: q });
  const elsewhere = useElsewhere(q);
  const [first, ...others] = answer.data?.search ?? [];
  const isSingle = first && others.every(({ kind, id }) => kind === first.kind && id === first.id);
  const target = isSingle ? pageOfResult(first) : undefined;
  useEffect(() => {
    if (target) route(target, true);
  }, [target]);
  return (
    <>
      <Heading title={q ? `Search for “${q}”` : "Search"} />
      <div class="panel">
        {q ? (
          shown(answer, ({ search }) =>
            table(
              "Search results",
              search,
              [
                resultColumn<SearchResult>(pageOfResult),
                ...kindAndId,
                {
                  key: "organisation",
                  phone: "state",
                  title: "Organisation",
                  sortBy: ({ organisationName }) => organisationName,
                  render: ({ kind, organisationId: id, organisationName: name }) =>
                    organisationLink(kind !== "organisation" && id ? { id, name: name ?? shortId(id) } : null),
                },
              ],
              { key: ({ kind, id, label }) => `${kind} ${id} ${label}`, none: nothingFound },
            ),
          )
        ) : (
          <p class="empty">{hint}</p>
        )}
      </div>
      {elsewhere.data && <ResultsElsewhere found={elsewhere.data} retry={elsewhere.reload} />}
      {elsewhere.error && (
        <Failure error={new Error(`Other cells: ${elsewhere.error.message}`)} retry={elsewhere.reload} />
      )}
      {q && <p class="quiet">{hint}</p>}
    </>
  );
}

/** @param addressOf the page of a result, if it has one */
const resultColumn = <Row extends SearchResult>(addressOf: (found: Row) => string | undefined): Column<Row> => ({
  key: "result",
  phone: "title",
  title: "Result",
  long: true,
  sortBy: ({ label }) => label,
  render: (found) => {
    const href = addressOf(found);
    const label = found.label ?? shortId(found.id);
    return href ? <a href={href}>{label}</a> : label;
  },
});

const kindAndId: Column<SearchResult>[] = [
  {
    key: "kind",
    phone: "beside",
    title: "Kind",
    sortBy: ({ kind }) => kindLabel(kind),
    render: ({ kind }) => kindLabel(kind),
  },
  { key: "id", title: "Id", text: ({ id }) => id, render: ({ id }) => <code>{id}</code> },
];

function ResultsElsewhere({ found: { results, away }, retry }: { found: Elsewhere; retry: () => void }) {
  return (
    <>
      {results.length > 0 && (
        <div class="panel">
          {table(
            "Results in other cells",
            results,
            [
              resultColumn<FoundElsewhere>((found) => {
                const page = pageOfResult(found);
                return page && found.consoleUrl ? found.consoleUrl + page : undefined;
              }),
              { key: "cell", phone: "state", title: "Cell", sortBy: ({ cell }) => cell, render: ({ cell }) => cell },
              ...kindAndId,
            ],
            { key: ({ cell, kind, id, label }) => `${cell} ${kind} ${id} ${label}`, none: nothingFound },
          )}
        </div>
      )}
      {away.length > 0 && (
        <Failure error={new Error(`Not searched, since they do not respond: ${away.join(", ")}.`)} retry={retry} />
      )}
    </>
  );
}

const hint =
  "Enter an id, or the start of an email address, a key or a person’s name. Parts of other names, and of endpoints’ hosts and descriptions, are found too.";
const nothingFound = "No results. Check the spelling, or search for an id.";
