/** Placeholders: loading and failed. */
import type { ComponentChildren as Shown } from "preact";
import { Failure } from "../../parts/failure.tsx";
import { Loading } from "../../parts/page.tsx";
import { type Answer, refresh } from "../live.ts";
import { Heading } from "./heading.tsx";

export function failed(message: string) {
  return <Failure error={new Error(message)} retry={refresh} />;
}

/** Renders the data or the failure. After a failure the last data stays; the header shows its age. */
export function shown<Data>(answer: Answer<Data>, show: (data: Data) => Shown): Shown {
  if (answer.data !== undefined) {
    return answer.failure?.kind === "refused" ? [failed(answer.failure.message), show(answer.data)] : show(answer.data);
  }
  return answer.failure ? failed(answer.failure.message) : <Loading />;
}

/** The same for a whole page, whose heading is in the data. @param kind heading until there is data */
export function shownPage<Data>(kind: string, answer: Answer<Data>, show: (data: Data) => Shown): Shown {
  if (answer.data !== undefined) return shown(answer, show);
  return (
    <>
      <Heading title={kind} />
      {shown(answer, show)}
    </>
  );
}
