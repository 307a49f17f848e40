/** The English texts of the parts that portal and console share. */
export const partTexts = {
  loading: "Loading",
  more: "More",
  nothingInTime: "Nothing in this time.",
  time: { label: "Time", any: "Any time", from: "From", to: "To", custom: "From … to …" },
  ranges: { "1h": "Last hour", "24h": "Last 24 hours", "7d": "Last 7 days", "30d": "Last 30 days" },
  filters: {
    all: "All",
    button: (count: number) => (count === 0 ? "Filters" : `Filters (${count})`),
    clear: "Clear filters",
  },
  states: {
    waiting_approval: "waiting for approval",
    paused_limit: "paused by limit",
    secret_lost: "secret lost",
  } as Record<string, string>,
  scheme: { label: "Appearance", system: "As the system", light: "Light", dark: "Dark" },
  failures: {
    fields: "Some fields are not accepted.",
    unreachable: "The service cannot be reached. Check your connection.",
    retry: "Try again",
    page: "This page did not load",
    load: "A part of the program did not load.",
    broken: "This page failed",
    bug: "This is a bug in the program. Other pages still work.",
    status: (status: number) => `The service answered with status ${status}.`,
  },
  palette: {
    keys: { mac: "⌘ K", others: "Ctrl K" },
    dialog: "Commands",
    placeholder: "Type a page",
    none: "No page has this name.",
  },
  limits: { none: "no limit", of: (limit: string) => `of ${limit}` },
  dialog: { cancel: "Cancel", close: "Close", busy: "Working…" },
  oneTime: {
    shown: (_: string) => "Not copied yet.",
    copied: (label: string) => `The ${label} is copied.`,
    refused: (label: string) =>
      `The browser does not allow this page to copy. The ${label} is selected: copy it with the keyboard.`,
    warned: (label: string) => `The ${label} is not copied, and cannot be shown again.`,
    giveUp: "Close without copying",
  },
  form: {
    conflict: "It was changed meanwhile. Your changes are not saved.",
    load: "Load the new values",
    loaded: "The new values are loaded. What you changed is kept.",
    storedNow: (label: string) => `${label}, stored now:`,
    on: "on",
    off: "off",
  },
  table: {
    filter: "Filter these rows",
    filterOf: (caption: string) => `Filter: ${caption}`,
    /** @param found of a filter, undefined without one. @param isPart whether more can be loaded */
    rows: (rows: number, found: number | undefined, isPart: boolean) =>
      `${found === undefined ? "" : `${found.toLocaleString()} of `}${rows.toLocaleString()} ${rows === 1 ? "row" : "rows"}${isPart ? " loaded" : ""}`,
    loading: "Loading…",
    more: "Load more",
    columns: "Columns",
  },
  export: { csv: "Export CSV", json: "Export JSON" },
  copy: {
    button: "Copy",
    defaults: { id: "id", code: "code" },
    label: (what: string) => `Copy the ${what}`,
    done: (what: string) => `Copied the ${what}.`,
    refused: (what: string) =>
      `The browser does not allow this page to copy. The ${what} is selected: copy it with the keyboard.`,
  },
};
