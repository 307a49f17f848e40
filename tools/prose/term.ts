/** A word that the prose check refuses or warns of. */
export type Term = {
  /**
   * Matches whole words, in any case; a space in it matches any white space. Names are split before they are compared:
   * `openPools`, `open_pools` and `open-pools.ts` all read "open pools".
   */
  not: string;
  say: string;
  /**
   * - `all` (default): prose, strings and names.
   * - `prose`: comments, test titles, Markdown and strings.
   * - `comments`: comments, test titles and Markdown.
   * - `names`: identifiers, SQL names and file names. `^` and `$` stand for the ends of the name.
   */
  where?: "all" | "prose" | "comments" | "names";
  /** A warning is for a word that is often right. Defaults to `error`. */
  level?: "error" | "warning";
  /** Text around a match for which it is right: `firewall` needs none, "wall clock" does. */
  but?: string;
  /** The only files in which the term is wrong. */
  in?: RegExp;
  /** Files in which the term is right. */
  except?: RegExp;
  /** Compares names as they are spelled: types begin with a capital. */
  spelled?: boolean;
};
