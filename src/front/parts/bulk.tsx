/** Actions on several rows of a table: a column to choose rows, and the button for the chosen ones. */
import { useState } from "preact/hooks";
import type { Column } from "./column.ts";
import { ConfirmDialog, useAction } from "./dialog.tsx";
import type { Fact } from "./page.tsx";
import { toast, toastError } from "./toast.tsx";

export type BulkTexts = {
  /** Title of the column, and label of each box before the name of its row. */
  choose: string;
  all: string;
  action: (count: number) => string;
  done: (count: number) => string;
};

type Options<Row> = {
  rows: Row[];
  texts: BulkTexts;
  /** Whether the action is possible for the row. */
  can: (row: Row) => boolean;
  nameOf: (row: Row) => string;
  /** One row after the other. The first failure ends the action. */
  act: (row: Row) => Promise<unknown>;
  /** Called afterwards, also after a failure. */
  onEnd: () => void;
  /** A question before an action that cannot be undone: its words, and the present values of the chosen rows. */
  confirm?: { words: { title: string; action: string; text: string }; present: (chosen: Row[]) => Fact[] };
};

/** @returns the column, and what stands above the table. Both are empty if no row can be chosen */
export function useBulk<Row extends { id: string }>(options: Options<Row>) {
  const { rows, texts, can, nameOf, act, onEnd, confirm } = options;
  const [ids, setIds] = useState(new Set<string>());
  const [asks, setAsks] = useState(false);
  const { busy, run } = useAction();
  const able = rows.filter(can);
  const chosen = able.filter(({ id }) => ids.has(id));
  const toggle = (id: string) =>
    setIds((last) => new Set(last.has(id) ? [...last].filter((each) => each !== id) : [...last, id]));
  const perform = () =>
    run(async () => {
      let count = 0;
      try {
        for (const row of chosen) {
          await act(row);
          count += 1;
        }
      } catch (error) {
        toastError(error);
      }
      if (count > 0) toast(texts.done(count));
      setIds(new Set());
      onEnd();
    });
  const column: Column<Row> = {
    key: "choose",
    phone: "beside",
    title: texts.choose,
    render: (row) =>
      can(row) && (
        <input
          type="checkbox"
          aria-label={`${texts.choose} ${nameOf(row)}`}
          checked={ids.has(row.id)}
          onChange={() => toggle(row.id)}
        />
      ),
  };
  const bar = able.length > 0 && (
    <div class="bulk">
      <label class="tick">
        <input
          type="checkbox"
          checked={chosen.length === able.length}
          onChange={({ currentTarget }) => setIds(new Set(currentTarget.checked ? able.map(({ id }) => id) : []))}
        />
        {texts.all}
      </label>
      <button
        type="button"
        class={confirm ? "risky" : undefined}
        disabled={chosen.length === 0 || busy}
        onClick={() => (confirm ? setAsks(true) : perform())}
      >
        {texts.action(chosen.length)}
        {confirm && "…"}
      </button>
      {confirm && (
        <ConfirmDialog
          words={confirm.words}
          present={confirm.present(chosen)}
          danger
          open={asks}
          onClose={() => setAsks(false)}
          onConfirm={perform}
        />
      )}
    </div>
  );
  return { columns: able.length > 0 ? [column] : [], bar };
}
