/**
 * The rules of the prose check, all of them. `docs/glossary.md` explains the terms.
 *
 * A pattern matches whole words, in any case; a space in it matches any white space. Names are split before they are
 * compared: `takeWords`, `take_words` and `take-words.ts` all read "take words".
 */
export const limits = { wordsPerSentence: 35, averageWordsPerSentence: 16 };

export type Term = {
  not: string;
  say: string;
  /**
   * - `all` (default): prose, strings and names.
   * - `prose`: comments, test titles, Markdown and strings.
   * - `names`: identifiers, SQL names and file names. `^` and `$` stand for the ends of the name.
   */
  where?: "all" | "prose" | "names";
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

/**
 * Never checked. The changelog names what was renamed. The clients' generated files have the texts of docs/openapi.json; the released copy
 * keeps the texts of the last release.
 */
export const skippedFiles =
  /^(src\/client\/generated\/schema\.ts|clients\/python\/src\/botstead\/(types|_operations)\.py|docs\/openapi-released\.json|package-lock\.json|tools\/prose\/rules\.ts|test\/source\/prose\.test\.ts)$/;

/** Checked for sentences only. The search corpus is data: other words would change what the bench measures. */
export const filesWithoutTerms = /^(CHANGELOG\.md|LICENSE|bench\/search\/corpus\.ts)$/;

/** What the specification says about a memory ("claim") and the page a person answers ("card"). */
const contract = /^(src\/contract\/|src\/http\/openapi\/|src\/http\/pages\/|docs\/specification\/|docs\/glossary\.md$)/;

export const terms: Term[] = [
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
  },
  {
    where: "prose",
    not: "told|tells",
    say: "the noun and what it does: notifies, sends, returns, states",
    but: "what I was told|Tells the duty",
  },
  { where: "prose", not: "becomes? of|became of|(comes?|came) of (it|them|this|that)", say: "the result, the outcome" },
  {
    where: "prose",
    not: "(is|are|was|were|be) taken (for|as|from|by)",
    say: "is treated as; is in use by; is leased by",
  },
  { where: "prose", not: "(goes|go|went|gone|going) on", say: "continues; happens", but: "Go on\\.|354 go on" },
  { where: "prose", not: "of which", say: "a second sentence" },
  { where: "prose", not: "matters?", say: "issue, or name the effect", level: "warning" },
  {
    where: "prose",
    not: "house|world",
    say: "fixture, project, deployment",
    level: "warning",
    but: "in-house|real-world",
  },

  // Memories
  {
    not: "claims?|claimed|claiming",
    say: "memory, or lease of a run, a delivery or a mail",
    but: "can claim|claims? to be|claim an?y? address",
    except: contract,
  },
  {
    where: "names",
    not: "recalls?(?! engine)|recalled|recalling",
    say: "search_memories; find_response for idempotent responses",
    // The model `recall` and its engine; the measure recall@5.
    except: /^(src\/contract\/|(src|test)\/runner\/|src\/worker\/worker\.ts|docs\/specification\/|bench\/)/,
  },
  { where: "names", not: "kept answers?", say: "store_response, idempotent response" },
  // Models have a tool `remember`.
  { where: "names", not: "remembers?|remembered", say: "store_…", except: /^(src|test)\/runner\/|^sql\/runner\// },
  { where: "prose", not: "kept answers?", say: "idempotent response" },
  { where: "names", not: "found memories", say: "search_memories" },

  // Leases and deliveries
  { not: "visits?|visited|visiting", say: "lease, or delivery job" },
  { where: "names", not: "attend|attends|attended|attending", say: "lease_deliveries" },
  { where: "names", not: "^refuse runs$", say: "fail_runs_of_withdrawn_models" },
  { where: "names", not: "^cancel runs$", say: "cancel_runs_of_bots", in: /^sql\// },
  { where: "names", not: "runs worked on", say: "botstead_runs_running" },
  { where: "names", not: "left behind|fail left", say: "fail_pending_of_ended" },
  { where: "names", not: "hand over|hands? over", say: "requeue_endpoints" },
  {
    where: "names",
    not: "hold pool|dead pools|live pools",
    say: "register_worker_pool, release_orphaned_jobs, live_worker_pools",
  },
  { not: "ladders?|rungs?", say: "retry schedule" },
  { not: "ledgers?", say: "delivery leases" },
  { where: "names", not: "taken at", say: "leased_at" },
  { where: "names", not: "troubled since", say: "degraded_since" },
  { where: "names", not: "take back", say: "release_expired" },
  { where: "names", not: "^take$", say: "consume of a bucket; lease", in: /^(sql|src)\// },
  { not: "sweeps?|sweeper|swept|sweeping", say: "maintenance" },
  { where: "names", not: "beats?", say: "heartbeat" },
  { where: "names", not: "^leave$", say: "deregister", in: /runner|executor/ },
  { where: "prose", not: "beats?", say: "heartbeat", level: "warning" },
  { where: "names", not: "put aside|set aside", say: "block_unservable" },

  // Limits
  { not: "ceilings?", say: "limit" },
  { not: "allowances?", say: "limit; rate limit for requests" },
  { not: "gives? back|given back|giving back|gave back", say: "refund of a bucket; release of a lease; returns" },
  { where: "names", not: "^spend$", say: "consume", in: /^sql\/caller/ },

  // Audit log and operator actions
  { not: "trails?|trailed|untrailed", say: "audit log" },
  { where: "names", not: "audit heads?|^heads$", say: "audit_chain_heads" },
  { where: "names", not: "audit cuts?|cut trail", say: "audit_truncations" },
  { where: "names", not: "audit drafts?|^drafts$", say: "audit_pending_entries" },
  { where: "names", not: "acts?", say: "operator action", in: /console|operator|audit|migrations/ },
  { where: "names", not: "operator acts?|begin acts?", say: "operator action" },
  { where: "names", not: "acts?", say: "operator action", level: "warning" },
  { where: "prose", not: "(an?|the|each|every|this|one|no|operator'?s?) acts?", say: "operator action" },
  // `troubled` is a label value of the metric botstead_webhook_endpoints.
  {
    not: "troubles?|troubled",
    say: "issue, or degraded",
    except: /^(src\/metrics\/service|test\/metrics\/scrape\.test)\.ts$/,
  },
  { where: "names", not: "matters?", say: "issue" },
  { where: "prose", not: "(an?|each|every|these|the) matters?", say: "issue" },
  { not: "lamps?", say: "issue" },
  { not: "todos?", say: "suggested action" },
  { where: "names", not: "cards?", say: "approval", except: contract },
  {
    where: "prose",
    not: "cards?",
    say: "approval, but for the page a person answers",
    level: "warning",
    except: contract,
  },

  // Search data
  { where: "names", not: "take words|queue words|taking words", say: "rebuild_search_vectors, set_search_vector" },
  { where: "names", not: "^words$", say: "lexemes, search vector, text", level: "warning" },
  { where: "names", not: "^holding$", say: "matching_memories", in: /^sql\// },

  // SQL and TypeScript names
  { not: "lanes?", say: "pipelined connection, pool" },
  { not: "patience|patient|patiently", say: "time-out, interval; worker pool" },
  { where: "names", not: "retractable|retract", say: "abortable, abort" },
  {
    where: "names",
    not: "^held$|held connection|held requests",
    say: "the row, as its table is named; listening connection; open requests",
  },
  { where: "names", not: "be nobody", say: "clear_identity" },
  { where: "names", not: "ring day|empty day", say: "day_partition, truncate_day" },
  { where: "names", not: "found (by|demo|organisations?)|founded", say: "search_by_…, create_…", except: contract },
  { where: "names", not: "forget (claims|request minutes)|forgives?", say: "delete_…, reset_failures" },
  { where: "names", not: "forgets?", say: "delete_…", level: "warning" },
  { where: "names", not: "spare outsiders", say: "refuse_restricted_kind" },
  { where: "names", not: "tell|tells|told|to stranger|strangers?", say: "notify_…, add_run_event, refuse_…" },
  { where: "names", not: "let trail wait", say: "defer_audit_entry" },
  { where: "names", not: "begin act", say: "begin_action" },
  { where: "names", not: "hold (ceiling|limits?)", say: "enforce_limit" },
  {
    where: "names",
    not: "^Asked$|^Handled$|Admission|^admission$",
    spelled: true,
    say: "ValidatedInput, RequestContext, Result",
  },
  { where: "names", not: "^asked$|^handled$|admitted", say: "the noun: input, request, result", level: "warning" },
  { where: "names", not: "^hands$", say: "EngineContext" },
  { where: "names", not: "politely|courteous", say: "graceful" },
  { where: "names", not: "^most(?! (recent|specific|common))", say: "max…" },
  { not: "drawers?", say: "schema, table, store" },
  { where: "names", not: "breach(es)?", say: "violations" },
  { where: "names", not: "sign of life", say: "heartbeat" },

  // Tests
  { not: "walls?|walled", say: "invariant", but: "wall[ -]clock|wall time" },
  { not: "needles?|haystacks?", say: "canary or pattern; scan" },
  { where: "names", not: "belongs", say: "pattern, canary" },
  { not: "scenes?|circumstances?", say: "fixture" },
  { where: "names", not: "careful|world|house|^stages?$", say: "fixture" },
];
