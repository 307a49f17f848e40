/** Compares the contract in the repository with the contract that the code generates. */

/** Yields the innermost places where two documents differ, as JSON pointers (RFC 6901) with the kind of difference. */
export function* drift(copy: unknown, served: unknown, at = ""): Generator<string> {
  if (!isBranch(copy) || !isBranch(served) || Array.isArray(copy) !== Array.isArray(served)) {
    if (JSON.stringify(copy) !== JSON.stringify(served)) yield `${at || "/"} (changed)`;
    return;
  }
  for (const name of new Set([...Object.keys(copy), ...Object.keys(served)])) {
    const path = `${at}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (!Object.hasOwn(copy, name)) yield `${path} (only in the code)`;
    else if (!Object.hasOwn(served, name)) yield `${path} (only in the copy)`;
    else yield* drift(copy[name], served[name], path);
  }
}

function isBranch(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
