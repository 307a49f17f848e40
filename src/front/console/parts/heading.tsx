/** The heading of a page, which is also the document title. */

import type { ComponentChildren as Shown } from "preact";
import { useEffect } from "preact/hooks";

type Props = { title: string; kind?: string; beside?: Shown; children?: Shown };

export function Heading({ title, kind, beside, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Botstead console`;
  }, [title]);
  return (
    <div class="heading">
      <div>
        {kind && <p class="kind">{kind}</p>}
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </div>
      {beside && <div class="beside">{beside}</div>}
    </div>
  );
}
