/** Import of memories from a file. */
import { Page } from "../../parts/page.tsx";
import { ImportRun } from "../import-run.tsx";
import { useMay } from "../session-context.ts";
import { importTexts as texts } from "../texts/import.ts";

export default function MemoriesImport() {
  const may = useMay();
  return (
    <Page title={texts.title} above={<a href="/portal/memories">{texts.back}</a>}>
      {may("import_memories") ? <ImportRun /> : <p class="lead quiet">{texts.mayNot}</p>}
    </Page>
  );
}
