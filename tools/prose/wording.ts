/** Wording that a reader must translate, and citations that cannot be opened. */
import type { Term } from "./term.ts";

/** Questions as people write them. */
const questions = /^test\/mcp\/search-(questions|spoken|everyday)\.ts$/;

export const wording: Term[] = [
  // Riddles
  { where: "prose", not: "who asks|whoever|those that|those who|what was given", say: "the noun itself" },
  { where: "prose", not: "means? (it |them |him |her |us )?harm", say: "hostile" },
  { where: "prose", not: "sign of life", say: "heartbeat" },
  { where: "prose", not: "all is well", say: "the condition that holds" },
  { where: "prose", not: "half within|95 % within|slowest hundredth", say: "p50, p95, p99" },
  { where: "prose", not: "bringing the tables", say: '"Database created", "Migrations applied"' },
  { where: "prose", not: "asks?|asked", say: "the noun and what it does: requests, calls, sends", level: "warning" },
  {
    where: "prose",
    not: "what it|what is|of those|strangers?",
    say: "the noun itself",
    level: "warning",
  },
  { where: "prose", not: "remembers?|remembered", say: "stores, keeps, caches", level: "warning" },

  // Citations that a reader cannot open
  {
    where: "prose",
    not: 'part [0-9]+|decisions?\\.md|[\\w-]+\\.md, "[^"]+',
    say: "the page with its anchor: page.md#anchor",
  },

  // Marks of a translation
  { where: "prose", not: "whatever", say: "every, any, or the condition that does not matter" },
  { where: "prose", not: "anew", say: "again" },
  {
    where: "prose",
    not: "nobody|anybody|somebody",
    say: "the actor: no caller, any person, another process",
    but: "nobody(@|-)",
    except: questions,
  },
  {
    where: "prose",
    not: "told|tells",
    say: "the noun and what it does: notifies, sends, returns, states",
    but: "what I was told|Tells the duty",
    except: questions,
  },
  { where: "prose", not: "becomes? of|became of|(comes?|came) of (it|them|this|that)", say: "the result, the outcome" },
  {
    where: "prose",
    not: "(is|are|was|were|be) taken (for|as|from|by)",
    say: "is treated as; is in use by; is leased by",
  },
  {
    where: "prose",
    not: "(goes|go|went|gone|going) on",
    say: "continues; happens",
    but: "Go on\\.|354 go on",
    except: questions,
  },
  { where: "prose", not: "of which", say: "a second sentence" },
  { where: "prose", not: "matters?", say: "issue, or name the effect", level: "warning" },
];
