/** A section of a page with its heading. */
import type { ComponentChildren as Shown } from "preact";
import { Section } from "../../parts/page.tsx";

export const section = (title: string, content: Shown, beside: Shown = null) => (
  <Section title={title} beside={beside}>
    {content}
  </Section>
);
