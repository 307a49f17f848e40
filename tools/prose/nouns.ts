/** Words that stand for a noun, so that a reader must search for it. They are refused in the changelog too. */
import type { Term } from "./term.ts";

/** Texts of the contract keep their words for a version. A committed migration is never edited, and docs/tables shows its comments. */
const unchanged = /^(migrations\/committed|docs\/tables)\/|^docs\/openapi\.json$/;
const say = "the noun again";
/** Before the first word of a sentence, or of a clause after a semicolon. */
const start = "(?<=[.;] |^|\\n- )";

export const nouns: Term[] = [
  { where: "comments", not: "that of|those of", say, except: unchanged },
  { where: "comments", not: "another one|the same one|the other one", say, except: unchanged },
  {
    where: "comments",
    not: "the ones|the one (that|which|who|whose|of|in|with|for|to|from|by|as)",
    say,
    except: unchanged,
  },
  {
    where: "comments",
    not: `${start}((the|an?) \\w+ one|one (that|which|whose|with|without)|those(?! of))`,
    say,
    except: unchanged,
  },
];
