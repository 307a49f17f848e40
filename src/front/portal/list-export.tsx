/** Exports of a whole list, also of rows that are not shown. */
import { useEffect, useRef, useState } from "preact/hooks";
import { toast, toastError } from "../parts/toast.tsx";
import { frameTexts } from "./texts/frame.ts";

const texts = frameTexts.export;

export type ExportFormat = {
  /** Of the button. */
  label: string;
  /** Saves the file. @returns what to say */
  save(signal: AbortSignal, onCount: (count: number) => void): Promise<string>;
};

/** @param loaded what follows the number of rows */
export function ListExport({ formats, loaded }: { formats: ExportFormat[]; loaded: string }) {
  const [running, set] = useState<{ label: string; count: number }>();
  const stop = useRef<AbortController>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const run = async ({ label, save }: ExportFormat) => {
    const pending = new AbortController();
    stop.current = pending;
    const onCount = (count: number) => set({ label, count });
    onCount(0);
    try {
      toast(await save(pending.signal, onCount));
    } catch (error) {
      if (!pending.signal.aborted) toastError(error);
    } finally {
      set(undefined);
    }
  };
  const shown = running ? formats.filter(({ label }) => label === running.label) : formats;
  return (
    <>
      {running && (
        <span role="status">
          {texts.running} {running.count.toLocaleString()} {loaded}
        </span>
      )}
      {/* The pressed button stays, so that the focus stays on it. */}
      {shown.map((format) => (
        <button key={format.label} type="button" onClick={() => (running ? stop.current?.abort() : run(format))}>
          {running ? texts.stop : format.label}
        </button>
      ))}
    </>
  );
}
