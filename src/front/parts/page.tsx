/** Parts of a page: heading, sections, facts, empty and loading states, fields, tabs. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { partTexts } from "./texts.ts";

let site = "";

/** The name after the title of each page, in the browser's tab and history. */
export function nameSite(name: string): void {
  site = name;
}

type PageProps = { title: string; above?: ComponentChildren; actions?: ComponentChildren; children: ComponentChildren };

/** @param above a line above the title, for example a link to the list */
export function Page({ title, above, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = site ? `${title} · ${site}` : title;
    heading.current?.focus({ preventScroll: true }); // screen readers announce the new page
  }, [title]);
  return (
    <>
      <header class="heading">
        <div>
          {above && <p class="above">{above}</p>}
          <h1 tabIndex={-1} ref={heading}>
            {title}
          </h1>
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

export function Section({
  title,
  beside,
  children,
}: {
  title: string;
  beside?: ComponentChildren;
  children: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {beside && <div class="beside">{beside}</div>}
      </header>
      {children}
    </section>
  );
}

export type Fact = [term: string, value: ComponentChildren];

export function Facts({ items }: { items: Fact[] }) {
  return (
    <dl class="facts">
      {items.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What is missing, and what the list is for. */
export type Purpose = `${string}. ${string}.`;

/** @param text its first sentence is the title. @param start the button that starts it */
export function emptyState(text: string, start?: ComponentChildren) {
  const [title = "", ...purpose] = text.split(/(?<=\.) /);
  return (
    <EmptyState title={title}>
      {purpose.length > 0 && <p>{purpose.join(" ")}</p>}
      {start}
    </EmptyState>
  );
}

export function EmptyState({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}

export function Loading() {
  return (
    <div class="loading" role="status" aria-label={partTexts.loading}>
      <div class="skeleton" />
      <div class="skeleton" />
      <div class="skeleton" />
    </div>
  );
}

type FieldProps = { label: string; hint?: ComponentChildren; error?: string | undefined; children: ComponentChildren };

/** A labelled input. The error is of the API, for this field. */
export function Field({ label, hint, error, children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
    <label class="field">
      <span>{label}</span>
      {hint && <small>{hint}</small>}
      {children}
      <FieldError error={error} />
    </label>
  );
}

export function FieldError({ error }: { error: string | undefined }) {
  return error ? (
    <small class="error" role="alert">
      {error}
    </small>
  ) : null;
}

/** Tabs as links, so that address, history and keyboard work. */
export function Tabs({
  label,
  tabs,
  current,
}: {
  label: string;
  tabs: { href: string; title: string }[];
  current: string;
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ href, title }) => (
        <a key={href} href={href} aria-current={href === current ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
