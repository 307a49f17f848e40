/** Exports the organisation into one file. Leaving the page stops it, and nothing of it is kept. */
import { useEffect, useRef, useState } from "preact/hooks";
import { download as saveFile } from "../parts/export.tsx";
import { Failure } from "../parts/failure.tsx";
import { CodeBlock } from "../parts/id.tsx";
import { Section } from "../parts/page.tsx";
import { type Download, isLost, makeDownload } from "./export-download.ts";
import { useSession } from "./session-context.ts";
import { exportTexts as texts } from "./texts/export.ts";

type State = { download: Download; isRunning: boolean; error?: Error | undefined };

const count = (value: number) => value.toLocaleString();

/** @param changed is called when the list of exports has changed */
export function ExportRun({ changed }: { changed: () => void }) {
  const { organisation } = useSession();
  const [state, set] = useState<State>();
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const run = async (download: Download) => {
    const pending = new AbortController();
    stop.current = pending;
    const show = (rest: Omit<State, "download">) => set({ download, ...rest });
    show({ isRunning: true });
    try {
      await download.run(pending.signal, () => show({ isRunning: true }));
      save(download);
      show({ isRunning: false });
    } catch (error) {
      show({ isRunning: false, error: pending.signal.aborted ? undefined : (error as Error) });
    }
    changed();
  };
  const isRunning = state?.isRunning ?? false;
  const canContinue = state && !state.error && !state.download.hasProof;
  const begin = () => run(canContinue ? state.download : makeDownload(organisation.id));
  const halt = () => stop.current?.abort();
  return (
    <Section title={texts.begin}>
      {state?.error && <Failure error={state.error} retry={isLost(state.error) ? null : () => run(state.download)} />}
      <div class="text">
        <p>{texts.text}</p>
        <p>{texts.stay}</p>
        <CodeBlock text={texts.commands.export} label={texts.commands.label} />
        {state && !state.error && <Outcome {...state} />}
        <div class="beside">
          {/* One button, so that the focus stays on it. */}
          <button type="button" class={isRunning ? undefined : "main"} onClick={isRunning ? halt : begin}>
            {isRunning ? texts.stop : canContinue ? texts.continue : texts.begin}
          </button>
          {state?.download.isFinished && (
            <button type="button" onClick={() => save(state.download)}>
              {state.download.hasProof ? texts.save : texts.saveUnsigned}
            </button>
          )}
        </div>
      </div>
    </Section>
  );
}

function save(download: Download): void {
  saveFile(`${download.name}.tar`, "application/x-tar", download.archive());
}

function Outcome({ download, isRunning }: State) {
  const { parts, isFinished, hasProof } = download;
  if (isRunning) return <p role="status">{isFinished ? texts.waiting : texts.part(count(parts + 1))}</p>;
  if (!hasProof) return <p role="status">{texts.stopped(count(parts))}</p>;
  return (
    <>
      <p role="status">{texts.saved(count(parts))}</p>
      <CodeBlock text={texts.commands.verify(download.name)} label={texts.commands.label} />
    </>
  );
}
