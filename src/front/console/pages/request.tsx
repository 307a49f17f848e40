/** A request: its caller, time, response and changes. */

import { Id, shortId } from "../../parts/id.tsx";
import type { SearchResult } from "../kinds.ts";
import { useLive } from "../live.ts";
import { type AuditEntry, actorOf, requestColumns } from "../parts/audit-log.tsx";
import { facts } from "../parts/facts.tsx";
import { Heading } from "../parts/heading.tsx";
import { type Named, organisationLink, searchLink } from "../parts/rows.tsx";
import { section } from "../parts/section.tsx";
import { shown } from "../parts/states.tsx";
import { table } from "../parts/table.tsx";
import type { PageProps } from "../place.ts";
import { When } from "../times.tsx";

type Data = { auditEntries: { nodes: (AuditEntry & { organisation: Named })[] } };

export function RequestPage({ params }: PageProps) {
  const answer = useLive<Data>("request", { id: params.id });
  const found = useLive<{ search: SearchResult[] }>("search", { query: params.id });
  return (
    <>
      <Heading kind="Request" title={shortId(params.id ?? "")}>
        <div class="under">
          <Id value={params.id ?? ""} />
        </div>
      </Heading>
      {shown(answer, ({ auditEntries: { nodes } }) => {
        const [first] = nodes;
        return [
          <div class="panel">
            {facts([
              first && ["Caller", actorOf(first)],
              first?.keyId && [credentials[first.actor] ?? "Credential", searchLink(first.keyId)],
              first && ["Organisation", organisationLink(first.organisation)],
              first && ["Time", <When at={first.createdAt} />],
              ["Response", shown(found, ({ search }) => responseOf(search) ?? "not stored")],
            ])}
          </div>,
          section(
            "Changes",
            table("Changes, oldest first", nodes, requestColumns, { key: ({ id }) => id, none: nothing }),
          ),
        ];
      })}
    </>
  );
}

/** Labels of credentials, by actor in the audit log. */
const credentials: Record<string, string> = {
  key: "Key",
  platform_key: "Platform key",
  approval: "Approval page",
  invitation: "Invitation page",
  hook: "Hook",
};

/** Search returns a request's stored response as one word, and its effects as two words each. */
function responseOf(found: SearchResult[]): string | undefined {
  const label = found.find(({ kind, label }) => kind === "request" && label && !label.includes(" "))?.label;
  return label && /^\d+$/.test(label) ? `HTTP ${label}` : label?.replaceAll("_", " ");
}

const nothing =
  "No audit log entries. The request only read, was refused or never arrived, or its entries were truncated.";
