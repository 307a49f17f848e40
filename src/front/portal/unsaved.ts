/** The unsaved content of the open dialog when the session ends: fields that were changed, and texts that are shown once. */

export type Unsaved = { label: string; text: string };

export function unsavedTexts(): Unsaved[] {
  const dialog = document.querySelector("dialog[open]");
  if (!dialog) return [];
  const fields = dialog.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "textarea, input:not([type=checkbox], [type=radio], [type=hidden])",
  );
  const written = [...fields]
    .filter(({ value, defaultValue }) => value !== defaultValue && value.trim() !== "")
    .map((field) => ({
      label: field.labels?.[0]?.querySelector("span")?.textContent ?? field.name,
      text: field.value,
    }));
  const title = dialog.querySelector("h2")?.textContent ?? "";
  const shown = [...dialog.querySelectorAll(".code-block pre, pre.secret")].map(({ textContent }) => ({
    label: title,
    text: textContent ?? "",
  }));
  return [...written, ...shown];
}
