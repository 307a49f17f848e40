/** Links used in many tables. */
import type { ComponentChildren as Shown } from "preact";
import { useLocation } from "preact-iso";
import { shortId } from "../../parts/id.tsx";

export type Named = { id: string; name: string } | null | undefined;

export const organisationLink = (organisation: Named): Shown =>
  organisation ? <a href={`/organisations/${organisation.id}`}>{organisation.name}</a> : "–";

/** @param kind first part of the path */
export const linkTo = (
  kind: "runs" | "deliveries" | "endpoints" | "people" | "requests",
  id: string | null,
  label?: Shown,
): Shown => (id ? <a href={`/${kind}/${id}`}>{label ?? <code>{shortId(id)}</code>}</a> : "–");

/** A link through search, which finds the page of any id. */
export const searchLink = (id: string | null | undefined): Shown =>
  id ? (
    <a href={`/search?q=${id}`}>
      <code>{shortId(id)}</code>
    </a>
  ) : (
    "–"
  );

/** A link to a list of the organisation whose page is shown. */
export const tabLink = (tab: string, label: string): Shown => <TabLink tab={tab} label={label} />;

function TabLink({ tab, label }: { tab: string; label: string }) {
  return <a href={`${useLocation().path}?tab=${tab}`}>{label}</a>;
}

/** Shown in place of a page for an unknown id. */
export function notFound(what: string, id = ""): Shown {
  return (
    <>
      <h1 tabIndex={-1}>No such {what}</h1>
      <p>
        There is no {what} <code>{id}</code>. It was deleted, or belongs to another installation.
      </p>
    </>
  );
}
