/** Whether the copy in the repository is the document that the code makes, and where it is not. */

/** The places where two documents differ, as deep as can be told, as JSON pointers (RFC 6901) with what happened there. */
export function* drift(kept: unknown, served: unknown, at = ""): Generator<string> {
  if (!isBranch(kept) || !isBranch(served) || Array.isArray(kept) !== Array.isArray(served)) {
    if (JSON.stringify(kept) !== JSON.stringify(served)) yield `${at || "/"} (changed)`;
    return;
  }
  for (const name of new Set([...Object.keys(kept), ...Object.keys(served)])) {
    const path = `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!Object.hasOwn(kept, name)) yield `${path} (only in the code)`;
    else if (!Object.hasOwn(served, name)) yield `${path} (only in the copy)`;
    else yield* drift(kept[name], served[name], path);
  }
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
