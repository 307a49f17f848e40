/** Placeholders: loading, empty, failed. */
import type { ComponentChildren as Shown } from "preact";
import { Loading } from "../../parts/page.tsx";
import type { Answer } from "../live.ts";

export function empty(text: Shown) {
  return <p class="empty">{text}</p>;
}

export function failed(message: string) {
  return (
    <div class="notice bad" role="alert">
      <strong>Loading failed.</strong> {message}
    </div>
  );
}

/** Renders the data or the failure. After a failure the last data stays; the header shows its age. */
export function shown<Data>(answer: Answer<Data>, show: (data: Data) => Shown): Shown {
  if (answer.data !== undefined) {
    return answer.failure?.kind === "refused" ? [failed(answer.failure.message), show(answer.data)] : show(answer.data);
  }
  return answer.failure ? failed(answer.failure.message) : <Loading />;
}
