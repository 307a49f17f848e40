/** Memories: search, filters, creating one and erasing a subject. */

import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { api } from "../../parts/api.ts";
import { FilterLine, isEmptyList } from "../../parts/filter-line.tsx";
import { optionsOf, SelectFilter, TextFilter, useFilters } from "../../parts/filters.tsx";
import { useList } from "../../parts/list.ts";
import { Page } from "../../parts/page.tsx";
import { toast } from "../../parts/toast.tsx";
import { EraseDialog, ReceiptDialog } from "../erasure.tsx";
import { ListPanel } from "../list-panel.tsx";
import { memoryColumns } from "../memory-columns.tsx";
import { MemoryExport } from "../memory-export.tsx";
import { NewMemoryForm } from "../memory-form.tsx";
import { OperationButton } from "../operation-button.tsx";
import type { Schemas } from "../schemas.ts";
import { useMay } from "../session-context.ts";
import { memoryTexts as texts } from "../texts/bots.ts";
import { importTexts } from "../texts/import.ts";
import { useBots } from "../use-names.ts";

const filters = [
  "q",
  "kind",
  "subject",
  "subjectKind",
  "scope",
  "botId",
  "provenance",
  "current",
  "conflicts",
] as const;

export default function Memories() {
  const { route } = useLocation();
  const may = useMay();
  const bots = useBots();
  const { values, set, of, isFiltered, count, clear } = useFilters(filters);
  const list = useList<Schemas["ListedMemory"]>("/memories", { limit: 100, ...values });
  const [open, setOpen] = useState<"create" | "erase">();
  const [receipt, setReceipt] = useState<Schemas["Erasure"]>();
  const close = () => setOpen(undefined);
  const erased = (done: Schemas["Erasure"]) => {
    setReceipt(done);
    list.reload();
  };
  const create = async (memory: object) => {
    const { id } = await api<Schemas["Memory"]>("POST", "/memories", memory);
    toast(texts.create.done);
    route(`/portal/memories/${id}`);
  };
  const select = (
    name: (typeof filters)[number],
    label: string,
    options: Parameters<typeof SelectFilter>[0]["options"],
  ) => <SelectFilter label={label} options={options} {...of(name)} />;
  const start = (
    <OperationButton operation="create_memory" kind="main" onClick={() => setOpen("create")}>
      {texts.create.button}
    </OperationButton>
  );
  return (
    <Page
      title={texts.title}
      actions={
        <>
          {may("import_memories") && (
            <a class="button" href="/portal/memories/import">
              {importTexts.link}
            </a>
          )}
          {!isEmptyList(list, isFiltered) && <MemoryExport filters={values} />}
          <OperationButton operation="erase_memories" onClick={() => setOpen("erase")}>
            {texts.erase.button}
          </OperationButton>
          {!isEmptyList(list, isFiltered) && start}
        </>
      }
    >
      <ListPanel
        filters={
          <FilterLine
            count={count}
            onClear={clear}
            first={
              <TextFilter
                label={texts.search}
                value={values.q}
                placeholder={texts.searchPlaceholder}
                onChange={(q) => set({ q, ...(q ? { conflicts: "" } : {}) })}
              />
            }
          >
            <TextFilter
              label={texts.filters.subject}
              value={values.subject}
              maxLength={200}
              onChange={(subject) => set({ subject })}
            />
            <TextFilter
              label={texts.filters.kind}
              value={values.kind}
              maxLength={60}
              onChange={(kind) => set({ kind })}
            />
            {select("subjectKind", texts.filters.subjectKind, optionsOf(texts.subjectKinds))}
            {select("scope", texts.filters.scope, optionsOf(texts.scopes))}
            {select("botId", texts.filters.bot, bots.options)}
            {select("provenance", texts.filters.provenance, optionsOf(texts.provenances))}
            {select("current", texts.filters.current, [{ value: "true", title: texts.filters.onlyCurrent }])}
            <SelectFilter
              label={texts.filters.conflicts}
              options={[{ value: "true", title: texts.filters.onlyConflicts }]}
              value={values.conflicts}
              // The API has no list that is both searched and of contradictions.
              onChange={(conflicts) => set({ conflicts, ...(conflicts ? { q: "" } : {}) })}
            />
          </FilterLine>
        }
        start={start}
        list={list}
        columns={memoryColumns(bots)}
        texts={texts}
        isFiltered={isFiltered}
        exportName="memories"
      />
      {open === "create" && <NewMemoryForm onClose={close} onSave={create} />}
      {open === "erase" && <EraseDialog onClose={close} onErased={erased} />}
      {receipt && !open && <ReceiptDialog receipt={receipt} onClose={() => setReceipt(undefined)} />}
    </Page>
  );
}
