/** Operator actions that retry the failed runs of a model: of one organisation, or of all. */
import { refusalText } from "../../parts/texts/refusals.ts";
import { organisationLink } from "../parts/rows.tsx";
import type { Action, Field } from "./action.ts";

type Named = { id: string; name: string };
type Result = {
  retried: number;
  left: number;
  organisationsLeft: number;
  organisations: (Named & { left: number })[];
  done: (Named & { retried: number })[];
  refused: (Named & { code: string; reason: string | null })[];
};

const fields: Field[] = [
  {
    kind: "choice",
    name: "mode",
    label: "What",
    options: [
      ["preview", "Only count them"],
      ["retry", "Retry them"],
    ],
  },
  { kind: "text", name: "model", label: "Model of the bots" },
  { kind: "moment", name: "since", label: "Started from" },
  { kind: "moment", name: "until", label: "Until", hint: "Empty: now", optional: true },
];

const refusalOf = ({ code, reason }: Result["refused"][number]) => refusalText(code, reason) ?? code;

export const retryRuns: Action = {
  name: "retryRuns",
  title: "Retry failed runs",
  consequence: "Starts each run again as its person would, at the cost of the organisation. At most 100, oldest first.",
  fields,
  done: ({ retried, left, refused: [refused] }: Result) =>
    `Retried: ${retried}. Left: ${left}.${refused ? ` The next was refused: ${refusalOf(refused)}` : ""}`,
};

/** Without an organisation, the mutation concerns all. */
export const retryRunsOfAll: Action = {
  name: "retryRuns",
  title: "Retry failed runs of all organisations",
  consequence:
    "Starts each run again as its person would, at the cost of its organisation. At most 100, oldest first. An organisation that refuses does not stop the others.",
  fields,
  done: (result: Result) => (
    <>
      <p>
        Retried: {result.retried}. Left: {result.left}, of {result.organisationsLeft} organisations.
      </p>
      {list("Retried", result.done, ({ retried }) => retried)}
      {list("Refused", result.refused, refusalOf)}
      {list("Left", result.organisations, ({ left }) => left)}
    </>
  ),
};

function list<Row extends Named>(title: string, rows: Row[], value: (row: Row) => string | number) {
  return (
    rows.length > 0 && (
      <>
        <h3>{title}</h3>
        <ul>
          {rows.map((row) => (
            <li key={row.id}>
              {organisationLink(row)}: {value(row)}
            </li>
          ))}
        </ul>
      </>
    )
  );
}
