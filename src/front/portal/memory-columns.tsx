/** The columns of the list of memories. */
import type { Column } from "../parts/column.ts";
import { codeColumn, timeColumn, wordColumn } from "./columns.tsx";
import type { Schemas } from "./schemas.ts";
import { memoryTexts } from "./texts/bots.ts";
import type { Names } from "./use-names.ts";

type Listed = Schemas["ListedMemory"];
type Parts = Schemas["Highlight"]["value"];

const texts = memoryTexts.columns;
const { subjectKinds, scopes, provenances, lawfulBases } = memoryTexts;

export const percent = (value: number): string => value.toLocaleString(undefined, { style: "percent" });

/** The text, with the parts that a search has matched marked. */
function Marked({ text, parts }: { text: string; parts: Parts | undefined }) {
  if (!parts) return <>{text}</>;
  return (
    <>
      {parts.map(({ text: part, hit }, index) => {
        const key = `${index}`;
        return hit ? <mark key={key}>{part}</mark> : <span key={key}>{part}</span>;
      })}
    </>
  );
}

export const memoryColumns = ({ nameOf }: Names): Column<Listed>[] => [
  {
    key: "subject",
    phone: "title",
    title: texts.subject,
    render: ({ id, subject, highlight }) => (
      <a href={`/portal/memories/${id}`}>
        <Marked text={subject} parts={highlight?.subject} />
      </a>
    ),
    sortBy: ({ subject }) => subject,
  },
  {
    key: "value",
    phone: "state",
    title: texts.value,
    render: ({ value, highlight }) => (
      <span class="clip">
        <Marked text={value} parts={highlight?.value} />
      </span>
    ),
    text: ({ value }) => value,
  },
  { key: "kind", title: texts.kind, render: ({ kind }) => kind, sortBy: ({ kind }) => kind },
  wordColumn("subjectKind", texts.subjectKind, subjectKinds),
  {
    key: "scope",
    title: texts.scope,
    render: ({ scope, botId }) => (botId ? nameOf(botId) : scopes[scope]),
    sortBy: ({ scope }) => scope,
    text: ({ scope, botId }) => botId ?? scope,
  },
  {
    key: "provenance",
    title: texts.provenance,
    hidden: true,
    render: ({ provenance }) => provenances[provenance],
    sortBy: ({ provenance }) => provenance,
  },
  {
    key: "confidence",
    title: texts.confidence,
    number: true,
    hidden: true,
    render: ({ confidence }) => percent(confidence),
    sortBy: ({ confidence }) => confidence,
  },
  { ...timeColumn("validFrom", texts.validFrom), hidden: true },
  timeColumn("validTo", texts.validTo),
  { ...timeColumn("createdAt", texts.created), phone: "time" },
  {
    key: "lawfulBasis",
    title: texts.lawfulBasis,
    hidden: true,
    render: ({ lawfulBasis }) => lawfulBases[lawfulBasis],
    text: ({ lawfulBasis }) => lawfulBasis,
  },
  codeColumn("id", texts.id),
];
