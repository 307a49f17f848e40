/** The table of event kinds in docs/specification/events.md, from the contract. */
import { events } from "../../src/contract/events.ts";

const table = /^\| Kind \|.*\n(\|.*\n)+/m;

const rows = events.map(({ kind, description, data }) => {
  const anchor = `<a id="${kind.replace(".", "-")}"></a>`;
  const fields = Object.keys(data.shape).map((field) => `\`${field}\``);
  return `| ${anchor}\`${kind}\` | ${description} | ${fields.join(", ")} |\n`;
});

/** @returns the page with the table as the contract has it */
export const withEventTable = (page: string) =>
  page.replace(table, () => `| Kind | Delivery | \`data\` |\n|---|---|---|\n${rows.join("")}`);
