/** Former terms of the project and their replacements. `docs/glossary.md` explains the terms in use. */
import type { Term } from "./term.ts";

/** What the specification says about the page a person answers ("card"). */
const contract = /^(src\/contract\/|src\/api\/openapi\/|src\/api\/pages\/|docs\/specification\/|docs\/glossary\.md$)/;

export const terms: Term[] = [
  // Memories
  {
    not: "claims?|claimed|claiming",
    say: "memory, or lease of a run, a delivery or a mail",
    but: "can claim|claims? to be|claim an?y? address",
    except: /^docs\/glossary\.md$/,
  },
  {
    where: "names",
    not: "recalls?(?! engine)|recalled|recalling",
    say: "search_memories; find_response for idempotent responses",
    // The model `recall` and its engine.
    except: /^((src|test)\/runner\/|src\/worker\/worker\.ts|docs\/architecture\.md)/,
  },
  { where: "names", not: "kept answers?", say: "store_response, idempotent response" },
  // Models have a tool `remember`.
  { where: "names", not: "remembers?|remembered", say: "store_…", except: /^(src|test)\/runner\// },
  { where: "prose", not: "kept answers?", say: "idempotent response" },
  { where: "names", not: "found memories", say: "search_memories" },

  // Leases and deliveries
  { not: "visits?|visited|visiting", say: "lease, or delivery job" },
  { not: "attends?|attended|attending", say: "lease_deliveries" },
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
  // People search for the audit trail.
  { not: "trails?|trailed|untrailed", say: "audit log", except: /^src\/contract\/audit\.ts$/ },
  { where: "names", not: "audit heads?|^heads$", say: "audit_chain_heads" },
  { where: "names", not: "audit cuts?|cut trail", say: "audit_truncations" },
  { where: "names", not: "^cuts?$", say: "truncation", in: /audit/ },
  { where: "names", not: "audit drafts?|^drafts$", say: "audit_pending_entries" },
  { where: "names", not: "^draft$", say: "pending entry", in: /audit|transparency/ },
  { where: "names", not: "acts?", say: "operator action; step of a test" },
  { where: "prose", not: "(an?|the|each|every|this|one|no|operator'?s?) acts?", say: "operator action" },
  { not: "troubles?|troubled", say: "issue, or degraded" },
  { where: "names", not: "matters?", say: "issue" },
  { where: "prose", not: "(an?|each|every|these|the) matters?", say: "issue" },
  { not: "lamps?", say: "issue" },
  { not: "todos?", say: "suggested action" },
  { where: "names", not: "cards?", say: "approval" },
  {
    where: "prose",
    not: "cards?",
    say: "approval, but for the page a person answers",
    level: "warning",
    except: contract,
  },

  // Search data
  { where: "names", not: "take words|queue words|taking words", say: "rebuild_search_vectors, set_search_vector" },
  { where: "names", not: "^words$", say: "lexemes, search vector", in: /^(sql|test\/sql)\// },
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
  { where: "names", not: "found (by|demo|organisations?)|founded", say: "search_by_…, create_…" },
  { where: "names", not: "forget (claims|request minutes)|forgives?", say: "delete_…, reset_failures" },
  { where: "names", not: "forgets?", say: "delete_…", level: "warning" },
  { where: "names", not: "spare outsiders", say: "refuse_restricted_kind" },
  { where: "names", not: "tell|tells|told|to stranger|strangers?", say: "notify_…, add_run_event, refuse_…" },
  { where: "names", not: "let trail wait", say: "defer_audit_entry" },
  { where: "names", not: "hold (ceiling|limits?)", say: "enforce_limit" },
  {
    where: "names",
    not: "^Asked$|^Handled$|Admission|^admission$",
    spelled: true,
    say: "ValidatedInput, RequestContext, Result",
  },
  // Models read `asked` in their prompt.
  {
    where: "names",
    not: "^asked$|^handled$",
    say: "the noun: input, request, result",
    except: /^(src\/runner\/engines\/models\/prompt|test\/runner\/models-continued\.test)\.ts$/,
  },
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
  // MCP has the annotation openWorldHint.
  { where: "names", not: "careful|(?<!open )world|house|^stage$", say: "fixture" },
  {
    where: "prose",
    not: "house|world",
    say: "fixture, project, deployment",
    but: "in-house",
    except: /^bench\/systems\/baseline\.ts$/,
  },

  // Tabs of the console
  {
    where: "prose",
    not: "(the )?(Now|Work|Mails|Acts|Cards|Trail) (tab|page)|(tab|page) (Now|Work|Mails|Acts|Cards|Trail)",
    say: "Overview, Deliveries & runs, Email, Operator log, Approvals, Audit log",
  },
];
