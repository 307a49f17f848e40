/** Imports a file of memories, with its progress and result. Leaving the page stops it. */
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../parts/api.ts";
import { Failure } from "../parts/failure.tsx";
import { CodeBlock } from "../parts/id.tsx";
import { Facts, Field, Section } from "../parts/page.tsx";
import { RefusedLines } from "./import-lines.tsx";
import { UnacceptedLines } from "./import-refusals.ts";
import { type MemoryImport, makeImport } from "./memory-import.ts";
import { importTexts as texts } from "./texts/import.ts";

type State = { memories: MemoryImport; isRunning: boolean; error?: Error | undefined };

export function ImportRun() {
  const [state, set] = useState<State>();
  const stop = useRef<AbortController>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const run = async (memories: MemoryImport, leavesOut: boolean) => {
    const pending = new AbortController();
    stop.current = pending;
    const onStep = () => set({ memories, isRunning: true });
    onStep();
    try {
      await memories.run({ signal: pending.signal, leavesOut, onStep });
      set({ memories, isRunning: false });
    } catch (error) {
      if (stop.current === pending) {
        set({ memories, isRunning: false, error: pending.signal.aborted ? undefined : (error as Error) });
      }
    }
  };
  const [leavesOut, setLeavesOut] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const file = field.current?.files?.[0];
    if (state?.isRunning) return stop.current?.abort();
    if (state && !state.memories.isFinished) {
      const leaves = leavesOut || state.error instanceof UnacceptedLines;
      setLeavesOut(leaves);
      return run(state.memories, leaves);
    }
    if (file) return run(makeImport(file), false);
  };
  const begin = () => {
    set(undefined);
    setLeavesOut(false);
  };
  const another = () => {
    begin();
    if (field.current) field.current.value = "";
    field.current?.focus();
  };
  const isOpen = state !== undefined && !state.memories.isFinished;
  return (
    <>
      <Section title={texts.section}>
        <form class="text" onSubmit={submit}>
          <p>{texts.text}</p>
          <CodeBlock text={texts.example.line} label={texts.example.label} />
          <Field label={texts.file} hint={texts.fileHint}>
            <input
              ref={field}
              type="file"
              accept=".jsonl,.ndjson,.json,application/x-ndjson"
              required
              disabled={state?.isRunning}
              onChange={begin}
            />
          </Field>
          <div class="beside">
            {/* One button, so that the focus stays on it. */}
            <button type="submit" class={state?.isRunning ? undefined : "main"}>
              {buttonOf(state)}
            </button>
            {isOpen && !state.isRunning && (
              <button type="button" onClick={another}>
                {texts.another}
              </button>
            )}
          </div>
          {state && <Progress {...state} />}
        </form>
      </Section>
      {state && <Outcome {...state} />}
    </>
  );
}

function buttonOf(state: State | undefined): string {
  if (!state || state.memories.isFinished) return texts.begin;
  if (state.isRunning) return texts.stop;
  if (state.error instanceof UnacceptedLines) return texts.leaveOut;
  return state.error ? texts.again : texts.continue;
}

function Progress({ memories, isRunning, error }: State) {
  const { part, done, isFinished, isWaiting, lines } = memories;
  if (isFinished) return <p role="status">{texts.finished(lines)}</p>;
  if (isRunning) {
    return (
      <>
        <p class="progress">
          <progress aria-label={texts.progress} value={done} max={1} />
        </p>
        {part && <p role="status">{isWaiting ? texts.waiting(part) : texts.sending(part)}</p>}
      </>
    );
  }
  if (error instanceof UnacceptedLines) {
    return (
      <p class="notice bad" role="alert">
        {part && texts.unaccepted(part)}
      </p>
    );
  }
  return (
    <>
      <Failure error={error} retry={null} />
      <p role="status">
        {!error && `${texts.stopped} `}
        {part && (isRefusal(error) ? texts.notStored(part) : texts.unknown(part))}
      </p>
    </>
  );
}

/** Whether the API has refused the part. Without its answer the part may be stored. */
const isRefusal = (error: Error | undefined) => error instanceof ApiError && error.status > 0 && error.status < 500;

function Outcome({ memories, isRunning, error }: State) {
  const { created, unchanged, refused } = memories;
  const { counts, list } = texts;
  return (
    <>
      {error instanceof UnacceptedLines && <RefusedLines title={list.unaccepted} lines={error.lines} />}
      <Section title={texts.result}>
        <Facts
          items={[
            [counts.created, created.toLocaleString()],
            [counts.unchanged, unchanged.toLocaleString()],
            [counts.refused, refused.length.toLocaleString()],
          ]}
        />
      </Section>
      {!isRunning && refused.length > 0 && (
        <RefusedLines title={list.refused} lines={refused.toSorted((a, b) => a.line - b.line)} />
      )}
    </>
  );
}
