// Written by "npm run client:check -- --update" from docs/openapi.json. Not to be changed by hand.

export interface paths {
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve caller and limits
         * @description Returns the key, its person and role, and the organisation's limits with their use. Works with every scope.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["get_me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organisation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve organisation
         * @description Returns the organisation of the key with its seats and its spending in the current calendar month (UTC). Members and open invitations use seats. Spending is in micro-cents: 1,000,000 micro-cents are one cent.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["get_own_organisation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update organisation
         * @description Changes the name or the language of the organisation. After a change of `language` a worker rebuilds the search vectors of all memories. This takes seconds for tens of thousands of memories; until then search can miss memories.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `conflict`, `revision_changed`: The resource is not at a revision that `If-Match` names. Read it again.
         */
        patch: operations["rename_organisation"];
        trace?: never;
    };
    "/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys
         * @description Lists all keys of the organisation, including revoked and expired ones. Keys themselves are not returned.
         *
         *     Requires a key of scope `admin`.
         */
        get: operations["list_keys"];
        put?: never;
        /**
         * Create key
         * @description Creates a key and returns it once. The new key is bound to the person of the calling key. The service stores only a digest, so a lost key has to be replaced. Revoked and expired keys do not count in the limit.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `quota_exceeded`, `limit_keys`: The organisation has reached its limit of live keys (`liveKeys`, 20 by default).
         */
        post: operations["create_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve key
         * @description Returns the name, scope, expiry and restrictions of a key, without the key itself.
         *
         *     Requires a key of scope `admin`.
         */
        get: operations["get_key"];
        put?: never;
        post?: never;
        /**
         * Revoke key
         * @description Ends a key: it stops working at once. Revoking a revoked key changes nothing and returns the first `revokedAt`.
         *
         *     Requires a key of scope `admin`.
         */
        delete: operations["revoke_key"];
        options?: never;
        head?: never;
        /**
         * Update key
         * @description Changes the name and the restrictions of a key. Requires at least one field. Scope and expiry stay as they are.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `conflict`, `revision_changed`: The resource is not at a revision that `If-Match` names. Read it again.
         */
        patch: operations["update_key"];
        trace?: never;
    };
    "/keys/{id}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve key usage
         * @description Counts requests with the key per day, for the last 90 days. Each process of the service adds its counts every 10 seconds. A process that is killed loses the counts since.
         *
         *     Requires a key of scope `admin`.
         */
        get: operations["get_key_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate key
         * @description Creates a key with the name, scope, lifetime and restrictions of the old one. The old key ends after `overlapHours`. Until then both keys work, and both count in the limit.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `conflict`, `key_revoked`: The key is revoked.
         *     - `conflict`, `key_rotated`: The key was already rotated.
         *     - `conflict`, `key_expired`: The key has expired.
         *     - `quota_exceeded`, `limit_keys`: The organisation has reached its limit of live keys (`liveKeys`, 20 by default).
         */
        post: operations["rotate_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models
         * @description Lists the models that a bot can have: the built-in `recall`, and models that an executor served within the last day and whose price no operator has withdrawn. Runs of a bot with a withdrawn model fail with `refused`.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["list_models"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List bots
         * @description Lists team bots and the personal bots of the key's person.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["list_bots"];
        put?: never;
        /**
         * Create bot
         * @description Creates a bot that the key's person owns. Start a run of the bot with `POST /runs`. Returns `invalid_request` if `GET /models` does not list the model.
         *
         *     Requires a key of scope `write` or wider.
         */
        post: operations["create_bot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/bots/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve bot
         * @description Returns the bot with its instructions and its model. Returns `not_found` for a personal bot of another person.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["get_bot"];
        put?: never;
        post?: never;
        /**
         * Delete bot
         * @description Deletes the bot and its memories. Cancels its runs that have not ended, and keeps its runs readable.
         *
         *     Requires a key of scope `write` or wider.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `not_own_bot`: A person with role `member` can change and delete only their own bots.
         */
        delete: operations["delete_bot"];
        options?: never;
        head?: never;
        /**
         * Update bot
         * @description Changes the name, instructions, model or visibility of a bot. Requires at least one field. Returns `invalid_request` if `GET /models` does not list the new model.
         *
         *     Requires a key of scope `write` or wider.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `not_bot_owner`: Only the owner of the bot can change its visibility.
         *     - `forbidden`, `not_own_bot`: A person with role `member` can change and delete only their own bots.
         *     - `conflict`, `revision_changed`: The resource is not at a revision that `If-Match` names. Read it again.
         */
        patch: operations["update_bot"];
        trace?: never;
    };
    "/memories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List or search memories
         * @description Lists the memories that the key's person can read: those of the organisation, of bots visible to the person, and of the person. Memories past their `validTo` are included, though bots no longer use them.
         *
         *     With `q`, lists matching memories, best first, each with a `highlight`. Pages follow the rank and are not affected by concurrent writes. With `asOf`, lists memories as they were at that time.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["list_memories"];
        put?: never;
        /**
         * Create memory
         * @description Stores a memory of the key's person with provenance `member`. Returns `not_found` if the person cannot see the bot.
         *
         *     Requires a key of scope `write` or wider.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `kind_restricted`: Memories of this kind must not be stored about third parties.
         */
        post: operations["create_memory"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve memory
         * @description Returns a memory with its lawful basis and its provenance. Returns `not_found` for a memory that the key's person cannot read.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["get_memory"];
        put?: never;
        post?: never;
        /**
         * Delete memory
         * @description Deletes one memory. Bots stop using the memory at once.
         *
         *     Requires a key of scope `write` or wider.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `member_memory`: A memory of scope `member` cannot be changed through the API.
         */
        delete: operations["delete_memory"];
        options?: never;
        head?: never;
        /**
         * Update memory
         * @description Changes the statement or other fields of a memory. Requires at least one field.
         *
         *     Requires a key of scope `write` or wider.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `member_memory`: A memory of scope `member` cannot be changed through the API.
         *     - `forbidden`, `kind_restricted`: Memories of this kind must not be stored about third parties.
         *     - `conflict`, `revision_changed`: The resource is not at a revision that `If-Match` names. Read it again.
         */
        patch: operations["update_memory"];
        trace?: never;
    };
    "/memories/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List memory history
         * @description Returns one row per change, newest first: the values before the change, and the person who made it. Returns `not_found` for a deleted memory.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["list_memory_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/memories/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase memories about subject
         * @description Erases all memories of the organisation about the subject, including memories that the key's person cannot read. Subjects are compared without case, spaces and hyphens. Also erases their history, proposals of runs about the subject, and stored idempotent responses that contain them: replaying such a request returns `not_found`. Answers of bots that cite an erased memory become empty and get `erasedAt`.
         *
         *     Erasure cannot be undone. Repeating it erases nothing more. One call erases at most 1,000 memories; if more are stored, `complete` is false. Other texts are not searched: `notSearched` lists them.
         *
         *     Requires a key of scope `admin`.
         */
        post: operations["erase_memories"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs
         * @description Lists runs of bots that the key's person can see: state, steps and cost. Messages are readable only to the person of the conversation.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["list_runs"];
        put?: never;
        /**
         * Start run
         * @description Adds the message to the conversation of the key's person with the bot, and responds at once. The run may first wait for another run of the conversation. Follow it with `GET /runs/{id}` or with the webhook event `run.finished`. Then `GET /runs/{id}/messages` has the answer. A run can use 50 steps, 2 euros and 10 minutes.
         *
         *     Returns `not_found` if the person cannot see the bot or talk to it. Returns `unavailable` if no executor has served the model for one minute. A run with a withdrawn model is accepted and fails with `refused`.
         *
         *     Requires a key of scope `write` or wider.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `payment_required`, `billing_inactive`: The organisation has no running trial and no payment.
         *     - `quota_exceeded`, `limit_run_starts`: The organisation has reached its limit of run starts per hour (`runStartsPerHour`, 120 by default).
         */
        post: operations["start_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve run
         * @description Returns the state, the steps and the cost of a run. `error` states why a run failed. With `wait`, the response is sent when the run is neither `queued` nor `running`, or after that many seconds. Call again to wait longer. `GET /runs/{id}/messages` has the answer of the bot.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["get_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel run
         * @description Stops a run. Cancelling a run that has ended changes nothing and sends no event.
         *
         *     Requires a key of scope `write` or wider.
         */
        post: operations["cancel_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume blocked run
         * @description Continues a blocked run. A run is `blocked` if the bot stopped without an answer; its last message states why. The run returns to the queue of its conversation and keeps its steps and its cost.
         *
         *     Requires a key of scope `write` or wider.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `not_own_conversation`: Only the person of the conversation can resume its run.
         *     - `conflict`, `run_not_blocked`: The run is not blocked.
         */
        post: operations["resume_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List run messages
         * @description Lists the messages of a run: the person's and the bot's. Returns `not_found` for anyone except the person of the conversation, even for an owner.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["list_run_messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List run steps
         * @description Lists what a run did, with tokens and cost. Steps are readable if the key's person can see the bot. Newest first. Steps are stored for 90 days from the start of the run by default; after that the list is empty, and `steps` and `spendMicroCents` of the run remain.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["list_run_steps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/runs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream run events
         * @description A stream of server-sent events. It starts with all past events of the run, continues with new ones, in order and each exactly once, and closes after `end`. A run that has ended sends `end` again, even after a later `Last-Event-ID`.
         *
         *     The service also closes a stream after 4 to 5 minutes, or when it restarts. Connect again with the `id` of the last event as `Last-Event-ID`: the stream continues without loss or repetition. A comment every 15 seconds keeps the connection open.
         *
         *     The credential is a header, which EventSource in browsers cannot send: use `fetch`, `curl -N`, or `watch` of the client.
         *
         *     A key can hold 100 open requests, streams and reads with `wait` together. An organisation can hold a tenth of the free places of a process, which has at most 10,000. Beyond that, returns `rate_limited`.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["watch_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List approvals
         * @description Lists approvals of runs in conversations of the key's person, in every state. An API key cannot answer an approval: the person answers on the page linked in the mail.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["list_approvals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve approval
         * @description Returns what a run asks or proposes, and the answer of the person. Returns `not_found` for an approval of another person, even for an owner. The webhook event `approval.needed` carries the id.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["get_approval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/approvals/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail approval link again
         * @description Mails the link again to the person who answers the approval, who is the key's person. Both links work until one is used. At most five mails a day.
         *
         *     Requires a key of scope `write` or wider.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `conflict`, `approval_not_pending`: The approval is answered, expired or withdrawn.
         *     - `conflict`, `approval_mailed`: The link was mailed five times within a day.
         */
        post: operations["resend_approval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/routines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List routines
         * @description Lists routines of bots that the key's person can see, with their messages.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["list_routines"];
        put?: never;
        /**
         * Create routine
         * @description Creates a schedule that sends a message to a bot. At each firing the message is added to the conversation of the key's person with the bot, and starts a run with the trigger `routine`. Firings missed while no worker was running are replaced by one. A firing that `POST /runs` would refuse is skipped, and `lastSkipReason` states why. Runs of routines have a limit of their own (`routineStartsPerHour` in `GET /me`, 120 by default).
         *
         *     Returns `not_found` if the person cannot see the bot or talk to it.
         *
         *     Requires a key of scope `write` or wider.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `quota_exceeded`, `limit_routines`: The organisation has reached its limit of routines (`liveRoutines`, 50 by default).
         */
        post: operations["create_routine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/routines/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve routine
         * @description Returns the routine with its next firing and its last run. `pauseReason` states why the service paused it.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["get_routine"];
        put?: never;
        post?: never;
        /**
         * Delete routine
         * @description Deletes a routine. A run in progress continues. Runs of the routine are kept.
         *
         *     Requires a key of scope `write` or wider.
         */
        delete: operations["delete_routine"];
        options?: never;
        head?: never;
        /**
         * Update, pause or resume routine
         * @description Changes, pauses or resumes a routine. Requires at least one field. Another person than the creator can only pause the routine. Firings missed while it was paused are dropped.
         *
         *     Requires a key of scope `write` or wider.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `not_creator`: Only the creator can do this; others can pause and delete.
         *     - `conflict`, `revision_changed`: The resource is not at a revision that `If-Match` names. Read it again.
         */
        patch: operations["update_routine"];
        trace?: never;
    };
    "/hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List hooks
         * @description Lists hooks of bots that the key's person can see, without their signing secrets.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["list_hooks"];
        put?: never;
        /**
         * Create hook
         * @description Creates an inbound webhook, by which another system starts runs. The system posts to its `path`, signed with the secret in this response. Each post becomes a message to the bot in the conversation of the key's person, and starts a tainted run with the trigger `webhook`: see `POST /hooks/{id}/receive`.
         *
         *     Returns `not_found` if the person cannot see the bot or talk to it.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `quota_exceeded`, `limit_hooks`: The organisation has reached its limit of hooks (`liveHooks`, 10 by default).
         */
        post: operations["create_hook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve hook
         * @description Returns the hook with the time of its last run. `pauseReason` states why the service paused it.
         *
         *     Requires a key of scope `read` or wider.
         */
        get: operations["get_hook"];
        put?: never;
        post?: never;
        /**
         * Delete hook
         * @description Deletes a hook. Posts to the path then return `unauthenticated`, as for a hook that never existed. Runs of the hook are kept.
         *
         *     Requires a key of scope `admin`.
         */
        delete: operations["delete_hook"];
        options?: never;
        head?: never;
        /**
         * Update, pause or resume hook
         * @description Changes, pauses or resumes a hook. Another admin than the creator can only pause the hook. Posts to a paused hook return `conflict`.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `not_creator`: Only the creator can do this; others can pause and delete.
         *     - `conflict`, `revision_changed`: The resource is not at a revision that `If-Match` names. Read it again.
         */
        patch: operations["update_hook"];
        trace?: never;
    };
    "/hooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate hook secret
         * @description Replaces the signing secret of a hook at once. Posts signed with the old secret return `unauthenticated`.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `not_creator`: Only the creator can do this; others can pause and delete.
         */
        post: operations["rotate_hook_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Lists the endpoints of the organisation, without their signing secrets.
         *
         *     Requires a key of scope `admin`.
         */
        get: operations["list_webhooks"];
        put?: never;
        /**
         * Create webhook endpoint
         * @description Creates an endpoint that receives signed events. Deliveries are signed with the secret in this response. Each event in this document describes the headers that verify it.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `quota_exceeded`, `limit_webhooks`: The organisation has reached its limit of webhook endpoints (`liveWebhooks`, 10 by default).
         */
        post: operations["create_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve webhook endpoint
         * @description Returns the endpoint with its events and its state. `disabledReason` states why the endpoint is disabled.
         *
         *     Requires a key of scope `admin`.
         */
        get: operations["get_webhook"];
        put?: never;
        post?: never;
        /**
         * Delete webhook endpoint
         * @description Deletes an endpoint. Pending deliveries fail without a further attempt.
         *
         *     Requires a key of scope `admin`.
         */
        delete: operations["delete_webhook"];
        options?: never;
        head?: never;
        /**
         * Update, pause or resume webhook endpoint
         * @description Changes, pauses or resumes an endpoint. Requires at least one field. `description: null` clears the description. Setting a disabled endpoint to `active` resets its failures and its reason. Each attempt uses the current URL and secret.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `conflict`, `endpoint_disabled`: The endpoint is disabled. Set it to `active` first.
         *     - `conflict`, `revision_changed`: The resource is not at a revision that `If-Match` names. Read it again.
         */
        patch: operations["update_webhook"];
        trace?: never;
    };
    "/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate endpoint secret
         * @description Replaces the signing secret of an endpoint at once. A delivery in progress is still signed with the old secret.
         *
         *     Requires a key of scope `admin`.
         */
        post: operations["rotate_webhook_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send test event
         * @description Creates an event `webhook.test` and its delivery to this endpoint, and returns the delivery.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `conflict`, `endpoint_not_active`: The endpoint is paused, disabled or deleted.
         */
        post: operations["test_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries of endpoint
         * @description Lists the deliveries of the endpoint with their states and their last failures.
         *
         *     Requires a key of scope `admin`.
         */
        get: operations["list_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve delivery
         * @description Returns the delivery with its payload and every attempt: its time, and its status or failure.
         *
         *     Requires a key of scope `admin`.
         */
        get: operations["get_delivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver failed delivery
         * @description Starts a new round of attempts with the same id and the same body.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `conflict`, `delivery_not_failed`: The delivery has not failed.
         *     - `conflict`, `endpoint_not_active`: The endpoint is paused, disabled or deleted.
         */
        post: operations["redeliver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recover missed deliveries
         * @description Starts a new round of attempts for each failed delivery, under its id, or creates a delivery for each missing event. One call recovers about 500 deliveries and reads about 5,000 rows. While `hasMore` is true, call again with `nextSince` as `since` and a new Idempotency-Key. Repeating a call sends nothing twice.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `conflict`, `endpoint_not_active`: The endpoint is paused, disabled or deleted.
         */
        post: operations["recover_webhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve endpoint statistics
         * @description Returns numbers, success rates and durations for every UTC hour that overlaps the period, which is at most 7 days. Data that is no longer stored is not counted.
         *
         *     Requires a key of scope `admin`.
         */
        get: operations["get_webhook_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Lists every stored event of the organisation exactly once, delivered or not. Pass the last `position` as `after` to continue; a reader that does so skips no event.
         *
         *     An event appears as its transaction ends. A cursor whose events are no longer stored continues at the oldest stored event. For people `order=desc` lists the newest events first; a reader that must not miss any uses `asc`.
         *
         *     With `Accept: text/event-stream` the answer is a stream of server-sent events: `id` is a cursor, `event` the kind and `data` the event as an entry of `data` here. It starts after `Last-Event-ID` or `after`, by default now, and continues with new events in the same order, each exactly once. A comment every 15 seconds keeps it open. The service closes it after 4 to 5 minutes, when it restarts, and when the client reads too slowly: connect again with the last `id` as `Last-Event-ID`. It counts as an open request, as the stream of a run does.
         *
         *     Requires a key of scope `admin`.
         */
        get: operations["list_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List audit log entries
         * @description Lists every change of the organisation's rows: the time, the actor, the credential, the request and the changed fields. Texts, names, addresses and secrets are not logged.
         *
         *     Each entry contains the hash of the previous one. Entries are kept for one year by default. A filter that matches few entries is fast together with `resourceId` or a recent `since`.
         *
         *     Requires a key of scope `admin`.
         */
        get: operations["list_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/audit/{id}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve proof of audit log entry
         * @description Proves that the entry is part of the tree over all entries whose head was signed last. Entries join the tree within about a minute. The proof can be verified without the service, with its public key.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `conflict`, `entry_not_in_checkpoint`: The entry is in no checkpoint yet. Try again after a minute.
         */
        get: operations["get_audit_proof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description Lists the people of the organisation with their roles. Returns `forbidden` in a personal organisation.
         *
         *     Requires a key of scope `read` or wider.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
         */
        get: operations["list_members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve member
         * @description Returns the address, the name and the role of a person. The id is the person's `userId`.
         *
         *     Requires a key of scope `read` or wider.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
         */
        get: operations["get_member"];
        put?: never;
        post?: never;
        /**
         * Remove member
         * @description Removes a person from the organisation. Keys of the person stop working. Deletes the person's personal bots and cancels their runs that have not ended.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
         *     - `forbidden`, `member_above_own`: An admin cannot change or remove an owner.
         *     - `forbidden`, `own_membership`: A person cannot remove themselves.
         */
        delete: operations["remove_member"];
        options?: never;
        head?: never;
        /**
         * Change member role
         * @description Changes the role of a person. An owner can change every role. An admin can change members and admins, and cannot make anyone an owner. Keys of a person who is no longer an owner or admin stop working at once.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
         *     - `forbidden`, `role_above_own`: Only an owner can make a person an owner.
         *     - `forbidden`, `member_above_own`: An admin cannot change or remove an owner.
         *     - `forbidden`, `last_owner`: The organisation must keep at least one owner.
         *     - `conflict`, `revision_changed`: The resource is not at a revision that `If-Match` names. Read it again.
         */
        patch: operations["change_member"];
        trace?: never;
    };
    "/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invitations
         * @description Lists open invitations by default. Returns `forbidden` in a personal organisation.
         *
         *     Requires a key of scope `read` or wider.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
         */
        get: operations["list_invitations"];
        put?: never;
        /**
         * Create invitation
         * @description Invites a person by mail, with a link that is valid for 7 days. The service retries the mail until the mail server accepts it. An open invitation uses a seat. Addresses are compared in lower case.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
         *     - `payment_required`, `billing_inactive`: The organisation has no running trial and no payment.
         *     - `payment_required`, `bought_seats_taken`: Members and open invitations use all seats that were bought.
         *     - `conflict`, `member_exists`: The address belongs to a member.
         *     - `conflict`, `invitation_open`: The address has an open invitation.
         *     - `quota_exceeded`, `limit_open_invitations`: The organisation has reached its limit of open invitations (`openInvitations`, 50 by default).
         *     - `quota_exceeded`, `limit_invitations_per_hour`: The organisation has reached its limit of invitation mails per hour (`invitationsPerHour`, by default the limit of `seats`).
         *     - `quota_exceeded`, `limit_invitations_to_address`: The organisation has reached its limit of mails to this address per day (`invitationsPerAddressPerDay`, 5 by default).
         *     - `quota_exceeded`, `limit_seats`: The organisation has reached its limit of members plus open invitations (`seats`, 200 by default).
         */
        post: operations["create_invitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve invitation
         * @description Returns an invitation, also an accepted, revoked or expired one.
         *
         *     Requires a key of scope `read` or wider.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
         */
        get: operations["get_invitation"];
        put?: never;
        post?: never;
        /**
         * Revoke invitation
         * @description Ends the link and frees the seat. Revoking a revoked invitation changes nothing. To undo an accepted invitation, remove the member.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
         *     - `conflict`, `invitation_accepted`: The invitation was accepted.
         */
        delete: operations["revoke_invitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend invitation
         * @description Mails a new link that is valid for 7 days, and ends the old link. An expired invitation becomes open and uses a seat again.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
         *     - `payment_required`, `billing_inactive`: The organisation has no running trial and no payment.
         *     - `payment_required`, `bought_seats_taken`: Members and open invitations use all seats that were bought.
         *     - `conflict`, `invitation_accepted`: The invitation was accepted.
         *     - `conflict`, `invitation_revoked`: The invitation was revoked.
         *     - `conflict`, `member_exists`: The address belongs to a member.
         *     - `conflict`, `invitation_open`: The address has an open invitation.
         *     - `quota_exceeded`, `limit_open_invitations`: The organisation has reached its limit of open invitations (`openInvitations`, 50 by default).
         *     - `quota_exceeded`, `limit_invitations_per_hour`: The organisation has reached its limit of invitation mails per hour (`invitationsPerHour`, by default the limit of `seats`).
         *     - `quota_exceeded`, `limit_invitations_to_address`: The organisation has reached its limit of mails to this address per day (`invitationsPerAddressPerDay`, 5 by default).
         *     - `quota_exceeded`, `limit_seats`: The organisation has reached its limit of members plus open invitations (`seats`, 200 by default).
         */
        post: operations["resend_invitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List portal sessions
         * @description Lists sessions, newest first, until one day after their end.
         *
         *     Requires a key of scope `admin`.
         */
        get: operations["list_portal_sessions"];
        put?: never;
        /**
         * Create portal session
         * @description Returns a link that opens the portal as a member. Send the person's browser there at once. Who uses the link is not checked: signing in is the task of the application that creates it.
         *
         *     Requires a key of scope `admin`.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `member_above_own`: An admin cannot change or remove an owner.
         */
        post: operations["create_portal_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/portal-sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve portal session
         * @description Returns the session with its person and its end, without the link.
         *
         *     Requires a key of scope `admin`.
         */
        get: operations["get_portal_session"];
        put?: never;
        post?: never;
        /**
         * Revoke portal session
         * @description The session ends at once, and an unused link opens nothing. Revoking twice changes nothing and returns the first `revokedAt`.
         *
         *     Requires a key of scope `admin`.
         */
        delete: operations["revoke_portal_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Execute batch
         * @description Executes the operations in order. Each one is checked against its own scope, schema and limits, returns its own status, and counts as one request in the rate limits. One Idempotency-Key covers the batch. With `atomic` the first refusal undoes all operations, and the others return `conflict`. A batch cannot contain a batch or a stream.
         *
         *     The results have at most 1 MB in total. An operation whose result exceeds this returns 413 and changes nothing. A replay returns the stored results, also those of reads.
         *
         *     Requires a key of scope `write` or wider.
         */
        post: operations["batch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organisations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organisations
         * @description Lists every organisation of the service with its owner. No other data of tenants is returned.
         *
         *     Requires a platform key.
         */
        get: operations["list_organisations"];
        put?: never;
        /**
         * Create organisation
         * @description Notifies the owner by mail. Creates the person if the address is new.
         *
         *     Requires a platform key.
         */
        post: operations["create_organisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organisations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve organisation
         * @description Returns the organisation with its owner.
         *
         *     Requires a platform key.
         */
        get: operations["get_organisation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/platform/organisations/{id}/owner-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create key for owner
         * @description Creates an admin key that is bound to the owner, for example as the first key of an organisation or to replace a lost one.
         *
         *     Requires a platform key.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `quota_exceeded`, `limit_keys`: The organisation has reached its limit of live keys (`liveKeys`, 20 by default).
         */
        post: operations["create_owner_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/{id}/receive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Post signed message to hook
         * @description The body becomes a message to the hook's bot and starts a tainted run. It is text in UTF-8, for example JSON, of 1 to 32,000
         *     characters.
         *
         *     Sign the post as the service signs deliveries. `X-Botstead-Timestamp` is Unix time in seconds. It may differ from the
         *     service's clock by at most 300 seconds. `X-Botstead-Signature` is the HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex; the
         *     HMAC key is the text of the hook's secret. Or use [Standard Webhooks](https://www.standardwebhooks.com) with `Webhook-Id`,
         *     `Webhook-Timestamp` and `Webhook-Signature`.
         *
         *     The post takes no `Idempotency-Key`: the sender of a signed post cannot always add a header, and its signature and
         *     identifier serve as the key. `X-Botstead-Delivery` identifies the delivery for 24 hours. The same identifier with the same body returns the first response
         *     and starts no run, so a post can be retried. Without this header the signature is the identifier. Returns `conflict` if an
         *     identifier is reused with another body, or a signature with another identifier.
         *
         *     Returns the same `unauthenticated` response for an unknown hook, a wrong signature and an old timestamp. A hook accepts 60 posts
         *     a minute.
         *
         *     Beyond the specification.
         *
         *     Reasons (`X-Botstead-Reason`):
         *
         *     - `payment_required`, `billing_inactive`: The organisation has no running trial and no payment.
         *     - `conflict`, `delivery_reused`: The delivery's name or signature was already used for another delivery.
         *     - `conflict`, `hook_paused`: The hook is paused.
         *     - `quota_exceeded`, `limit_webhook_starts`: The organisation has reached its limit of run starts by hooks per hour (`webhookStartsPerHour`, 120 by default).
         */
        post: operations["receive_hook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve contract document
         * @description The API as an OpenAPI document, generated from the operations and schemas that handle requests. Requires no credential and does not count in a rate limit. Can be cached for one hour.
         */
        get: operations["get_contract"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "run.finished": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A run has ended
         * @description Sent when a run reaches `completed`, `failed` or `cancelled`, to every active endpoint that subscribes to the event. The payload contains no message text: retrieve it with `GET /runs/{id}/messages`.
         */
        post: operations["on_run_finished"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "approval.needed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A run needs an approval
         * @description Sent when a run asks its person a question, or when a tainted run proposes a memory or a run. The person receives a mail with a link and answers on that page. An API key cannot answer.
         */
        post: operations["on_approval_needed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test of an endpoint
         * @description Sent by `POST /webhooks/{id}/test` to that endpoint only. Its subscriptions are not considered.
         */
        post: operations["on_webhook_test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "run.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A run has started
         * @description Sent when an executor begins a run, once per run. A run that continues after a pause is not announced again.
         */
        post: operations["on_run_started"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "run.blocked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A run is blocked
         * @description Sent each time a bot stops and needs its person to resume the run. `GET /runs/{id}/messages` has the reason.
         */
        post: operations["on_run_blocked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An endpoint is disabled
         * @description Sent to the other endpoints that subscribe to it when an endpoint becomes `disabled`.
         */
        post: operations["on_endpoint_disabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A member has joined
         * @description Sent when a person becomes a member.
         */
        post: operations["on_member_added"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A member was removed
         * @description Sent when a member is removed, with the last role.
         */
        post: operations["on_member_removed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.role_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The role of a member has changed
         * @description Sent when a member gets another role, with the new one.
         */
        post: operations["on_member_role_changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invitation.accepted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An invitation was accepted
         * @description Sent when a person accepts an invitation. `member.added` follows from the same moment.
         */
        post: operations["on_invitation_accepted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An API key was created
         * @description Sent when a key is created, also by a rotation.
         */
        post: operations["on_key_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An API key was revoked
         * @description Sent when a key is revoked. A key that expires, or that a rotation ends, is not revoked.
         */
        post: operations["on_key_revoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "memory.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A memory was created
         * @description Sent when a memory is created, by the API or by a run. Contains ids only.
         */
        post: operations["on_memory_created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "memory.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A memory was changed
         * @description Sent when a memory has a new entry in its history. Contains ids only.
         */
        post: operations["on_memory_updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "memory.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A memory was deleted
         * @description Sent for each memory that is deleted: by a request, by an erasure, or with its bot. Contains ids only.
         */
        post: operations["on_memory_deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "organisation.limit_reached": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A limit of the organisation is reached
         * @description Sent by the request that uses a limit up: the next one would be refused. It is sent again each time the limit is used up again.
         */
        post: operations["on_organisation_limit_reached"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * An API key will expire soon
         * @description Sent once, 7 days before a key expires; an operator can change the time. Not sent for a key that was rotated or revoked, or whose life is not longer than that.
         */
        post: operations["on_key_expiring"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @description A question or proposal of a run, for one person to answer. Treat the text of a tainted run as untrusted.
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000d",
         *       "runId": "019aa0e4-5b00-7a00-8000-000000000008",
         *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
         *       "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
         *       "kind": "memory",
         *       "question": null,
         *       "reason": null,
         *       "memory": {
         *         "scope": "organisation",
         *         "kind": "policy",
         *         "subject": "Opening hours",
         *         "value": "The harbour office is open from nine to five.",
         *         "confidence": 1,
         *         "validTo": null,
         *         "subjectKind": "organisation",
         *         "lawfulBasis": "legitimate_interests"
         *       },
         *       "run": null,
         *       "state": "pending",
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "expiresAt": "2026-11-27T14:30:00.000Z",
         *       "answeredAt": null,
         *       "comment": null
         *     }
         */
        Approval: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the run.
             */
            runId: string;
            /**
             * Format: uuid
             * @description Id of the bot.
             */
            botId: string;
            /**
             * Format: uuid
             * @description Id of the conversation of the person with the bot.
             */
            conversationId: string;
            kind: components["schemas"]["ApprovalKind"];
            /** @description The question of the run. Null unless `kind` is `question`. */
            question: string | null;
            /** @description Why the run asks. Null unless `kind` is `question`. */
            reason: string | null;
            /** @description The memory that the run proposes. Null unless `kind` is `memory`. */
            memory: components["schemas"]["ProposedMemory"] | null;
            /** @description The run that the run proposes. Null unless `kind` is `run`. */
            run: components["schemas"]["ProposedRun"] | null;
            state: components["schemas"]["ApprovalState"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When the person answered. Null if the person did not.
             */
            answeredAt: string | null;
            /** @description What the person wrote with the answer. Null without a comment. */
            comment: string | null;
        };
        /**
         * @description `question`: the run waits for the answer. `memory` and `run`: a tainted run proposes to store a memory or to start a run. The proposal takes effect on approval; the run does not wait for it.
         * @enum {string}
         */
        ApprovalKind: "question" | "memory" | "run";
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "019aa0e4-5b00-7a00-8000-00000000000d",
         *           "runId": "019aa0e4-5b00-7a00-8000-000000000008",
         *           "botId": "019aa0e4-5b00-7a00-8000-000000000005",
         *           "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
         *           "kind": "memory",
         *           "question": null,
         *           "reason": null,
         *           "memory": {
         *             "scope": "organisation",
         *             "kind": "policy",
         *             "subject": "Opening hours",
         *             "value": "The harbour office is open from nine to five.",
         *             "confidence": 1,
         *             "validTo": null,
         *             "subjectKind": "organisation",
         *             "lawfulBasis": "legitimate_interests"
         *           },
         *           "run": null,
         *           "state": "pending",
         *           "createdAt": "2026-11-20T14:30:00.000Z",
         *           "expiresAt": "2026-11-27T14:30:00.000Z",
         *           "answeredAt": null,
         *           "comment": null
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        ApprovalList: {
            /** @description Newest first. */
            data: components["schemas"]["Approval"][];
            /** @description Pass it as `cursor` to read the next page. Null on the last page. */
            nextCursor: string | null;
        };
        ApprovalNeeded: {
            /**
             * Format: uuid
             * @description Id of the event. It differs from the ids of its deliveries.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "approval.needed";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the approval.
                 */
                approvalId: string;
                /**
                 * Format: uuid
                 * @description Id of the run.
                 */
                runId: string;
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                botId: string;
                /**
                 * Format: uuid
                 * @description Id of the conversation of the person with the bot.
                 */
                conversationId: string;
                /** @description Kind of approval. New kinds may be added. */
                kind: string;
                /** @description State of the approval. New states may be added. */
                state: string;
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When it expires.
                 */
                expiresAt: string;
            };
            /** @description The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint received the event. */
            deliveries: components["schemas"]["DeliveryOfEvent"][];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "event": "approval.needed",
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "data": {
         *         "approvalId": "019aa0e4-5b00-7a00-8000-00000000000d",
         *         "runId": "019aa0e4-5b00-7a00-8000-000000000008",
         *         "botId": "019aa0e4-5b00-7a00-8000-000000000005",
         *         "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
         *         "kind": "memory",
         *         "state": "pending",
         *         "createdAt": "2026-11-20T14:30:00.000Z",
         *         "expiresAt": "2026-11-27T14:30:00.000Z"
         *       }
         *     }
         */
        ApprovalNeededEvent: {
            /**
             * Format: uuid
             * @description Id of the delivery, the same for every attempt. Use it to detect duplicates.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "approval.needed";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organisation.
             */
            organisationId: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the approval.
                 */
                approvalId: string;
                /**
                 * Format: uuid
                 * @description Id of the run.
                 */
                runId: string;
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                botId: string;
                /**
                 * Format: uuid
                 * @description Id of the conversation of the person with the bot.
                 */
                conversationId: string;
                /** @description Kind of approval. New kinds may be added. */
                kind: string;
                /** @description State of the approval. New states may be added. */
                state: string;
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When it expires.
                 */
                expiresAt: string;
            };
        };
        /**
         * @description `expired`: not answered before `expiresAt`; has the effect of `refused`. `withdrawn`: its run was cancelled, or a question's run ended before the answer.
         * @enum {string}
         */
        ApprovalState: "pending" | "approved" | "refused" | "expired" | "withdrawn";
        /** @description One request to the endpoint. */
        Attempt: {
            /** @description Number of the attempt, from 1. */
            number: number;
            /**
             * @description `manual`: a redelivery or a recovery asked for it.
             * @enum {string}
             */
            trigger: "scheduled" | "manual";
            /**
             * Format: date-time
             * @description When the attempt started.
             */
            startedAt: string;
            /** @description Duration in milliseconds. */
            durationMs: number;
            /** @description Status code of the response. Null if there was none. */
            statusCode: number | null;
            /** @description Why it failed, if no status code explains it. Null otherwise. */
            failure: components["schemas"]["DeliveryFailure"] | null;
        };
        /** @description Attempts started in the period. */
        AttemptStats: {
            /** @description Number of all. */
            total: number;
            /** @description Attempts with a 2xx response. */
            succeeded: number;
            /** @description Attempts that failed. */
            failed: number;
            /** @description Between 0 and 1: succeeded / total. Null if there are none. */
            successShare: number | null;
            /** @description Durations of attempts in milliseconds, failed ones included. */
            durationMs: {
                /** @description 50 % of the attempts took at most this time. Null if there are none. */
                p50: number | null;
                /** @description 95 % of the attempts took at most this time. Null if there are none. */
                p95: number | null;
                /** @description 99 % of the attempts took at most this time. Null if there are none. */
                p99: number | null;
            };
            /** @description Number of failed attempts by cause, as in `failure` of an attempt. */
            failures: {
                /** @description Responses with a status other than 2xx. */
                status: number;
                /** @description Failures of the kind `address`. */
                address: number;
                /** @description Failures of the kind `dns`. */
                dns: number;
                /** @description Failures of the kind `redirect`. */
                redirect: number;
                /** @description Failures of the kind `size`. */
                size: number;
                /** @description Failures of the kind `timeout`. */
                timeout: number;
                /** @description Failures of the kind `transport`. */
                transport: number;
                /** @description Failures of the kind `scheme`. */
                scheme: number;
                /** @description Failures of the kind `secret`. */
                secret: number;
            };
        };
        /**
         * @description What happened to the row.
         * @enum {string}
         */
        AuditAction: "created" | "updated" | "deleted";
        /**
         * @description The kind of actor. `key`, `platform_key`, `portal_session`, `invitation`, `approval` and `hook` are credentials. `executor` carries out runs, `worker` performs scheduled work, `operator` is an operator of the service, `system` is the installation.
         * @enum {string}
         */
        AuditActor: "key" | "platform_key" | "portal_session" | "invitation" | "approval" | "hook" | "executor" | "worker" | "operator" | "system";
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000015",
         *       "sequence": 41,
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "actor": "key",
         *       "keyId": "019aa0e4-5b00-7a00-8000-000000000004",
         *       "userId": "019aa0e4-5b00-7a00-8000-000000000002",
         *       "operator": null,
         *       "reason": null,
         *       "requestId": "019aa0e4-5b00-7a00-8000-00000000000e",
         *       "action": "updated",
         *       "resource": "member",
         *       "resourceId": "019aa0e4-5b00-7a00-8000-000000000003",
         *       "changed": [
         *         "role"
         *       ],
         *       "before": {
         *         "role": "member"
         *       },
         *       "after": {
         *         "role": "admin"
         *       },
         *       "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         *     }
         */
        AuditEntry: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /** @description Position in the organisation's audit log, from 1 without gaps. */
            sequence: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            actor: components["schemas"]["AuditActor"];
            /**
             * Format: uuid
             * @description Id of the credential: a key, or the invitation, approval or hook that `actor` names.
             */
            keyId: string | null;
            /**
             * Format: uuid
             * @description The person of the key, invitation or approval.
             */
            userId: string | null;
            /** @description Name of the operator's token. */
            operator: string | null;
            /** @description The reason that the operator gave. */
            reason: string | null;
            /**
             * Format: uuid
             * @description The `X-Request-Id` of the response.
             */
            requestId: string | null;
            action: components["schemas"]["AuditAction"];
            resource: components["schemas"]["AuditResource"];
            /**
             * Format: uuid
             * @description Id of the row; for a member the person's `userId`. Null for a resource without an id.
             */
            resourceId: string | null;
            /** @description Names of the changed fields, including fields whose values are not logged. */
            changed: string[];
            /** @description Values before the change: ids, states, roles, limits and times. Texts are not logged. */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description Values after the change, of the same fields. */
            after: {
                [key: string]: unknown;
            } | null;
            /** @description SHA-256 over the previous entry's hash and this entry, as lower-case hex. */
            hash: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "019aa0e4-5b00-7a00-8000-000000000015",
         *           "sequence": 41,
         *           "createdAt": "2026-11-20T14:30:00.000Z",
         *           "actor": "key",
         *           "keyId": "019aa0e4-5b00-7a00-8000-000000000004",
         *           "userId": "019aa0e4-5b00-7a00-8000-000000000002",
         *           "operator": null,
         *           "reason": null,
         *           "requestId": "019aa0e4-5b00-7a00-8000-00000000000e",
         *           "action": "updated",
         *           "resource": "member",
         *           "resourceId": "019aa0e4-5b00-7a00-8000-000000000003",
         *           "changed": [
         *             "role"
         *           ],
         *           "before": {
         *             "role": "member"
         *           },
         *           "after": {
         *             "role": "admin"
         *           },
         *           "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        AuditEntryList: {
            /** @description Newest first. */
            data: components["schemas"]["AuditEntry"][];
            /** @description Pass it as `cursor` to read the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /**
         * @example {
         *       "entryId": "019aa0e4-5b00-7a00-8000-000000000015",
         *       "previousHash": "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
         *       "content": "key\n019aa0e4-5b00-7a00-8000-000000000004\n019aa0e4-5b00-7a00-8000-000000000002\nNULL\nNULL\n019aa0e4-5b00-7a00-8000-00000000000e\nupdated\nmember\n019aa0e4-5b00-7a00-8000-000000000003\n{role}\n{\"role\" : \"member\"}\n{\"role\" : \"admin\"}",
         *       "leaf": "botstead audit entry v1\n019aa0e4-5b00-7a00-8000-000000000001\n41\n9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n",
         *       "leafIndex": 1,
         *       "treeSize": 2,
         *       "hashes": [
         *         "bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0="
         *       ],
         *       "checkpoint": "api.example.com/audit\n2\n+sVCA+fMaWzw38tCySodnbr3CtnmIfS9jZhmLwDjwSU=\n\n— api.example.com/audit 1a2b3c4d…\n"
         *     }
         */
        AuditProof: {
            /**
             * Format: uuid
             * @description Id of the audit log entry.
             */
            entryId: string;
            /** @description `hash` of the previous entry. Before the first one: the SHA-256 of the organisation's id. */
            previousHash: string;
            /** @description The content of the entry as one text. `hash` is the SHA-256 of the bytes of `previousHash`, then four texts with line breaks between them: the organisation's id, `sequence`, `entryId` and `content`. */
            content: string;
            /** @description The leaf of the entry in the tree: a line with the format, then the organisation's id, `sequence` and `hash`. */
            leaf: string;
            /** @description The place of the leaf in the tree, from 0. */
            leafIndex: number;
            /** @description The number of leaves of the checkpoint's tree. */
            treeSize: number;
            /** @description The inclusion proof of RFC 6962, from the leaf to the root: SHA-256 hashes in base64, at most 32. */
            hashes: string[];
            /** @description The signed head of the tree, a signed note, with the signatures of witnesses. */
            checkpoint: string;
        };
        /**
         * @description What kind of row changed.
         * @enum {string}
         */
        AuditResource: "organisation" | "member" | "invitation" | "key" | "bot" | "memory" | "run" | "approval" | "routine" | "hook" | "webhook" | "portal_session" | "delivery" | "erasure" | "restriction" | "limit" | "audit_log" | "service";
        BatchOperation: {
            /** @description An identifier of your choice, returned with the result. */
            id?: string;
            /**
             * @description Upper or lower case.
             * @enum {string}
             */
            method: "GET" | "POST" | "PATCH" | "DELETE";
            /** @description Path below `/api/v1`, with its query, for example `/memories?limit=10`. */
            path: string;
            /** @description JSON body of the operation. Omit it for operations without a body. */
            body?: {
                [key: string]: unknown;
            } | null;
            /** @description The header `If-Match` of a PATCH: the `etag` of an earlier result, for example. */
            ifMatch?: string;
        };
        BatchResult: {
            /** @description The identifier from the request. */
            id: string | null;
            /** @description The HTTP status that the operation returns outside a batch. */
            status: number;
            /** @description The `X-Botstead-Reason` of the operation. */
            reason: string | null;
            /** @description The `ETag` of the operation, if its resource has one. */
            etag: string | null;
            /** @description The body that the operation returns outside a batch. */
            body: {
                [key: string]: unknown;
            };
        };
        /**
         * @example {
         *       "results": [
         *         {
         *           "id": "guide",
         *           "status": 201,
         *           "reason": null,
         *           "etag": "W/\"6f1ed002ab5595859014ebf0951522d9\"",
         *           "body": {
         *             "id": "019aa0e4-5b00-7a00-8000-000000000005",
         *             "name": "Harbour guide",
         *             "instructions": "Answer in one sentence.",
         *             "model": "recall",
         *             "visibility": "team",
         *             "directConversation": "members",
         *             "ownerId": "019aa0e4-5b00-7a00-8000-000000000002",
         *             "createdAt": "2026-11-20T14:30:00.000Z"
         *           }
         *         },
         *         {
         *           "id": "hours",
         *           "status": 201,
         *           "reason": null,
         *           "etag": "W/\"6f1ed002ab5595859014ebf0951522d9\"",
         *           "body": {
         *             "id": "019aa0e4-5b00-7a00-8000-000000000006",
         *             "scope": "organisation",
         *             "botId": null,
         *             "kind": "policy",
         *             "subject": "Opening hours",
         *             "subjectKind": "organisation",
         *             "value": "The harbour office is open from nine to five.",
         *             "confidence": 1,
         *             "validTo": null,
         *             "provenance": "member",
         *             "createdAt": "2026-11-20T14:30:00.000Z",
         *             "lawfulBasis": "legitimate_interests"
         *           }
         *         },
         *         {
         *           "id": "memories",
         *           "status": 200,
         *           "reason": null,
         *           "etag": null,
         *           "body": {
         *             "data": [
         *               {
         *                 "id": "019aa0e4-5b00-7a00-8000-000000000006",
         *                 "scope": "organisation",
         *                 "botId": null,
         *                 "kind": "policy",
         *                 "subject": "Opening hours",
         *                 "subjectKind": "organisation",
         *                 "value": "The harbour office is open from nine to five.",
         *                 "confidence": 1,
         *                 "validTo": null,
         *                 "provenance": "member",
         *                 "createdAt": "2026-11-20T14:30:00.000Z",
         *                 "lawfulBasis": "legitimate_interests"
         *               }
         *             ],
         *             "nextCursor": null
         *           }
         *         }
         *       ]
         *     }
         */
        BatchResults: {
            /** @description One result per operation, in the same order. */
            results: components["schemas"]["BatchResult"][];
        };
        /**
         * @description Starting runs and adding members require `active`, or a `trial` that has not ended.
         * @enum {string}
         */
        BillingState: "trial" | "active" | "none";
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000005",
         *       "name": "Harbour guide",
         *       "instructions": "Answer in one sentence.",
         *       "model": "recall",
         *       "visibility": "team",
         *       "directConversation": "members",
         *       "ownerId": "019aa0e4-5b00-7a00-8000-000000000002",
         *       "createdAt": "2026-11-20T14:30:00.000Z"
         *     }
         */
        Bot: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /** @description Name, for people. */
            name: string;
            /** @description What the bot should do, as text for its model. */
            instructions: string;
            /** @description The model that answers, as listed by `GET /models`. `recall` is built in. */
            model: string;
            visibility: components["schemas"]["BotVisibility"];
            directConversation: components["schemas"]["DirectConversation"];
            /**
             * Format: uuid
             * @description The person who owns the bot.
             */
            ownerId: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "019aa0e4-5b00-7a00-8000-000000000005",
         *           "name": "Harbour guide",
         *           "instructions": "Answer in one sentence.",
         *           "model": "recall",
         *           "visibility": "team",
         *           "directConversation": "members",
         *           "ownerId": "019aa0e4-5b00-7a00-8000-000000000002",
         *           "createdAt": "2026-11-20T14:30:00.000Z"
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        BotList: {
            /** @description Newest first. */
            data: components["schemas"]["Bot"][];
            /** @description Pass it as `cursor` to read the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /**
         * @description `personal`: visible only to its owner.
         * @enum {string}
         */
        BotVisibility: "team" | "personal";
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "name": "Harbour",
         *       "kind": "team",
         *       "billingState": "active",
         *       "trialEndsAt": null,
         *       "createdAt": "2026-11-02T09:00:00.000Z",
         *       "owner": {
         *         "userId": "019aa0e4-5b00-7a00-8000-000000000002",
         *         "email": "olga@harbour.example",
         *         "displayName": "Olga"
         *       }
         *     }
         */
        CreatedOrganisation: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /** @description Name, for people. */
            name: string;
            kind: components["schemas"]["OrganisationKind"];
            billingState: components["schemas"]["BillingState"];
            /**
             * Format: date-time
             * @description When the trial ends. Null without a trial.
             */
            trialEndsAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description The owner who has been a member for the longest time. */
            owner: {
                /**
                 * Format: uuid
                 * @description Id of the person.
                 */
                userId: string;
                /**
                 * Format: email
                 * @description E-mail address.
                 */
                email: string;
                /** @description Null also for a person who existed before the organisation and was named elsewhere. */
                displayName: string | null;
            } | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "019aa0e4-5b00-7a00-8000-000000000001",
         *           "name": "Harbour",
         *           "kind": "team",
         *           "billingState": "active",
         *           "trialEndsAt": null,
         *           "createdAt": "2026-11-02T09:00:00.000Z",
         *           "owner": {
         *             "userId": "019aa0e4-5b00-7a00-8000-000000000002",
         *             "email": "olga@harbour.example",
         *             "displayName": "Olga"
         *           }
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        CreatedOrganisationList: {
            /** @description Newest first. */
            data: components["schemas"]["CreatedOrganisation"][];
            /** @description Pass it as `cursor` to read the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /**
         * @description A deleted resource.
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000f",
         *       "deleted": true
         *     }
         */
        Deleted: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /**
             * @description Always true.
             * @constant
             */
            deleted: true;
        };
        /**
         * @description One event for one endpoint.
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a",
         *       "event": "webhook.test",
         *       "state": "pending",
         *       "attempts": 0,
         *       "maxAttempts": 5,
         *       "lastStatusCode": null,
         *       "lastFailure": null,
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "lastAttemptAt": null,
         *       "nextAttemptAt": "2026-11-20T14:30:00.000Z",
         *       "deliveredAt": null
         *     }
         */
        Delivery: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the webhook endpoint.
             */
            webhookId: string;
            event: components["schemas"]["EventKind"];
            state: components["schemas"]["DeliveryState"];
            /** @description Number of attempts that have started. */
            attempts: number;
            /** @description Maximum number of attempts. A redelivery adds a round of attempts. */
            maxAttempts: number;
            /** @description Status code of the last response. Null if no attempt had a response. */
            lastStatusCode: number | null;
            /** @description Why the last attempt failed, if no status code explains it. Null otherwise. */
            lastFailure: components["schemas"]["DeliveryFailure"] | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the last attempt started. Null before the first one.
             */
            lastAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due. Null unless the delivery is `pending`.
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the endpoint accepted the delivery. Null if it has not.
             */
            deliveredAt: string | null;
        };
        /**
         * @description Why the attempt failed, if no status code explains it. `secret`: the service cannot open the secret. Rotate it.
         * @enum {string}
         */
        DeliveryFailure: "address" | "dns" | "redirect" | "size" | "timeout" | "transport" | "scheme" | "secret";
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a",
         *       "event": "webhook.test",
         *       "state": "delivered",
         *       "attempts": 1,
         *       "maxAttempts": 5,
         *       "lastStatusCode": 200,
         *       "lastFailure": null,
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "lastAttemptAt": "2026-11-20T14:30:02.150Z",
         *       "nextAttemptAt": null,
         *       "deliveredAt": "2026-11-20T14:30:02.150Z",
         *       "attemptLog": [
         *         {
         *           "number": 1,
         *           "trigger": "scheduled",
         *           "startedAt": "2026-11-20T14:30:02.150Z",
         *           "durationMs": 84,
         *           "statusCode": 200,
         *           "failure": null
         *         }
         *       ],
         *       "payload": {
         *         "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *         "event": "webhook.test",
         *         "createdAt": "2026-11-20T14:30:00.000Z",
         *         "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *         "data": {
         *           "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a"
         *         }
         *       }
         *     }
         */
        DeliveryInFull: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the webhook endpoint.
             */
            webhookId: string;
            event: components["schemas"]["EventKind"];
            state: components["schemas"]["DeliveryState"];
            /** @description Number of attempts that have started. */
            attempts: number;
            /** @description Maximum number of attempts. A redelivery adds a round of attempts. */
            maxAttempts: number;
            /** @description Status code of the last response. Null if no attempt had a response. */
            lastStatusCode: number | null;
            /** @description Why the last attempt failed, if no status code explains it. Null otherwise. */
            lastFailure: components["schemas"]["DeliveryFailure"] | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the last attempt started. Null before the first one.
             */
            lastAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the next attempt is due. Null unless the delivery is `pending`.
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When the endpoint accepted the delivery. Null if it has not.
             */
            deliveredAt: string | null;
            /** @description Oldest first. Only the status of each response is stored. */
            attemptLog: components["schemas"]["Attempt"][];
            /** @description The body that every attempt sends. */
            payload: components["schemas"]["RunFinishedEvent"] | components["schemas"]["ApprovalNeededEvent"] | components["schemas"]["WebhookTestEvent"] | components["schemas"]["RunStartedEvent"] | components["schemas"]["RunBlockedEvent"] | components["schemas"]["EndpointDisabledEvent"] | components["schemas"]["MemberAddedEvent"] | components["schemas"]["MemberRemovedEvent"] | components["schemas"]["MemberRoleChangedEvent"] | components["schemas"]["InvitationAcceptedEvent"] | components["schemas"]["KeyCreatedEvent"] | components["schemas"]["KeyRevokedEvent"] | components["schemas"]["MemoryCreatedEvent"] | components["schemas"]["MemoryUpdatedEvent"] | components["schemas"]["MemoryDeletedEvent"] | components["schemas"]["OrganisationLimitReachedEvent"] | components["schemas"]["KeyExpiringEvent"];
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *           "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a",
         *           "event": "webhook.test",
         *           "state": "pending",
         *           "attempts": 0,
         *           "maxAttempts": 5,
         *           "lastStatusCode": null,
         *           "lastFailure": null,
         *           "createdAt": "2026-11-20T14:30:00.000Z",
         *           "lastAttemptAt": null,
         *           "nextAttemptAt": "2026-11-20T14:30:00.000Z",
         *           "deliveredAt": null
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        DeliveryList: {
            /** @description Newest first. */
            data: components["schemas"]["Delivery"][];
            /** @description Pass it as `cursor` to read the next page. Null on the last page. */
            nextCursor: string | null;
        };
        DeliveryOfEvent: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the webhook endpoint.
             */
            webhookId: string;
            state: components["schemas"]["DeliveryState"];
        };
        /**
         * @description `failed`: no attempt is left, or the endpoint was disabled or deleted.
         * @enum {string}
         */
        DeliveryState: "pending" | "delivered" | "failed";
        /** @description Deliveries created in the period, by their current state. */
        DeliveryStats: {
            /** @description Number of all. */
            total: number;
            /** @description Deliveries whose outcome is open. */
            pending: number;
            /** @description Deliveries that the endpoint accepted with a 2xx response. */
            delivered: number;
            /** @description Deliveries that have no attempt left. */
            failed: number;
            /** @description Between 0 and 1: delivered / (delivered + failed). Null if there are none. */
            successShare: number | null;
        };
        /**
         * @description Who can talk to the bot, and so start its runs: all members, or only its owner.
         * @enum {string}
         */
        DirectConversation: "members" | "owner";
        EndpointDisabled: {
            /**
             * Format: uuid
             * @description Id of the event. It differs from the ids of its deliveries.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "endpoint.disabled";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the webhook endpoint.
                 */
                webhookId: string;
                /**
                 * @description Why it was disabled, as `disabledReason` of the endpoint.
                 * @enum {string}
                 */
                reason: "consecutive_failures" | "gone" | "operator";
            };
            /** @description The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint received the event. */
            deliveries: components["schemas"]["DeliveryOfEvent"][];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "event": "endpoint.disabled",
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "data": {
         *         "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a",
         *         "reason": "consecutive_failures"
         *       }
         *     }
         */
        EndpointDisabledEvent: {
            /**
             * Format: uuid
             * @description Id of the delivery, the same for every attempt. Use it to detect duplicates.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "endpoint.disabled";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organisation.
             */
            organisationId: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the webhook endpoint.
                 */
                webhookId: string;
                /**
                 * @description Why it was disabled, as `disabledReason` of the endpoint.
                 * @enum {string}
                 */
                reason: "consecutive_failures" | "gone" | "operator";
            };
        };
        /**
         * @description A receipt. It does not contain the subject: store it with the request for erasure.
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000012",
         *       "erasedAt": "2026-11-20T14:30:02.150Z",
         *       "memories": 3,
         *       "history": 1,
         *       "proposals": 0,
         *       "answers": 2,
         *       "complete": true,
         *       "notSearched": [
         *         "messages",
         *         "approvals",
         *         "bots",
         *         "routines",
         *         "backups"
         *       ]
         *     }
         */
        Erasure: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the memories were erased.
             */
            erasedAt: string;
            /** @description Number of erased memories. */
            memories: number;
            /** @description Number of erased former versions, including those of memories deleted earlier. */
            history: number;
            /** @description Number of erased approvals that proposed a memory about the subject, answered or not. */
            proposals: number;
            /** @description Number of answers of bots that became empty because they cite an erased memory. */
            answers: number;
            /** @description False if memories are left, because one call erases a limited number. Call again with a new Idempotency-Key until it is true. */
            complete: boolean;
            /** @description Texts that are not searched and may still contain the subject: other messages, questions and messages of approvals, names and instructions of bots, names and messages of routines, and backups. */
            notSearched: ("messages" | "approvals" | "bots" | "routines" | "backups")[];
        };
        Event: components["schemas"]["RunFinished"] | components["schemas"]["ApprovalNeeded"] | components["schemas"]["WebhookTest"] | components["schemas"]["RunStarted"] | components["schemas"]["RunBlocked"] | components["schemas"]["EndpointDisabled"] | components["schemas"]["MemberAdded"] | components["schemas"]["MemberRemoved"] | components["schemas"]["MemberRoleChanged"] | components["schemas"]["InvitationAccepted"] | components["schemas"]["KeyCreated"] | components["schemas"]["KeyRevoked"] | components["schemas"]["MemoryCreated"] | components["schemas"]["MemoryUpdated"] | components["schemas"]["MemoryDeleted"] | components["schemas"]["OrganisationLimitReached"] | components["schemas"]["KeyExpiring"];
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "019aa0e4-5b00-7a00-8000-000000000010",
         *           "event": "run.finished",
         *           "createdAt": "2026-11-20T14:30:02.150Z",
         *           "data": {
         *             "runId": "019aa0e4-5b00-7a00-8000-000000000008",
         *             "botId": "019aa0e4-5b00-7a00-8000-000000000005",
         *             "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
         *             "routineId": null,
         *             "state": "completed",
         *             "trigger": "api",
         *             "steps": 2,
         *             "spendMicroCents": 0,
         *             "taint": false,
         *             "finishedAt": "2026-11-20T14:30:02.150Z"
         *           },
         *           "deliveries": [
         *             {
         *               "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *               "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a",
         *               "state": "delivered"
         *             }
         *           ]
         *         }
         *       ],
         *       "nextCursor": null,
         *       "position": "d41f6b2a0000000000002f1c019aa0e45b007a008000000000000010",
         *       "hasMore": false
         *     }
         */
        EventFeed: {
            /** @description In the order in which the events became readable; with `order=desc` newest first. */
            data: components["schemas"]["Event"][];
            /** @description Pass it as `cursor`. Null on the last page. */
            nextCursor: string | null;
            /** @description The position after this page, also after the last. Store it and pass it as `after` to read on: later events, or earlier ones with `order=desc`. */
            position: string;
            /** @description Whether more events can be read at once, even if this page is short. */
            hasMore: boolean;
        };
        /**
         * @description What happened.
         * @enum {string}
         */
        EventKind: "run.finished" | "approval.needed" | "webhook.test" | "run.started" | "run.blocked" | "endpoint.disabled" | "member.added" | "member.removed" | "member.role_changed" | "invitation.accepted" | "key.created" | "key.revoked" | "memory.created" | "memory.updated" | "memory.deleted" | "organisation.limit_reached" | "key.expiring";
        /**
         * @description Only with `q`. The parts of the subject and of the value, in order. Joined they are the text; parts with `hit` matched. Plain text: escape each part before you show it as HTML.
         * @example {
         *       "subject": [
         *         {
         *           "text": "Opening",
         *           "hit": true
         *         },
         *         {
         *           "text": " hours",
         *           "hit": false
         *         }
         *       ],
         *       "value": [
         *         {
         *           "text": "From nine to five.",
         *           "hit": false
         *         }
         *       ]
         *     }
         */
        Highlight: {
            /** @description The parts of the subject. */
            subject: {
                /** @description Plain text. */
                text: string;
                /** @description Whether this part matched the search. */
                hit: boolean;
            }[];
            /** @description The parts of the value. */
            value: {
                /** @description Plain text. */
                text: string;
                /** @description Whether this part matched the search. */
                hit: boolean;
            }[];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000014",
         *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
         *       "name": "Alerts of the crane",
         *       "path": "/api/v1/hooks/019aa0e4-5b00-7a00-8000-000000000014/receive",
         *       "state": "active",
         *       "pauseReason": null,
         *       "secretLostSince": null,
         *       "lastReceivedAt": null,
         *       "lastRunId": null,
         *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *       "createdAt": "2026-11-20T14:30:00.000Z"
         *     }
         */
        Hook: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the bot.
             */
            botId: string;
            /** @description Name, for people. */
            name: string;
            /** @description Path of the URL to post to, on this server. */
            path: string;
            /**
             * @description `paused`: it starts no runs.
             * @enum {string}
             */
            state: "active" | "paused";
            /** @description Why the service paused the hook. Null if a person paused it. */
            pauseReason: components["schemas"]["PauseReason"] | null;
            /**
             * Format: date-time
             * @description Time since which the service cannot open the signing secret. Posts are refused with 503 until the secret is rotated. Null: it can.
             */
            secretLostSince: string | null;
            /**
             * Format: date-time
             * @description Time of the last post that started a run.
             */
            lastReceivedAt: string | null;
            /**
             * Format: uuid
             * @description Id of the last run that it started. Null if it never has.
             */
            lastRunId: string | null;
            /**
             * Format: uuid
             * @description The person on whose behalf runs start, in their conversation with the bot.
             */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "019aa0e4-5b00-7a00-8000-000000000014",
         *           "botId": "019aa0e4-5b00-7a00-8000-000000000005",
         *           "name": "Alerts of the crane",
         *           "path": "/api/v1/hooks/019aa0e4-5b00-7a00-8000-000000000014/receive",
         *           "state": "active",
         *           "pauseReason": null,
         *           "secretLostSince": null,
         *           "lastReceivedAt": null,
         *           "lastRunId": null,
         *           "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *           "createdAt": "2026-11-20T14:30:00.000Z"
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        HookList: {
            /** @description Newest first. */
            data: components["schemas"]["Hook"][];
            /** @description Pass it as `cursor` to read the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000014",
         *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
         *       "name": "Alerts of the crane",
         *       "path": "/api/v1/hooks/019aa0e4-5b00-7a00-8000-000000000014/receive",
         *       "state": "active",
         *       "pauseReason": null,
         *       "secretLostSince": null,
         *       "lastReceivedAt": null,
         *       "lastRunId": null,
         *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "secret": "whsec_ExampleSecretExampleSecretExampleSecret1234="
         *     }
         */
        HookShownOnce: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the bot.
             */
            botId: string;
            /** @description Name, for people. */
            name: string;
            /** @description Path of the URL to post to, on this server. */
            path: string;
            /**
             * @description `paused`: it starts no runs.
             * @enum {string}
             */
            state: "active" | "paused";
            /** @description Why the service paused the hook. Null if a person paused it. */
            pauseReason: components["schemas"]["PauseReason"] | null;
            /**
             * Format: date-time
             * @description Time since which the service cannot open the signing secret. Posts are refused with 503 until the secret is rotated. Null: it can.
             */
            secretLostSince: string | null;
            /**
             * Format: date-time
             * @description Time of the last post that started a run.
             */
            lastReceivedAt: string | null;
            /**
             * Format: uuid
             * @description Id of the last run that it started. Null if it never has.
             */
            lastRunId: string | null;
            /**
             * Format: uuid
             * @description The person on whose behalf runs start, in their conversation with the bot.
             */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description The secret that signs posts. Only this response contains it: store it now. */
            secret: string;
        };
        /**
         * @description An invitation. The link is sent by mail only and never returned.
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000c",
         *       "email": "nora@harbour.example",
         *       "role": "member",
         *       "invitedBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "expiresAt": "2026-11-27T14:30:00.000Z",
         *       "acceptedAt": null,
         *       "revokedAt": null
         *     }
         */
        Invitation: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string;
            /**
             * @description Role in the organisation.
             * @enum {string}
             */
            role: "admin" | "member";
            /**
             * Format: uuid
             * @description `userId` of the member who sent the invitation.
             */
            invitedBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When the invitation was accepted. Null if it was not.
             */
            acceptedAt: string | null;
            /**
             * Format: date-time
             * @description When it was revoked. Null if it was not.
             */
            revokedAt: string | null;
        };
        InvitationAccepted: {
            /**
             * Format: uuid
             * @description Id of the event. It differs from the ids of its deliveries.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "invitation.accepted";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the person.
                 */
                userId: string;
                role: components["schemas"]["MemberRole"];
                /**
                 * Format: uuid
                 * @description Id of the invitation.
                 */
                invitationId: string;
            };
            /** @description The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint received the event. */
            deliveries: components["schemas"]["DeliveryOfEvent"][];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "event": "invitation.accepted",
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "data": {
         *         "invitationId": "019aa0e4-5b00-7a00-8000-00000000000c",
         *         "userId": "019aa0e4-5b00-7a00-8000-000000000003",
         *         "role": "admin"
         *       }
         *     }
         */
        InvitationAcceptedEvent: {
            /**
             * Format: uuid
             * @description Id of the delivery, the same for every attempt. Use it to detect duplicates.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "invitation.accepted";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organisation.
             */
            organisationId: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the person.
                 */
                userId: string;
                role: components["schemas"]["MemberRole"];
                /**
                 * Format: uuid
                 * @description Id of the invitation.
                 */
                invitationId: string;
            };
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "019aa0e4-5b00-7a00-8000-00000000000c",
         *           "email": "nora@harbour.example",
         *           "role": "member",
         *           "invitedBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *           "createdAt": "2026-11-20T14:30:00.000Z",
         *           "expiresAt": "2026-11-27T14:30:00.000Z",
         *           "acceptedAt": null,
         *           "revokedAt": null
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        InvitationList: {
            /** @description Newest first. */
            data: components["schemas"]["Invitation"][];
            /** @description Pass it as `cursor` to read the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /**
         * @description A credential of the organisation.
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000004",
         *       "name": "CI",
         *       "prefix": "bsk_ExampleK",
         *       "scope": "write",
         *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "expiresAt": "2027-02-18T14:30:00.000Z",
         *       "lastUsedAt": null,
         *       "revokedAt": null,
         *       "usable": true,
         *       "allowedIps": [
         *         "192.0.2.0/24"
         *       ],
         *       "ratePerMinute": null
         *     }
         */
        Key: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /** @description Name, for people. */
            name: string;
            /** @description The first 12 characters of the key. */
            prefix: string;
            scope: components["schemas"]["KeyScope"];
            /**
             * Format: uuid
             * @description The person to whom the key is bound. Calls with the key act as this person.
             */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description Updated at most once a minute.
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When it was revoked. Null if it was not.
             */
            revokedAt: string | null;
            /** @description Whether calls with the key are accepted. False if the key is revoked or expired, or while its person is not an owner or admin. */
            usable: boolean;
            /** @description The blocks of addresses from which the key is accepted, in CIDR notation. Null: any address. */
            allowedIps: string[] | null;
            /** @description Requests per minute of this key. Null: 300. */
            ratePerMinute: number | null;
        };
        KeyCreated: {
            /**
             * Format: uuid
             * @description Id of the event. It differs from the ids of its deliveries.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "key.created";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the API key.
                 */
                keyId: string;
                scope: components["schemas"]["KeyScope"];
                /**
                 * Format: uuid
                 * @description Id of the person whose key it is.
                 */
                userId: string;
            };
            /** @description The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint received the event. */
            deliveries: components["schemas"]["DeliveryOfEvent"][];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "event": "key.created",
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "data": {
         *         "keyId": "019aa0e4-5b00-7a00-8000-000000000004",
         *         "scope": "write",
         *         "userId": "019aa0e4-5b00-7a00-8000-000000000002"
         *       }
         *     }
         */
        KeyCreatedEvent: {
            /**
             * Format: uuid
             * @description Id of the delivery, the same for every attempt. Use it to detect duplicates.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "key.created";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organisation.
             */
            organisationId: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the API key.
                 */
                keyId: string;
                scope: components["schemas"]["KeyScope"];
                /**
                 * Format: uuid
                 * @description Id of the person whose key it is.
                 */
                userId: string;
            };
        };
        KeyExpiring: {
            /**
             * Format: uuid
             * @description Id of the event. It differs from the ids of its deliveries.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "key.expiring";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the API key.
                 */
                keyId: string;
                scope: components["schemas"]["KeyScope"];
                /**
                 * Format: uuid
                 * @description Id of the person whose key it is.
                 */
                userId: string;
                /**
                 * Format: date-time
                 * @description When it expires.
                 */
                expiresAt: string;
            };
            /** @description The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint received the event. */
            deliveries: components["schemas"]["DeliveryOfEvent"][];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "event": "key.expiring",
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "data": {
         *         "keyId": "019aa0e4-5b00-7a00-8000-000000000004",
         *         "scope": "write",
         *         "userId": "019aa0e4-5b00-7a00-8000-000000000002",
         *         "expiresAt": "2026-11-27T14:30:00.000Z"
         *       }
         *     }
         */
        KeyExpiringEvent: {
            /**
             * Format: uuid
             * @description Id of the delivery, the same for every attempt. Use it to detect duplicates.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "key.expiring";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organisation.
             */
            organisationId: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the API key.
                 */
                keyId: string;
                scope: components["schemas"]["KeyScope"];
                /**
                 * Format: uuid
                 * @description Id of the person whose key it is.
                 */
                userId: string;
                /**
                 * Format: date-time
                 * @description When it expires.
                 */
                expiresAt: string;
            };
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "019aa0e4-5b00-7a00-8000-000000000004",
         *           "name": "CI",
         *           "prefix": "bsk_ExampleK",
         *           "scope": "write",
         *           "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *           "createdAt": "2026-11-20T14:30:00.000Z",
         *           "expiresAt": "2027-02-18T14:30:00.000Z",
         *           "lastUsedAt": null,
         *           "revokedAt": null,
         *           "usable": true,
         *           "allowedIps": [
         *             "192.0.2.0/24"
         *           ],
         *           "ratePerMinute": null
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        KeyList: {
            /** @description Newest first. */
            data: components["schemas"]["Key"][];
            /** @description Pass it as `cursor` to read the next page. Null on the last page. */
            nextCursor: string | null;
        };
        KeyRevoked: {
            /**
             * Format: uuid
             * @description Id of the event. It differs from the ids of its deliveries.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "key.revoked";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the API key.
                 */
                keyId: string;
                scope: components["schemas"]["KeyScope"];
                /**
                 * Format: uuid
                 * @description Id of the person whose key it is.
                 */
                userId: string;
            };
            /** @description The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint received the event. */
            deliveries: components["schemas"]["DeliveryOfEvent"][];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "event": "key.revoked",
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "data": {
         *         "keyId": "019aa0e4-5b00-7a00-8000-000000000004",
         *         "scope": "write",
         *         "userId": "019aa0e4-5b00-7a00-8000-000000000002"
         *       }
         *     }
         */
        KeyRevokedEvent: {
            /**
             * Format: uuid
             * @description Id of the delivery, the same for every attempt. Use it to detect duplicates.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "key.revoked";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organisation.
             */
            organisationId: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the API key.
                 */
                keyId: string;
                scope: components["schemas"]["KeyScope"];
                /**
                 * Format: uuid
                 * @description Id of the person whose key it is.
                 */
                userId: string;
            };
        };
        /**
         * @description `read`: every GET except those of keys, hooks, webhooks, deliveries, `/events` and `/audit`. `write`: also `/batch` and changes of bots, memories, runs and routines, except `/memories/erase`. `admin`: everything.
         * @enum {string}
         */
        KeyScope: "read" | "write" | "admin";
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000004",
         *       "name": "CI",
         *       "prefix": "bsk_ExampleK",
         *       "scope": "write",
         *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "expiresAt": "2027-02-18T14:30:00.000Z",
         *       "lastUsedAt": null,
         *       "revokedAt": null,
         *       "usable": true,
         *       "allowedIps": [
         *         "192.0.2.0/24"
         *       ],
         *       "ratePerMinute": null,
         *       "key": "bsk_ExampleKeyExampleKeyExampleKeyExampleKey123456789"
         *     }
         */
        KeyShownOnce: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /** @description Name, for people. */
            name: string;
            /** @description The first 12 characters of the key. */
            prefix: string;
            scope: components["schemas"]["KeyScope"];
            /**
             * Format: uuid
             * @description The person to whom the key is bound. Calls with the key act as this person.
             */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description Updated at most once a minute.
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description When it was revoked. Null if it was not.
             */
            revokedAt: string | null;
            /** @description Whether calls with the key are accepted. False if the key is revoked or expired, or while its person is not an owner or admin. */
            usable: boolean;
            /** @description The blocks of addresses from which the key is accepted, in CIDR notation. Null: any address. */
            allowedIps: string[] | null;
            /** @description Requests per minute of this key. Null: 300. */
            ratePerMinute: number | null;
            /** @description The key. Only this response contains it: store it now. */
            key: string;
        };
        /**
         * @description `live`: neither revoked nor expired. `expired`: expired without being revoked.
         * @enum {string}
         */
        KeyState: "live" | "expired" | "revoked";
        /**
         * @description Requests of a key per day.
         * @example {
         *       "keyId": "019aa0e4-5b00-7a00-8000-000000000004",
         *       "days": [
         *         {
         *           "day": "2026-11-20",
         *           "requests": 1200,
         *           "refusals": 3
         *         }
         *       ]
         *     }
         */
        KeyUsage: {
            /**
             * Format: uuid
             * @description Id of the key.
             */
            keyId: string;
            /** @description The last 90 days, newest first. Days without requests are missing. */
            days: {
                /**
                 * Format: date
                 * @description The day in UTC, by the time of the response.
                 */
                day: string;
                /** @description Requests with the key. A batch is one. */
                requests: number;
                /** @description Requests of these that were refused: status 400 to 499. */
                refusals: number;
            }[];
        };
        /**
         * @description Language of memory search: determines stemming and stop words. `simple` uses neither.
         * @enum {string}
         */
        Language: "simple" | "danish" | "dutch" | "english" | "finnish" | "french" | "german" | "hungarian" | "italian" | "nepali" | "norwegian" | "portuguese" | "russian" | "spanish" | "swedish" | "turkish";
        /**
         * @description The lawful basis for storing the memory: article 6 of the GDPR.
         * @enum {string}
         */
        LawfulBasis: "consent" | "contract" | "legal_obligation" | "vital_interests" | "public_task" | "legitimate_interests";
        /**
         * @description A memory in a list. In a search it has a `highlight`.
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000006",
         *       "scope": "organisation",
         *       "botId": null,
         *       "kind": "policy",
         *       "subject": "Opening hours",
         *       "subjectKind": "organisation",
         *       "value": "The harbour office is open from nine to five.",
         *       "confidence": 1,
         *       "validTo": null,
         *       "provenance": "member",
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "lawfulBasis": "legitimate_interests"
         *     }
         */
        ListedMemory: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /**
             * @description To whom the memory belongs: all members, members who see the bot, or one member.
             * @enum {string}
             */
            scope: "organisation" | "bot" | "member";
            /**
             * Format: uuid
             * @description The bot to which the memory belongs. Null unless `scope` is `bot`.
             */
            botId: string | null;
            /** @description What the memory is, as one word of the organisation, such as `policy`. */
            kind: string;
            /** @description Whom or what the memory is about. */
            subject: string;
            subjectKind: components["schemas"]["SubjectKind"];
            /** @description The statement. */
            value: string;
            /** @description How certain the statement is, from 0 to 1. Search ranks certain memories higher. */
            confidence: number;
            /**
             * Format: date-time
             * @description When the statement ends to be true. Null: no end is known.
             */
            validTo: string | null;
            provenance: components["schemas"]["Provenance"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            lawfulBasis: components["schemas"]["LawfulBasis"];
            highlight?: components["schemas"]["Highlight"];
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "019aa0e4-5b00-7a00-8000-000000000006",
         *           "scope": "organisation",
         *           "botId": null,
         *           "kind": "policy",
         *           "subject": "Opening hours",
         *           "subjectKind": "organisation",
         *           "value": "The harbour office is open from nine to five.",
         *           "confidence": 1,
         *           "validTo": null,
         *           "provenance": "member",
         *           "createdAt": "2026-11-20T14:30:00.000Z",
         *           "lawfulBasis": "legitimate_interests"
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        ListedMemoryList: {
            /** @description Newest first. */
            data: components["schemas"]["ListedMemory"][];
            /** @description Pass it as `cursor` to read the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /**
         * @example {
         *       "key": {
         *         "id": "019aa0e4-5b00-7a00-8000-000000000004",
         *         "name": "CI",
         *         "prefix": "bsk_ExampleK",
         *         "scope": "read",
         *         "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *         "createdAt": "2026-11-20T14:30:00.000Z",
         *         "expiresAt": "2027-02-18T14:30:00.000Z",
         *         "lastUsedAt": "2026-11-20T14:30:02.150Z",
         *         "revokedAt": null,
         *         "usable": true,
         *         "allowedIps": null,
         *         "ratePerMinute": null
         *       },
         *       "person": {
         *         "userId": "019aa0e4-5b00-7a00-8000-000000000002",
         *         "email": "olga@harbour.example",
         *         "displayName": "Olga",
         *         "role": "owner"
         *       },
         *       "organisation": {
         *         "id": "019aa0e4-5b00-7a00-8000-000000000001",
         *         "name": "Harbour",
         *         "kind": "team",
         *         "billingState": "active",
         *         "trialEndsAt": null,
         *         "createdAt": "2026-11-02T09:00:00.000Z"
         *       },
         *       "limits": {
         *         "liveKeys": {
         *           "limit": 20,
         *           "used": 3
         *         },
         *         "liveWebhooks": {
         *           "limit": 10,
         *           "used": 1
         *         },
         *         "openInvitations": {
         *           "limit": 50,
         *           "used": 2
         *         },
         *         "invitationsPerHour": {
         *           "limit": 200,
         *           "used": 1
         *         },
         *         "invitationsPerAddressPerDay": {
         *           "limit": 5,
         *           "used": 1
         *         },
         *         "seats": {
         *           "limit": 200,
         *           "used": 14
         *         },
         *         "runStartsPerHour": {
         *           "limit": 120,
         *           "used": 4
         *         },
         *         "routineStartsPerHour": {
         *           "limit": 120,
         *           "used": 1
         *         },
         *         "webhookStartsPerHour": {
         *           "limit": 120,
         *           "used": 0
         *         },
         *         "liveRoutines": {
         *           "limit": 50,
         *           "used": 2
         *         },
         *         "liveHooks": {
         *           "limit": 10,
         *           "used": 1
         *         },
         *         "monthlySpendMicroCents": {
         *           "limit": null,
         *           "used": 0
         *         }
         *       }
         *     }
         */
        Me: {
            key: components["schemas"]["Key"];
            /** @description The person of the key. */
            person: {
                /**
                 * Format: uuid
                 * @description Id of the person.
                 */
                userId: string;
                /**
                 * Format: email
                 * @description E-mail address.
                 */
                email: string;
                /** @description Name of the person. Null if it is unknown. */
                displayName: string | null;
                role: components["schemas"]["MemberRole"];
            };
            organisation: components["schemas"]["Organisation"];
            /** @description Limits of the organisation with their present use. */
            limits: {
                liveKeys: components["schemas"]["Use"];
                liveWebhooks: components["schemas"]["Use"];
                openInvitations: components["schemas"]["Use"];
                /** @description Invitation mails in the last hour. The limit defaults to that of `seats`. */
                invitationsPerHour: components["schemas"]["Use"];
                /** @description Invitation mails to one address in the last 24 hours. `used` is the count of the address with the most. */
                invitationsPerAddressPerDay: components["schemas"]["Use"];
                /** @description Members plus open invitations. */
                seats: components["schemas"]["Use"];
                /** @description Runs started by people and scripts in the last hour. */
                runStartsPerHour: components["schemas"]["Use"];
                /** @description Runs started by routines in the last hour. */
                routineStartsPerHour: components["schemas"]["Use"];
                /** @description Runs started by hooks in the last hour. */
                webhookStartsPerHour: components["schemas"]["Use"];
                liveRoutines: components["schemas"]["Use"];
                liveHooks: components["schemas"]["Use"];
                monthlySpendMicroCents: components["schemas"]["Use"];
            };
        };
        /**
         * @example {
         *       "userId": "019aa0e4-5b00-7a00-8000-000000000003",
         *       "email": "max@harbour.example",
         *       "displayName": "Max",
         *       "role": "member",
         *       "createdAt": "2026-11-20T14:30:00.000Z"
         *     }
         */
        Member: {
            /**
             * Format: uuid
             * @description Id of the person.
             */
            userId: string;
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string;
            /** @description Name of the person. Null if it is unknown. */
            displayName: string | null;
            role: components["schemas"]["MemberRole"];
            /**
             * Format: date-time
             * @description Time at which the person became a member.
             */
            createdAt: string;
        };
        MemberAdded: {
            /**
             * Format: uuid
             * @description Id of the event. It differs from the ids of its deliveries.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "member.added";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the person.
                 */
                userId: string;
                role: components["schemas"]["MemberRole"];
            };
            /** @description The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint received the event. */
            deliveries: components["schemas"]["DeliveryOfEvent"][];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "event": "member.added",
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "data": {
         *         "userId": "019aa0e4-5b00-7a00-8000-000000000003",
         *         "role": "admin"
         *       }
         *     }
         */
        MemberAddedEvent: {
            /**
             * Format: uuid
             * @description Id of the delivery, the same for every attempt. Use it to detect duplicates.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "member.added";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organisation.
             */
            organisationId: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the person.
                 */
                userId: string;
                role: components["schemas"]["MemberRole"];
            };
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "userId": "019aa0e4-5b00-7a00-8000-000000000003",
         *           "email": "max@harbour.example",
         *           "displayName": "Max",
         *           "role": "member",
         *           "createdAt": "2026-11-20T14:30:00.000Z"
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        MemberList: {
            /** @description Newest first. */
            data: components["schemas"]["Member"][];
            /** @description Pass it as `cursor` to read the next page. Null on the last page. */
            nextCursor: string | null;
        };
        MemberRemoved: {
            /**
             * Format: uuid
             * @description Id of the event. It differs from the ids of its deliveries.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "member.removed";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the person.
                 */
                userId: string;
                role: components["schemas"]["MemberRole"];
            };
            /** @description The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint received the event. */
            deliveries: components["schemas"]["DeliveryOfEvent"][];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "event": "member.removed",
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "data": {
         *         "userId": "019aa0e4-5b00-7a00-8000-000000000003",
         *         "role": "admin"
         *       }
         *     }
         */
        MemberRemovedEvent: {
            /**
             * Format: uuid
             * @description Id of the delivery, the same for every attempt. Use it to detect duplicates.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "member.removed";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organisation.
             */
            organisationId: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the person.
                 */
                userId: string;
                role: components["schemas"]["MemberRole"];
            };
        };
        /**
         * @description `owner` and `admin` manage the organisation and hold its keys. An organisation always has an owner.
         * @enum {string}
         */
        MemberRole: "owner" | "admin" | "member";
        MemberRoleChanged: {
            /**
             * Format: uuid
             * @description Id of the event. It differs from the ids of its deliveries.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "member.role_changed";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the person.
                 */
                userId: string;
                role: components["schemas"]["MemberRole"];
            };
            /** @description The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint received the event. */
            deliveries: components["schemas"]["DeliveryOfEvent"][];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "event": "member.role_changed",
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "data": {
         *         "userId": "019aa0e4-5b00-7a00-8000-000000000003",
         *         "role": "admin"
         *       }
         *     }
         */
        MemberRoleChangedEvent: {
            /**
             * Format: uuid
             * @description Id of the delivery, the same for every attempt. Use it to detect duplicates.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "member.role_changed";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organisation.
             */
            organisationId: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the person.
                 */
                userId: string;
                role: components["schemas"]["MemberRole"];
            };
        };
        /**
         * @description A statement that bots can use in answers.
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000006",
         *       "scope": "organisation",
         *       "botId": null,
         *       "kind": "policy",
         *       "subject": "Opening hours",
         *       "subjectKind": "organisation",
         *       "value": "The harbour office is open from nine to five.",
         *       "confidence": 1,
         *       "validTo": null,
         *       "provenance": "member",
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "lawfulBasis": "legitimate_interests"
         *     }
         */
        Memory: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /**
             * @description To whom the memory belongs: all members, members who see the bot, or one member.
             * @enum {string}
             */
            scope: "organisation" | "bot" | "member";
            /**
             * Format: uuid
             * @description The bot to which the memory belongs. Null unless `scope` is `bot`.
             */
            botId: string | null;
            /** @description What the memory is, as one word of the organisation, such as `policy`. */
            kind: string;
            /** @description Whom or what the memory is about. */
            subject: string;
            subjectKind: components["schemas"]["SubjectKind"];
            /** @description The statement. */
            value: string;
            /** @description How certain the statement is, from 0 to 1. Search ranks certain memories higher. */
            confidence: number;
            /**
             * Format: date-time
             * @description When the statement ends to be true. Null: no end is known.
             */
            validTo: string | null;
            provenance: components["schemas"]["Provenance"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            lawfulBasis: components["schemas"]["LawfulBasis"];
        };
        /**
         * @description A memory before one change.
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000011",
         *       "changedAt": "2026-11-20T14:30:02.150Z",
         *       "changedBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *       "value": "The harbour office is open from eight to four.",
         *       "confidence": 1,
         *       "validTo": null,
         *       "provenance": "member",
         *       "lawfulBasis": "legitimate_interests"
         *     }
         */
        MemoryChange: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /**
             * Format: date-time
             * @description When the memory was changed or deleted.
             */
            changedAt: string;
            /**
             * Format: uuid
             * @description The person who made the change. Null if no key made it.
             */
            changedBy: string | null;
            /** @description The statement. */
            value: string;
            /** @description How certain the statement is, from 0 to 1. Search ranks certain memories higher. */
            confidence: number;
            /**
             * Format: date-time
             * @description When the statement ends to be true. Null: no end is known.
             */
            validTo: string | null;
            provenance: components["schemas"]["Provenance"];
            lawfulBasis: components["schemas"]["LawfulBasis"];
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "019aa0e4-5b00-7a00-8000-000000000011",
         *           "changedAt": "2026-11-20T14:30:02.150Z",
         *           "changedBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *           "value": "The harbour office is open from eight to four.",
         *           "confidence": 1,
         *           "validTo": null,
         *           "provenance": "member",
         *           "lawfulBasis": "legitimate_interests"
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        MemoryChangeList: {
            /** @description Newest first. */
            data: components["schemas"]["MemoryChange"][];
            /** @description Pass it as `cursor` to read the next page. Null on the last page. */
            nextCursor: string | null;
        };
        MemoryCreated: {
            /**
             * Format: uuid
             * @description Id of the event. It differs from the ids of its deliveries.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "memory.created";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the memory.
                 */
                memoryId: string;
                /**
                 * Format: uuid
                 * @description Id of the bot that the memory belongs to. Null for other scopes.
                 */
                botId: string | null;
            };
            /** @description The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint received the event. */
            deliveries: components["schemas"]["DeliveryOfEvent"][];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "event": "memory.created",
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "data": {
         *         "memoryId": "019aa0e4-5b00-7a00-8000-000000000006",
         *         "botId": null
         *       }
         *     }
         */
        MemoryCreatedEvent: {
            /**
             * Format: uuid
             * @description Id of the delivery, the same for every attempt. Use it to detect duplicates.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "memory.created";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organisation.
             */
            organisationId: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the memory.
                 */
                memoryId: string;
                /**
                 * Format: uuid
                 * @description Id of the bot that the memory belongs to. Null for other scopes.
                 */
                botId: string | null;
            };
        };
        MemoryDeleted: {
            /**
             * Format: uuid
             * @description Id of the event. It differs from the ids of its deliveries.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "memory.deleted";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the memory.
                 */
                memoryId: string;
                /**
                 * Format: uuid
                 * @description Id of the bot that the memory belongs to. Null for other scopes.
                 */
                botId: string | null;
            };
            /** @description The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint received the event. */
            deliveries: components["schemas"]["DeliveryOfEvent"][];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "event": "memory.deleted",
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "data": {
         *         "memoryId": "019aa0e4-5b00-7a00-8000-000000000006",
         *         "botId": null
         *       }
         *     }
         */
        MemoryDeletedEvent: {
            /**
             * Format: uuid
             * @description Id of the delivery, the same for every attempt. Use it to detect duplicates.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "memory.deleted";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organisation.
             */
            organisationId: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the memory.
                 */
                memoryId: string;
                /**
                 * Format: uuid
                 * @description Id of the bot that the memory belongs to. Null for other scopes.
                 */
                botId: string | null;
            };
        };
        MemoryList: components["schemas"]["ListedMemoryList"];
        MemoryUpdated: {
            /**
             * Format: uuid
             * @description Id of the event. It differs from the ids of its deliveries.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "memory.updated";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the memory.
                 */
                memoryId: string;
                /**
                 * Format: uuid
                 * @description Id of the bot that the memory belongs to. Null for other scopes.
                 */
                botId: string | null;
            };
            /** @description The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint received the event. */
            deliveries: components["schemas"]["DeliveryOfEvent"][];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "event": "memory.updated",
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "data": {
         *         "memoryId": "019aa0e4-5b00-7a00-8000-000000000006",
         *         "botId": null
         *       }
         *     }
         */
        MemoryUpdatedEvent: {
            /**
             * Format: uuid
             * @description Id of the delivery, the same for every attempt. Use it to detect duplicates.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "memory.updated";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organisation.
             */
            organisationId: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the memory.
                 */
                memoryId: string;
                /**
                 * Format: uuid
                 * @description Id of the bot that the memory belongs to. Null for other scopes.
                 */
                botId: string | null;
            };
        };
        /**
         * @description One message of the conversation.
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000009",
         *       "runId": "019aa0e4-5b00-7a00-8000-000000000008",
         *       "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
         *       "author": "bot",
         *       "text": "The harbour office is open from nine to five.",
         *       "memoryIds": [
         *         "019aa0e4-5b00-7a00-8000-000000000006"
         *       ],
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "erasedAt": null
         *     }
         */
        Message: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the run.
             */
            runId: string;
            /**
             * Format: uuid
             * @description Id of the conversation of the person with the bot.
             */
            conversationId: string;
            /**
             * @description Who wrote the message.
             * @enum {string}
             */
            author: "person" | "bot";
            /** @description Plain text. */
            text: string;
            /** @description The memories that the answer cites, best first. */
            memoryIds: string[];
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time at which the answer was emptied because a memory that it cites was erased: `text` and `memoryIds` are then empty. Null otherwise.
             */
            erasedAt: string | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "019aa0e4-5b00-7a00-8000-000000000009",
         *           "runId": "019aa0e4-5b00-7a00-8000-000000000008",
         *           "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
         *           "author": "bot",
         *           "text": "The harbour office is open from nine to five.",
         *           "memoryIds": [
         *             "019aa0e4-5b00-7a00-8000-000000000006"
         *           ],
         *           "createdAt": "2026-11-20T14:30:02.150Z",
         *           "erasedAt": null
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        MessageList: {
            /** @description Newest first. */
            data: components["schemas"]["Message"][];
            /** @description Pass it as `cursor` to read the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /**
         * @example {
         *       "id": "recall",
         *       "available": true
         *     }
         */
        Model: {
            /** @description Name of the model, as in `model` of a bot. */
            id: string;
            /** @description Whether an executor served the model within the last minute. If false, `POST /runs` returns `unavailable`. */
            available: boolean;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "recall",
         *           "available": true
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        ModelList: {
            /** @description Sorted by name, at most 2,001. */
            data: components["schemas"]["Model"][];
            /** @description Always null: the list has one page. */
            nextCursor: string | null;
        };
        /**
         * @description One customer of the service.
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "name": "Harbour",
         *       "kind": "team",
         *       "billingState": "active",
         *       "trialEndsAt": null,
         *       "createdAt": "2026-11-02T09:00:00.000Z"
         *     }
         */
        Organisation: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /** @description Name, for people. */
            name: string;
            kind: components["schemas"]["OrganisationKind"];
            billingState: components["schemas"]["BillingState"];
            /**
             * Format: date-time
             * @description When the trial ends. Null without a trial.
             */
            trialEndsAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        /**
         * @description `personal`: belongs to one person and has no members to manage.
         * @enum {string}
         */
        OrganisationKind: "team" | "personal";
        OrganisationLimitReached: {
            /**
             * Format: uuid
             * @description Id of the event. It differs from the ids of its deliveries.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "organisation.limit_reached";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the event is about. */
            data: {
                /** @description Name of the limit in `GET /me`. New limits may be added. */
                limit: string;
                /** @description The maximum of the limit. */
                maximum: number;
                /** @description Present use of the limit. */
                used: number;
            };
            /** @description The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint received the event. */
            deliveries: components["schemas"]["DeliveryOfEvent"][];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "event": "organisation.limit_reached",
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "data": {
         *         "limit": "liveKeys",
         *         "maximum": 20,
         *         "used": 20
         *       }
         *     }
         */
        OrganisationLimitReachedEvent: {
            /**
             * Format: uuid
             * @description Id of the delivery, the same for every attempt. Use it to detect duplicates.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "organisation.limit_reached";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organisation.
             */
            organisationId: string;
            /** @description What the event is about. */
            data: {
                /** @description Name of the limit in `GET /me`. New limits may be added. */
                limit: string;
                /** @description The maximum of the limit. */
                maximum: number;
                /** @description Present use of the limit. */
                used: number;
            };
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "name": "Harbour",
         *       "kind": "team",
         *       "billingState": "active",
         *       "trialEndsAt": null,
         *       "createdAt": "2026-11-02T09:00:00.000Z",
         *       "language": "english",
         *       "seats": {
         *         "limit": 200,
         *         "bought": null,
         *         "members": 3,
         *         "openInvitations": 1
         *       },
         *       "usage": {
         *         "month": "2026-11",
         *         "spendMicroCents": 0,
         *         "limitMicroCents": null
         *       }
         *     }
         */
        OwnOrganisation: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /** @description Name, for people. */
            name: string;
            kind: components["schemas"]["OrganisationKind"];
            billingState: components["schemas"]["BillingState"];
            /**
             * Format: date-time
             * @description When the trial ends. Null without a trial.
             */
            trialEndsAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            language: components["schemas"]["Language"];
            /** @description Use of the organisation's seats. */
            seats: {
                /** @description Maximum of members plus open invitations. */
                limit: number;
                /** @description Number of seats paid for. Null if seats are not counted. */
                bought: number | null;
                /** @description Number of members. */
                members: number;
                /** @description Number of invitations that are neither accepted, revoked nor expired. Each reserves a seat. */
                openInvitations: number;
            };
            /** @description Cost of the runs of the current month (UTC). */
            usage: {
                /** @description Calendar month in UTC, as `2026-11`. */
                month: string;
                /** @description Cost in micro-cents: 1,000,000 micro-cents are one cent. */
                spendMicroCents: number;
                /** @description The spending limit of the month in micro-cents. Null: no limit. */
                limitMicroCents: number | null;
            };
        };
        /**
         * @description `creator_not_admin`: the creator is no longer an owner or admin. `bot_not_visible`: the creator can no longer see the bot or talk to it. `schedule_ended`: the schedule has no next time.
         * @enum {string}
         */
        PauseReason: "creator_not_admin" | "bot_not_visible" | "schedule_ended";
        /**
         * @description A section of the portal.
         * @enum {string}
         */
        PortalSection: "overview" | "endpoints" | "events" | "keys" | "runs" | "approvals" | "bots" | "memories" | "routines" | "hooks" | "members" | "audit";
        /**
         * @description A session of a member in the portal.
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000016",
         *       "personId": "019aa0e4-5b00-7a00-8000-000000000002",
         *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *       "sections": [
         *         "endpoints",
         *         "events"
         *       ],
         *       "readOnly": false,
         *       "returnUrl": "https://app.example.com/settings",
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "openedAt": null,
         *       "expiresAt": "2026-11-20T15:30:00.000Z",
         *       "revokedAt": null
         *     }
         */
        PortalSession: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /**
             * Format: uuid
             * @description `userId` of the member as whom the session acts.
             */
            personId: string;
            /**
             * Format: uuid
             * @description `userId` of the member whose key created the session. Null: an operator of the service.
             */
            createdBy: string | null;
            /** @description The sections that the session reaches. Null: all that the member's role reaches. */
            sections: components["schemas"]["PortalSection"][] | null;
            /** @description Whether the session can only read. */
            readOnly: boolean;
            /** @description Where the portal's way back leads. */
            returnUrl: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the link was used.
             */
            openedAt: string | null;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When the session was revoked, the person logged out, or its creator lost the role.
             */
            revokedAt: string | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "019aa0e4-5b00-7a00-8000-000000000016",
         *           "personId": "019aa0e4-5b00-7a00-8000-000000000002",
         *           "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *           "sections": [
         *             "endpoints",
         *             "events"
         *           ],
         *           "readOnly": false,
         *           "returnUrl": "https://app.example.com/settings",
         *           "createdAt": "2026-11-20T14:30:00.000Z",
         *           "openedAt": null,
         *           "expiresAt": "2026-11-20T15:30:00.000Z",
         *           "revokedAt": null
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        PortalSessionList: {
            /** @description Newest first. */
            data: components["schemas"]["PortalSession"][];
            /** @description Pass it as `cursor` to read the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000016",
         *       "personId": "019aa0e4-5b00-7a00-8000-000000000002",
         *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *       "sections": [
         *         "endpoints",
         *         "events"
         *       ],
         *       "readOnly": false,
         *       "returnUrl": "https://app.example.com/settings",
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "openedAt": null,
         *       "expiresAt": "2026-11-20T15:30:00.000Z",
         *       "revokedAt": null,
         *       "url": "https://api.example.com/portal/#bsl_ExampleLink"
         *     }
         */
        PortalSessionShownOnce: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /**
             * Format: uuid
             * @description `userId` of the member as whom the session acts.
             */
            personId: string;
            /**
             * Format: uuid
             * @description `userId` of the member whose key created the session. Null: an operator of the service.
             */
            createdBy: string | null;
            /** @description The sections that the session reaches. Null: all that the member's role reaches. */
            sections: components["schemas"]["PortalSection"][] | null;
            /** @description Whether the session can only read. */
            readOnly: boolean;
            /** @description Where the portal's way back leads. */
            returnUrl: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the link was used.
             */
            openedAt: string | null;
            /**
             * Format: date-time
             * @description When it expires.
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When the session was revoked, the person logged out, or its creator lost the role.
             */
            revokedAt: string | null;
            /**
             * Format: uri
             * @description The link to the portal, for the person's browser. It works once and within 5 minutes. Only this response contains it.
             */
            url: string;
        };
        /** @description The memory that approval stores: of the organisation, the run's bot, or the run's person. */
        ProposedMemory: {
            /**
             * @description To whom the memory belongs: all members, members who see the bot, or one member.
             * @enum {string}
             */
            scope: "organisation" | "bot" | "member";
            /** @description What the memory is, as one word of the organisation, such as `policy`. */
            kind: string;
            /** @description Whom or what the memory is about. */
            subject: string;
            subjectKind: components["schemas"]["SubjectKind"];
            /** @description The statement. */
            value: string;
            /** @description How certain the statement is, from 0 to 1. Search ranks certain memories higher. */
            confidence: number;
            /**
             * Format: date-time
             * @description When the statement ends to be true. Null: no end is known.
             */
            validTo: string | null;
            lawfulBasis: components["schemas"]["LawfulBasis"];
        };
        /** @description The run that approval starts. It is tainted like the run that proposed it. */
        ProposedRun: {
            /**
             * Format: uuid
             * @description Id of the bot.
             */
            botId: string;
            /** @description Message to the bot. */
            message: string;
        };
        /**
         * @description How the memory was created: `member` by a person or script, `run` by a run, `run-tainted` by a tainted run, `import` with a template. It never changes.
         * @enum {string}
         */
        Provenance: "member" | "run" | "import" | "run-tainted";
        Received: {
            /**
             * Format: uuid
             * @description Id of the run.
             */
            runId: string;
        };
        /**
         * @description `failed`: failed deliveries created in the period. `missing`: events of the period that the endpoint subscribes to now, but has no delivery of, because it was paused, disabled or not yet created.
         * @enum {string}
         */
        RecoverWhat: "failed" | "missing";
        /**
         * @example {
         *       "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a",
         *       "include": "failed",
         *       "recovered": 42,
         *       "hasMore": false,
         *       "nextSince": null
         *     }
         */
        Recovery: {
            /**
             * Format: uuid
             * @description Id of the webhook endpoint.
             */
            webhookId: string;
            include: components["schemas"]["RecoverWhat"];
            /** @description Number of deliveries that became pending by this call. */
            recovered: number;
            /** @description Whether part of the period is left. */
            hasMore: boolean;
            /**
             * Format: date-time
             * @description The `since` of the next call, with the same `until`. Null if nothing is left.
             */
            nextSince: string | null;
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000013",
         *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
         *       "name": "Morning round",
         *       "schedule": "30 8 * * MON-FRI",
         *       "timeZone": "Europe/Berlin",
         *       "message": "What has changed since yesterday?",
         *       "state": "active",
         *       "pauseReason": null,
         *       "nextFiringAt": "2026-11-27T14:30:00.000Z",
         *       "lastFiredAt": null,
         *       "lastRunId": null,
         *       "lastSkippedAt": null,
         *       "lastSkipReason": null,
         *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *       "createdAt": "2026-11-20T14:30:00.000Z"
         *     }
         */
        Routine: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the bot.
             */
            botId: string;
            /** @description Name, for people. */
            name: string;
            /** @description When the routine starts a run: a cron expression of five fields. */
            schedule: string;
            /** @description The IANA time zone of `schedule`. */
            timeZone: string;
            /** @description Message to the bot. */
            message: string;
            /**
             * @description `paused`: it starts no runs.
             * @enum {string}
             */
            state: "active" | "paused";
            /** @description Why the service paused the routine. Null if a person paused it. */
            pauseReason: components["schemas"]["PauseReason"] | null;
            /**
             * Format: date-time
             * @description Null while paused, and briefly after a change.
             */
            nextFiringAt: string | null;
            /**
             * Format: date-time
             * @description When the routine last started a run. Null if it never has.
             */
            lastFiredAt: string | null;
            /**
             * Format: uuid
             * @description Id of the last run that it started. Null if it never has.
             */
            lastRunId: string | null;
            /**
             * Format: date-time
             * @description Time of the last firing that could not start a run.
             */
            lastSkippedAt: string | null;
            /** @description The refusal of that firing, as of `POST /runs`. */
            lastSkipReason: ("payment_required" | "quota_exceeded" | "unavailable") | null;
            /**
             * Format: uuid
             * @description The person on whose behalf runs start, in their conversation with the bot.
             */
            createdBy: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "019aa0e4-5b00-7a00-8000-000000000013",
         *           "botId": "019aa0e4-5b00-7a00-8000-000000000005",
         *           "name": "Morning round",
         *           "schedule": "30 8 * * MON-FRI",
         *           "timeZone": "Europe/Berlin",
         *           "message": "What has changed since yesterday?",
         *           "state": "active",
         *           "pauseReason": null,
         *           "nextFiringAt": "2026-11-27T14:30:00.000Z",
         *           "lastFiredAt": null,
         *           "lastRunId": null,
         *           "lastSkippedAt": null,
         *           "lastSkipReason": null,
         *           "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *           "createdAt": "2026-11-20T14:30:00.000Z"
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        RoutineList: {
            /** @description Newest first. */
            data: components["schemas"]["Routine"][];
            /** @description Pass it as `cursor` to read the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /**
         * @description One request to a bot, from the message that starts it to its end.
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000008",
         *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
         *       "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
         *       "routineId": null,
         *       "state": "queued",
         *       "trigger": "api",
         *       "taint": false,
         *       "steps": 0,
         *       "spendMicroCents": 0,
         *       "error": null,
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "finishedAt": null
         *     }
         */
        Run: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /**
             * Format: uuid
             * @description Id of the bot.
             */
            botId: string;
            /**
             * Format: uuid
             * @description Id of the conversation of the person with the bot.
             */
            conversationId: string;
            /**
             * Format: uuid
             * @description Id of the routine that started the run. Null if none did.
             */
            routineId: string | null;
            state: components["schemas"]["RunState"];
            trigger: components["schemas"]["RunTrigger"];
            /** @description Whether the run contains text from outside the organisation. */
            taint: boolean;
            /** @description Number of recorded steps. */
            steps: number;
            /** @description In micro-cents: 1,000,000 micro-cents are one cent. */
            spendMicroCents: number;
            /** @description Why the run failed. Null unless it is `failed`. */
            error: {
                code: components["schemas"]["RunErrorCode"];
                /** @description A fixed sentence for people. */
                message: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the run ended. Null while it has not.
             */
            finishedAt: string | null;
            /** @description The first 200 characters of the message that started the run. Null if another person sent it. Only in lists with `include=message`. */
            message?: string | null;
        };
        /** @description The run needs an approval, as in the webhook event `approval.needed`. Sent only to the person of the conversation. */
        RunApprovalEvent: {
            /** @description Number of the event, from 1. Send it as `Last-Event-ID` to continue after this event. */
            id: number;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "approval";
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the approval.
                 */
                approvalId: string;
                /**
                 * Format: uuid
                 * @description Id of the run.
                 */
                runId: string;
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                botId: string;
                /**
                 * Format: uuid
                 * @description Id of the conversation of the person with the bot.
                 */
                conversationId: string;
                /** @description Kind of approval. New kinds may be added. */
                kind: string;
                /** @description State of the approval. New states may be added. */
                state: string;
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                createdAt: string;
                /**
                 * Format: date-time
                 * @description When it expires.
                 */
                expiresAt: string;
            };
        };
        RunBlocked: {
            /**
             * Format: uuid
             * @description Id of the event. It differs from the ids of its deliveries.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "run.blocked";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the run.
                 */
                runId: string;
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                botId: string;
                /**
                 * Format: uuid
                 * @description Id of the conversation of the person with the bot.
                 */
                conversationId: string;
                /**
                 * Format: uuid
                 * @description Id of the routine that started the run. Null if none did.
                 */
                routineId: string | null;
                trigger: components["schemas"]["RunTrigger"];
                /** @description Whether the run contains text from outside the organisation. */
                taint: boolean;
                /**
                 * @description State of the run.
                 * @constant
                 */
                state: "blocked";
                /** @description Number of recorded steps. */
                steps: number;
                /** @description Cost in micro-cents: 1,000,000 micro-cents are one cent. */
                spendMicroCents: number;
            };
            /** @description The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint received the event. */
            deliveries: components["schemas"]["DeliveryOfEvent"][];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "event": "run.blocked",
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "data": {
         *         "runId": "019aa0e4-5b00-7a00-8000-000000000008",
         *         "botId": "019aa0e4-5b00-7a00-8000-000000000005",
         *         "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
         *         "routineId": null,
         *         "trigger": "api",
         *         "taint": false,
         *         "state": "blocked",
         *         "steps": 2,
         *         "spendMicroCents": 0
         *       }
         *     }
         */
        RunBlockedEvent: {
            /**
             * Format: uuid
             * @description Id of the delivery, the same for every attempt. Use it to detect duplicates.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "run.blocked";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organisation.
             */
            organisationId: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the run.
                 */
                runId: string;
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                botId: string;
                /**
                 * Format: uuid
                 * @description Id of the conversation of the person with the bot.
                 */
                conversationId: string;
                /**
                 * Format: uuid
                 * @description Id of the routine that started the run. Null if none did.
                 */
                routineId: string | null;
                trigger: components["schemas"]["RunTrigger"];
                /** @description Whether the run contains text from outside the organisation. */
                taint: boolean;
                /**
                 * @description State of the run.
                 * @constant
                 */
                state: "blocked";
                /** @description Number of recorded steps. */
                steps: number;
                /** @description Cost in micro-cents: 1,000,000 micro-cents are one cent. */
                spendMicroCents: number;
            };
        };
        /** @description The run has ended. The last event. */
        RunEndEvent: {
            /** @description Number of the event, from 1. Send it as `Last-Event-ID` to continue after this event. */
            id: number;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "end";
            data: components["schemas"]["Run"];
        };
        /**
         * @description Why the run failed. `budget_…`: it used all of its steps, money or time.
         * @enum {string}
         */
        RunErrorCode: "budget_steps" | "budget_spend" | "budget_time" | "executor_failed" | "executor_lost" | "refused" | "internal";
        /**
         * @description Fields of one server-sent event. `data` is JSON on one line.
         * @example {
         *       "id": 5,
         *       "event": "end",
         *       "data": {
         *         "id": "019aa0e4-5b00-7a00-8000-000000000008",
         *         "botId": "019aa0e4-5b00-7a00-8000-000000000005",
         *         "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
         *         "routineId": null,
         *         "state": "cancelled",
         *         "trigger": "api",
         *         "taint": false,
         *         "steps": 0,
         *         "spendMicroCents": 0,
         *         "error": null,
         *         "createdAt": "2026-11-20T14:30:00.000Z",
         *         "finishedAt": "2026-11-20T14:30:02.150Z"
         *       }
         *     }
         */
        RunEvent: components["schemas"]["RunStateEvent"] | components["schemas"]["RunStepEvent"] | components["schemas"]["RunMessageEvent"] | components["schemas"]["RunApprovalEvent"] | components["schemas"]["RunEndEvent"];
        RunFinished: {
            /**
             * Format: uuid
             * @description Id of the event. It differs from the ids of its deliveries.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "run.finished";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the run.
                 */
                runId: string;
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                botId: string;
                /**
                 * Format: uuid
                 * @description Id of the conversation of the person with the bot.
                 */
                conversationId: string;
                /**
                 * Format: uuid
                 * @description Id of the routine that started the run. Null if none did.
                 */
                routineId: string | null;
                /**
                 * @description How the run ended.
                 * @enum {string}
                 */
                state: "completed" | "failed" | "cancelled";
                trigger: components["schemas"]["RunTrigger"];
                /** @description Number of recorded steps. */
                steps: number;
                /** @description In micro-cents: 1,000,000 micro-cents are one cent. */
                spendMicroCents: number;
                /** @description Whether the run contains text from outside the organisation. */
                taint: boolean;
                /**
                 * Format: date-time
                 * @description When the run ended. Null while it has not.
                 */
                finishedAt: string;
            };
            /** @description The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint received the event. */
            deliveries: components["schemas"]["DeliveryOfEvent"][];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "event": "run.finished",
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "data": {
         *         "runId": "019aa0e4-5b00-7a00-8000-000000000008",
         *         "botId": "019aa0e4-5b00-7a00-8000-000000000005",
         *         "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
         *         "routineId": null,
         *         "state": "completed",
         *         "trigger": "api",
         *         "steps": 2,
         *         "spendMicroCents": 0,
         *         "taint": false,
         *         "finishedAt": "2026-11-20T14:30:02.150Z"
         *       }
         *     }
         */
        RunFinishedEvent: {
            /**
             * Format: uuid
             * @description Id of the delivery, the same for every attempt. Use it to detect duplicates.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "run.finished";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organisation.
             */
            organisationId: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the run.
                 */
                runId: string;
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                botId: string;
                /**
                 * Format: uuid
                 * @description Id of the conversation of the person with the bot.
                 */
                conversationId: string;
                /**
                 * Format: uuid
                 * @description Id of the routine that started the run. Null if none did.
                 */
                routineId: string | null;
                /**
                 * @description How the run ended.
                 * @enum {string}
                 */
                state: "completed" | "failed" | "cancelled";
                trigger: components["schemas"]["RunTrigger"];
                /** @description Number of recorded steps. */
                steps: number;
                /** @description In micro-cents: 1,000,000 micro-cents are one cent. */
                spendMicroCents: number;
                /** @description Whether the run contains text from outside the organisation. */
                taint: boolean;
                /**
                 * Format: date-time
                 * @description When the run ended. Null while it has not.
                 */
                finishedAt: string;
            };
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "019aa0e4-5b00-7a00-8000-000000000008",
         *           "botId": "019aa0e4-5b00-7a00-8000-000000000005",
         *           "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
         *           "routineId": null,
         *           "state": "queued",
         *           "trigger": "api",
         *           "taint": false,
         *           "steps": 0,
         *           "spendMicroCents": 0,
         *           "error": null,
         *           "createdAt": "2026-11-20T14:30:00.000Z",
         *           "finishedAt": null
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        RunList: {
            /** @description Newest first. */
            data: components["schemas"]["Run"][];
            /** @description Pass it as `cursor` to read the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /** @description The bot wrote a message. Sent only to the person of the conversation. */
        RunMessageEvent: {
            /** @description Number of the event, from 1. Send it as `Last-Event-ID` to continue after this event. */
            id: number;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "message";
            data: components["schemas"]["Message"];
        };
        RunStarted: {
            /**
             * Format: uuid
             * @description Id of the event. It differs from the ids of its deliveries.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "run.started";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the run.
                 */
                runId: string;
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                botId: string;
                /**
                 * Format: uuid
                 * @description Id of the conversation of the person with the bot.
                 */
                conversationId: string;
                /**
                 * Format: uuid
                 * @description Id of the routine that started the run. Null if none did.
                 */
                routineId: string | null;
                trigger: components["schemas"]["RunTrigger"];
                /** @description Whether the run contains text from outside the organisation. */
                taint: boolean;
                /**
                 * @description State of the run.
                 * @constant
                 */
                state: "running";
            };
            /** @description The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint received the event. */
            deliveries: components["schemas"]["DeliveryOfEvent"][];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "event": "run.started",
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "data": {
         *         "runId": "019aa0e4-5b00-7a00-8000-000000000008",
         *         "botId": "019aa0e4-5b00-7a00-8000-000000000005",
         *         "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
         *         "routineId": null,
         *         "trigger": "api",
         *         "taint": false,
         *         "state": "running"
         *       }
         *     }
         */
        RunStartedEvent: {
            /**
             * Format: uuid
             * @description Id of the delivery, the same for every attempt. Use it to detect duplicates.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "run.started";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organisation.
             */
            organisationId: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the run.
                 */
                runId: string;
                /**
                 * Format: uuid
                 * @description Id of the bot.
                 */
                botId: string;
                /**
                 * Format: uuid
                 * @description Id of the conversation of the person with the bot.
                 */
                conversationId: string;
                /**
                 * Format: uuid
                 * @description Id of the routine that started the run. Null if none did.
                 */
                routineId: string | null;
                trigger: components["schemas"]["RunTrigger"];
                /** @description Whether the run contains text from outside the organisation. */
                taint: boolean;
                /**
                 * @description State of the run.
                 * @constant
                 */
                state: "running";
            };
        };
        /**
         * @description `queued`: waits for an executor or for another run of its conversation. `waiting_approval`: waits for a person's answer. `blocked`: the bot stopped, and the person has to resume the run. `paused_limit`: the spending limit is reached; the run continues in the next month. Ends: `completed`, `failed`, `cancelled`.
         * @enum {string}
         */
        RunState: "queued" | "running" | "waiting_approval" | "blocked" | "paused_limit" | "completed" | "failed" | "cancelled";
        /** @description The state changed. `data` is the run at that time. */
        RunStateEvent: {
            /** @description Number of the event, from 1. Send it as `Last-Event-ID` to continue after this event. */
            id: number;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "state";
            data: components["schemas"]["Run"];
        };
        /** @description The executor recorded a step. */
        RunStepEvent: {
            /** @description Number of the event, from 1. Send it as `Last-Event-ID` to continue after this event. */
            id: number;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "step";
            data: components["schemas"]["Step"];
        };
        /**
         * @description What started the run. Runs started through this API have `api`.
         * @enum {string}
         */
        RunTrigger: "api" | "message" | "routine" | "webhook";
        /**
         * @description One recorded action of a run, with its tokens and cost.
         * @example {
         *       "runId": "019aa0e4-5b00-7a00-8000-000000000008",
         *       "number": 1,
         *       "kind": "recall",
         *       "inputTokens": 0,
         *       "outputTokens": 0,
         *       "spendMicroCents": 0,
         *       "createdAt": "2026-11-20T14:30:02.150Z"
         *     }
         */
        Step: {
            /**
             * Format: uuid
             * @description Id of the run.
             */
            runId: string;
            /** @description From 1, in the order of recording. */
            number: number;
            /** @description The executor's name for the step, for example `recall` or `answer`. */
            kind: string;
            /** @description Number of tokens that the model read. */
            inputTokens: number;
            /** @description Number of tokens that the model wrote. */
            outputTokens: number;
            /** @description In micro-cents: 1,000,000 micro-cents are one cent. */
            spendMicroCents: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "runId": "019aa0e4-5b00-7a00-8000-000000000008",
         *           "number": 1,
         *           "kind": "recall",
         *           "inputTokens": 0,
         *           "outputTokens": 0,
         *           "spendMicroCents": 0,
         *           "createdAt": "2026-11-20T14:30:02.150Z"
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        StepList: {
            /** @description Newest first. */
            data: components["schemas"]["Step"][];
            /** @description Pass it as `cursor` to read the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /**
         * @description Whom or what the memory is about. A third party is not a member; memories of some kinds must not be stored about third parties.
         * @enum {string}
         */
        SubjectKind: "organisation" | "member" | "third_party";
        /**
         * @description Webhook events are described under `webhooks` in this document.
         * @enum {string}
         */
        SubscribableEvent: "run.finished" | "approval.needed" | "run.started" | "run.blocked" | "endpoint.disabled" | "member.added" | "member.removed" | "member.role_changed" | "invitation.accepted" | "key.created" | "key.revoked" | "memory.created" | "memory.updated" | "memory.deleted" | "organisation.limit_reached" | "key.expiring";
        /** @description A limit and its current use. */
        Use: {
            /** @description Null if there is no limit. */
            limit: number | null;
            /** @description Present use of the limit. */
            used: number;
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000a",
         *       "url": "https://hooks.harbour.example/botstead",
         *       "description": "Tells the duty room",
         *       "events": [
         *         "run.finished"
         *       ],
         *       "botIds": null,
         *       "runStates": null,
         *       "orderPerRun": false,
         *       "state": "active",
         *       "consecutiveFailures": 0,
         *       "failingSince": null,
         *       "secretLostSince": null,
         *       "disabledReason": null,
         *       "disabledAt": null,
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "lastDeliveryAt": null
         *     }
         */
        Webhook: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /** @description Address that receives the deliveries. */
            url: string;
            /** @description Text for people who look after the endpoint. Not sent to it. */
            description: string | null;
            /** @description Kinds of events that are sent to the endpoint. */
            events: components["schemas"]["SubscribableEvent"][];
            /** @description Only events of these bots are sent, and events that concern no bot. Null: events of all bots are sent. */
            botIds: string[] | null;
            /** @description Only events `run.started`, `run.blocked` and `run.finished` with one of these states are sent. Other kinds are sent in any case. Null: all are sent. */
            runStates: ("running" | "blocked" | "completed" | "failed" | "cancelled")[] | null;
            /** @description Whether a delivery waits until every earlier delivery of its run to this endpoint was delivered or has failed. Applies to events after the change. */
            orderPerRun: boolean;
            state: components["schemas"]["WebhookState"];
            /** @description Failed deliveries in a row; 10 disable the endpoint. A successful delivery resets the number. */
            consecutiveFailures: number;
            /**
             * Format: date-time
             * @description Time since which attempts fail. Null if the last attempt succeeded, and before the first.
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description Time since which the service cannot open the signing secret. Deliveries wait until the secret is rotated. Null: it can.
             */
            secretLostSince: string | null;
            /** @description Why the endpoint was disabled: too many failed deliveries in a row, a response with status 410, or an operator. Null unless it is `disabled`. */
            disabledReason: ("consecutive_failures" | "gone" | "operator") | null;
            /**
             * Format: date-time
             * @description When the endpoint was disabled. Null unless it is `disabled`.
             */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last 2xx response.
             */
            lastDeliveryAt: string | null;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "019aa0e4-5b00-7a00-8000-00000000000a",
         *           "url": "https://hooks.harbour.example/botstead",
         *           "description": "Tells the duty room",
         *           "events": [
         *             "run.finished"
         *           ],
         *           "botIds": null,
         *           "runStates": null,
         *           "orderPerRun": false,
         *           "state": "active",
         *           "consecutiveFailures": 0,
         *           "failingSince": null,
         *           "secretLostSince": null,
         *           "disabledReason": null,
         *           "disabledAt": null,
         *           "createdAt": "2026-11-20T14:30:00.000Z",
         *           "lastDeliveryAt": null
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        WebhookList: {
            /** @description Newest first. */
            data: components["schemas"]["Webhook"][];
            /** @description Pass it as `cursor` to read the next page. Null on the last page. */
            nextCursor: string | null;
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000a",
         *       "url": "https://hooks.harbour.example/botstead",
         *       "description": "Tells the duty room",
         *       "events": [
         *         "run.finished"
         *       ],
         *       "botIds": null,
         *       "runStates": null,
         *       "orderPerRun": false,
         *       "state": "active",
         *       "consecutiveFailures": 0,
         *       "failingSince": null,
         *       "secretLostSince": null,
         *       "disabledReason": null,
         *       "disabledAt": null,
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "lastDeliveryAt": null,
         *       "secret": "whsec_ExampleSecretExampleSecretExampleSecret1234="
         *     }
         */
        WebhookShownOnce: {
            /**
             * Format: uuid
             * @description Unique id.
             */
            id: string;
            /** @description Address that receives the deliveries. */
            url: string;
            /** @description Text for people who look after the endpoint. Not sent to it. */
            description: string | null;
            /** @description Kinds of events that are sent to the endpoint. */
            events: components["schemas"]["SubscribableEvent"][];
            /** @description Only events of these bots are sent, and events that concern no bot. Null: events of all bots are sent. */
            botIds: string[] | null;
            /** @description Only events `run.started`, `run.blocked` and `run.finished` with one of these states are sent. Other kinds are sent in any case. Null: all are sent. */
            runStates: ("running" | "blocked" | "completed" | "failed" | "cancelled")[] | null;
            /** @description Whether a delivery waits until every earlier delivery of its run to this endpoint was delivered or has failed. Applies to events after the change. */
            orderPerRun: boolean;
            state: components["schemas"]["WebhookState"];
            /** @description Failed deliveries in a row; 10 disable the endpoint. A successful delivery resets the number. */
            consecutiveFailures: number;
            /**
             * Format: date-time
             * @description Time since which attempts fail. Null if the last attempt succeeded, and before the first.
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description Time since which the service cannot open the signing secret. Deliveries wait until the secret is rotated. Null: it can.
             */
            secretLostSince: string | null;
            /** @description Why the endpoint was disabled: too many failed deliveries in a row, a response with status 410, or an operator. Null unless it is `disabled`. */
            disabledReason: ("consecutive_failures" | "gone" | "operator") | null;
            /**
             * Format: date-time
             * @description When the endpoint was disabled. Null unless it is `disabled`.
             */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time of the last 2xx response.
             */
            lastDeliveryAt: string | null;
            /** @description The secret that signs deliveries. Only this response contains it: store it now. */
            secret: string;
        };
        /**
         * @description `paused`: deliveries wait. `disabled`: deliveries fail without an attempt.
         * @enum {string}
         */
        WebhookState: "active" | "paused" | "disabled";
        /**
         * @example {
         *       "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a",
         *       "since": "2026-11-20T14:00:00.000Z",
         *       "until": "2026-11-20T15:00:00.000Z",
         *       "totals": {
         *         "deliveries": {
         *           "total": 41,
         *           "pending": 1,
         *           "delivered": 39,
         *           "failed": 1,
         *           "successShare": 0.975
         *         },
         *         "attempts": {
         *           "total": 47,
         *           "succeeded": 39,
         *           "failed": 8,
         *           "successShare": 0.8298,
         *           "durationMs": {
         *             "p50": 84,
         *             "p95": 310,
         *             "p99": 10000
         *           },
         *           "failures": {
         *             "status": 6,
         *             "address": 0,
         *             "dns": 0,
         *             "redirect": 0,
         *             "size": 0,
         *             "timeout": 2,
         *             "transport": 0,
         *             "scheme": 0,
         *             "secret": 0
         *           }
         *         }
         *       },
         *       "hours": [
         *         {
         *           "hour": "2026-11-20T14:00:00.000Z",
         *           "deliveries": {
         *             "total": 41,
         *             "pending": 1,
         *             "delivered": 39,
         *             "failed": 1,
         *             "successShare": 0.975
         *           },
         *           "attempts": {
         *             "total": 47,
         *             "succeeded": 39,
         *             "failed": 8,
         *             "successShare": 0.8298,
         *             "durationMs": {
         *               "p50": 84,
         *               "p95": 310,
         *               "p99": 10000
         *             },
         *             "failures": {
         *               "status": 6,
         *               "address": 0,
         *               "dns": 0,
         *               "redirect": 0,
         *               "size": 0,
         *               "timeout": 2,
         *               "transport": 0,
         *               "scheme": 0,
         *               "secret": 0
         *             }
         *           }
         *         }
         *       ]
         *     }
         */
        WebhookStats: {
            /**
             * Format: uuid
             * @description Id of the webhook endpoint.
             */
            webhookId: string;
            /**
             * Format: date-time
             * @description Start of the first hour.
             */
            since: string;
            /**
             * Format: date-time
             * @description End of the last hour.
             */
            until: string;
            /** @description Numbers of the whole period. */
            totals: {
                deliveries: components["schemas"]["DeliveryStats"];
                attempts: components["schemas"]["AttemptStats"];
            };
            /** @description Oldest first. Hours without activity are included with zeros. */
            hours: {
                /**
                 * Format: date-time
                 * @description Start of the hour.
                 */
                hour: string;
                deliveries: components["schemas"]["DeliveryStats"];
                attempts: components["schemas"]["AttemptStats"];
            }[];
        };
        WebhookTest: {
            /**
             * Format: uuid
             * @description Id of the event. It differs from the ids of its deliveries.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "webhook.test";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the webhook endpoint.
                 */
                webhookId: string;
            };
            /** @description The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint received the event. */
            deliveries: components["schemas"]["DeliveryOfEvent"][];
        };
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
         *       "event": "webhook.test",
         *       "createdAt": "2026-11-20T14:30:02.150Z",
         *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
         *       "data": {
         *         "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a"
         *       }
         *     }
         */
        WebhookTestEvent: {
            /**
             * Format: uuid
             * @description Id of the delivery, the same for every attempt. Use it to detect duplicates.
             */
            id: string;
            /**
             * @description Kind of the event.
             * @constant
             */
            event: "webhook.test";
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Id of the organisation.
             */
            organisationId: string;
            /** @description What the event is about. */
            data: {
                /**
                 * Format: uuid
                 * @description Id of the webhook endpoint.
                 */
                webhookId: string;
            };
        };
        /** @description A refusal. Decide by `code`; `message` is a fixed sentence per code. */
        Refusal: {
            /**
             * @description `not_supported`: the path does not have the method. The header Allow lists its methods.
             * @enum {string}
             */
            code: "invalid_request" | "unauthenticated" | "payment_required" | "forbidden" | "not_found" | "not_supported" | "conflict" | "idempotency_in_progress" | "payload_too_large" | "idempotency_mismatch" | "quota_exceeded" | "rate_limited" | "internal" | "unavailable";
            /** @description The same sentence for every refusal with this code. */
            message: string;
            /**
             * Format: uuid
             * @description The value of the header X-Request-Id.
             */
            requestId: string;
            /** @description Only with `invalid_request`: up to 100 invalid fields. Submitted values are not included. */
            details?: {
                /** @description For example `body.name`, `query.limit` or `headers.idempotency-key`. */
                path: string;
                /** @description What the field has to be. */
                message: string;
            }[];
        };
    };
    responses: {
        /** @description `conflict`: The current state of the resource does not allow this. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Botstead-Reason": components["headers"]["Reason"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error: components["schemas"]["Refusal"] & {
                        /** @enum {unknown} */
                        code?: "conflict";
                    };
                };
            };
        };
        /**
         * @description `conflict`: The current state of the resource does not allow this.
         *
         *     `idempotency_in_progress`: A request with this Idempotency-Key is still in progress. Try again later.
         */
        ConflictOrIdempotencyInProgress: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Botstead-Reason": components["headers"]["Reason"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error: components["schemas"]["Refusal"] & {
                        /** @enum {unknown} */
                        code?: "conflict" | "idempotency_in_progress";
                    };
                };
            };
        };
        /** @description `forbidden`: The credential is valid, but its person is not allowed to do this. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Botstead-Reason": components["headers"]["Reason"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error: components["schemas"]["Refusal"] & {
                        /** @enum {unknown} */
                        code?: "forbidden";
                    };
                };
            };
        };
        /** @description `idempotency_in_progress`: A request with this Idempotency-Key is still in progress. Try again later. */
        IdempotencyInProgress: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error: components["schemas"]["Refusal"] & {
                        /** @enum {unknown} */
                        code?: "idempotency_in_progress";
                    };
                };
            };
        };
        /** @description `idempotency_mismatch`: This Idempotency-Key was used for a different request. */
        IdempotencyMismatch: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error: components["schemas"]["Refusal"] & {
                        /** @enum {unknown} */
                        code?: "idempotency_mismatch";
                    };
                };
            };
        };
        /** @description `internal`: An internal error occurred. */
        Internal: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error: components["schemas"]["Refusal"] & {
                        /** @enum {unknown} */
                        code?: "internal";
                    };
                };
            };
        };
        /** @description `invalid_request`: The request does not match the contract. `details` names the invalid fields. */
        InvalidRequest: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error: components["schemas"]["Refusal"] & {
                        /** @enum {unknown} */
                        code?: "invalid_request";
                    };
                };
            };
        };
        /** @description `not_found`: The resource does not exist, or the caller cannot read it. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error: components["schemas"]["Refusal"] & {
                        /** @enum {unknown} */
                        code?: "not_found";
                    };
                };
            };
        };
        /** @description `payload_too_large`: The body is larger than 1 MB, or the result does not fit into the batch's response. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error: components["schemas"]["Refusal"] & {
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
        };
        /** @description `payment_required`: The organisation needs a running trial, a payment or another seat. */
        PaymentRequired: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "X-Botstead-Reason": components["headers"]["Reason"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error: components["schemas"]["Refusal"] & {
                        /** @enum {unknown} */
                        code?: "payment_required";
                    };
                };
            };
        };
        /**
         * @description `rate_limited`: Too many requests. Try again after the seconds in Retry-After.
         *
         *     `quota_exceeded`: A limit of the organisation is reached.
         */
        QuotaExceededOrRateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["RetryAfter"];
                "X-Botstead-Reason": components["headers"]["Reason"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error: components["schemas"]["Refusal"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited" | "quota_exceeded";
                    };
                };
            };
        };
        /** @description `rate_limited`: Too many requests. Try again after the seconds in Retry-After. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error: components["schemas"]["Refusal"] & {
                        /** @enum {unknown} */
                        code?: "rate_limited";
                    };
                };
            };
        };
        /** @description `unauthenticated`: The request has no credential that this operation accepts. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "WWW-Authenticate": components["headers"]["WwwAuthenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error: components["schemas"]["Refusal"] & {
                        /** @enum {unknown} */
                        code?: "unauthenticated";
                    };
                };
            };
        };
        /** @description `unavailable`: The service cannot respond at the moment. Try again later. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                RateLimit: components["headers"]["RateLimit"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error: components["schemas"]["Refusal"] & {
                        /** @enum {unknown} */
                        code?: "unavailable";
                    };
                };
            };
        };
    };
    parameters: {
        /**
         * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
         * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
         */
        IdempotencyKey: string;
        /**
         * @description The `ETag` of the resource as you read it, several, or `*`. If the resource has another revision by now, nothing is changed: `conflict` with the reason `revision_changed`. By default the change is made at any revision.
         * @example W/"6f1ed002ab5595859014ebf0951522d9"
         */
        IfMatch: string;
        /**
         * @description The `id` of the last event that you received; the stream continues after it. By default it starts with the first event.
         * @example 2
         */
        LastEventId: number;
    };
    requestBodies: never;
    headers: {
        /** @description Identifies the request in the logs of the service. A replay has the id of the first request. */
        RequestId: string;
        /**
         * @description The rate limits in which the request was counted: `q` requests in `w` seconds. (IETF draft "RateLimit header fields".)
         * @example "key";q=300;w=60, "organisation";q=1000;w=60
         */
        RateLimitPolicy: string;
        /**
         * @description Per rate limit: `r` remaining requests, and `t` seconds until it resets.
         * @example "key";r=299;t=42, "organisation";r=997;t=42
         */
        RateLimit: string;
        /** @description Seconds to wait before the next request. Only with `rate_limited`. */
        RetryAfter: 60;
        /**
         * @description The reason of a refusal, for codes with several causes. `x-botstead-reasons` of an operation lists its reasons. Reasons may be added.
         * @example member_exists
         */
        Reason: "billing_inactive" | "bought_seats_taken" | "organisation_suspended" | "outside_portal_session" | "csrf_token_missing" | "personal_organisation" | "role_above_own" | "member_above_own" | "own_membership" | "last_owner" | "member_memory" | "kind_restricted" | "not_bot_owner" | "not_own_bot" | "not_own_conversation" | "not_creator" | "member_exists" | "invitation_open" | "invitation_accepted" | "invitation_revoked" | "key_revoked" | "key_rotated" | "key_expired" | "approval_not_pending" | "approval_mailed" | "run_not_blocked" | "endpoint_disabled" | "endpoint_not_active" | "delivery_not_failed" | "delivery_reused" | "hook_paused" | "entry_not_in_checkpoint" | "revision_changed" | "batch_undone" | "limit_keys" | "limit_webhooks" | "limit_open_invitations" | "limit_invitations_per_hour" | "limit_invitations_to_address" | "limit_seats" | "limit_run_starts" | "limit_webhook_starts" | "limit_routines" | "limit_hooks";
        /** @description URL of the created resource. */
        Location: string;
        /**
         * @description The revision of the resource, a weak entity tag. Fields that change without a PATCH, such as the time of the last use, are no part of it.
         * @example W/"6f1ed002ab5595859014ebf0951522d9"
         */
        ETag: string;
        /** @description `true` if this is the stored response of an earlier request with the same Idempotency-Key. */
        IdempotentReplayed: "true";
        /** @description The authentication scheme. */
        WwwAuthenticate: "Bearer";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    get_me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": {
                     *         "id": "019aa0e4-5b00-7a00-8000-000000000004",
                     *         "name": "CI",
                     *         "prefix": "bsk_ExampleK",
                     *         "scope": "read",
                     *         "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *         "createdAt": "2026-11-20T14:30:00.000Z",
                     *         "expiresAt": "2027-02-18T14:30:00.000Z",
                     *         "lastUsedAt": "2026-11-20T14:30:02.150Z",
                     *         "revokedAt": null,
                     *         "usable": true,
                     *         "allowedIps": null,
                     *         "ratePerMinute": null
                     *       },
                     *       "person": {
                     *         "userId": "019aa0e4-5b00-7a00-8000-000000000002",
                     *         "email": "olga@harbour.example",
                     *         "displayName": "Olga",
                     *         "role": "owner"
                     *       },
                     *       "organisation": {
                     *         "id": "019aa0e4-5b00-7a00-8000-000000000001",
                     *         "name": "Harbour",
                     *         "kind": "team",
                     *         "billingState": "active",
                     *         "trialEndsAt": null,
                     *         "createdAt": "2026-11-02T09:00:00.000Z"
                     *       },
                     *       "limits": {
                     *         "liveKeys": {
                     *           "limit": 20,
                     *           "used": 3
                     *         },
                     *         "liveWebhooks": {
                     *           "limit": 10,
                     *           "used": 1
                     *         },
                     *         "openInvitations": {
                     *           "limit": 50,
                     *           "used": 2
                     *         },
                     *         "invitationsPerHour": {
                     *           "limit": 200,
                     *           "used": 1
                     *         },
                     *         "invitationsPerAddressPerDay": {
                     *           "limit": 5,
                     *           "used": 1
                     *         },
                     *         "seats": {
                     *           "limit": 200,
                     *           "used": 14
                     *         },
                     *         "runStartsPerHour": {
                     *           "limit": 120,
                     *           "used": 4
                     *         },
                     *         "routineStartsPerHour": {
                     *           "limit": 120,
                     *           "used": 1
                     *         },
                     *         "webhookStartsPerHour": {
                     *           "limit": 120,
                     *           "used": 0
                     *         },
                     *         "liveRoutines": {
                     *           "limit": 50,
                     *           "used": 2
                     *         },
                     *         "liveHooks": {
                     *           "limit": 10,
                     *           "used": 1
                     *         },
                     *         "monthlySpendMicroCents": {
                     *           "limit": null,
                     *           "used": 0
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Me"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_own_organisation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000001",
                     *       "name": "Harbour",
                     *       "kind": "team",
                     *       "billingState": "active",
                     *       "trialEndsAt": null,
                     *       "createdAt": "2026-11-02T09:00:00.000Z",
                     *       "language": "english",
                     *       "seats": {
                     *         "limit": 200,
                     *         "bought": null,
                     *         "members": 3,
                     *         "openInvitations": 1
                     *       },
                     *       "usage": {
                     *         "month": "2026-11",
                     *         "spendMicroCents": 0,
                     *         "limitMicroCents": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OwnOrganisation"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rename_organisation: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the resource as you read it, several, or `*`. If the resource has another revision by now, nothing is changed: `conflict` with the reason `revision_changed`. By default the change is made at any revision.
                 * @example W/"6f1ed002ab5595859014ebf0951522d9"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Harbour & Sons"
                 *     }
                 */
                "application/json": {
                    /** @description Name, for people. */
                    name?: string;
                    language?: components["schemas"]["Language"];
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000001",
                     *       "name": "Harbour",
                     *       "kind": "team",
                     *       "billingState": "active",
                     *       "trialEndsAt": null,
                     *       "createdAt": "2026-11-02T09:00:00.000Z",
                     *       "language": "english",
                     *       "seats": {
                     *         "limit": 200,
                     *         "bought": null,
                     *         "members": 3,
                     *         "openInvitations": 1
                     *       },
                     *       "usage": {
                     *         "month": "2026-11",
                     *         "spendMicroCents": 0,
                     *         "limitMicroCents": null
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["OwnOrganisation"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_keys: {
        parameters: {
            query?: {
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the previous page of this list. */
                cursor?: string;
                /** @description Returns only keys in this state. */
                state?: components["schemas"]["KeyState"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa0e4-5b00-7a00-8000-000000000004",
                     *           "name": "CI",
                     *           "prefix": "bsk_ExampleK",
                     *           "scope": "write",
                     *           "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *           "createdAt": "2026-11-20T14:30:00.000Z",
                     *           "expiresAt": "2027-02-18T14:30:00.000Z",
                     *           "lastUsedAt": null,
                     *           "revokedAt": null,
                     *           "usable": true,
                     *           "allowedIps": [
                     *             "192.0.2.0/24"
                     *           ],
                     *           "ratePerMinute": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_key: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "CI",
                 *       "scope": "write",
                 *       "expiresInDays": 90
                 *     }
                 */
                "application/json": {
                    /** @description Name, for people. */
                    name: string;
                    /** @default read */
                    scope?: components["schemas"]["KeyScope"];
                    /**
                     * @description Lifetime of the key in days.
                     * @default 90
                     */
                    expiresInDays?: number;
                    /**
                     * @description The key is accepted from these addresses only: single ones, or blocks in CIDR notation such as `192.0.2.0/24`. Elsewhere it is refused as an unknown key is. Null: any address. An empty list is refused.
                     * @default null
                     */
                    allowedIps?: string[] | null;
                    /**
                     * @description Requests per minute of this key, at most the 300 of any key. Null: 300. A change applies within a minute.
                     * @default null
                     */
                    ratePerMinute?: number | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000004",
                     *       "name": "CI",
                     *       "prefix": "bsk_ExampleK",
                     *       "scope": "write",
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "expiresAt": "2027-02-18T14:30:00.000Z",
                     *       "lastUsedAt": null,
                     *       "revokedAt": null,
                     *       "usable": true,
                     *       "allowedIps": [
                     *         "192.0.2.0/24"
                     *       ],
                     *       "ratePerMinute": null,
                     *       "key": "bsk_ExampleKeyExampleKeyExampleKeyExampleKey123456789"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyShownOnce"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the key. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000004
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000004",
                     *       "name": "CI",
                     *       "prefix": "bsk_ExampleK",
                     *       "scope": "write",
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "expiresAt": "2027-02-18T14:30:00.000Z",
                     *       "lastUsedAt": null,
                     *       "revokedAt": null,
                     *       "usable": true,
                     *       "allowedIps": [
                     *         "192.0.2.0/24"
                     *       ],
                     *       "ratePerMinute": null
                     *     }
                     */
                    "application/json": components["schemas"]["Key"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revoke_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the key. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000004
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000004",
                     *       "name": "CI",
                     *       "prefix": "bsk_ExampleK",
                     *       "scope": "write",
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "expiresAt": "2027-02-18T14:30:00.000Z",
                     *       "lastUsedAt": null,
                     *       "revokedAt": null,
                     *       "usable": true,
                     *       "allowedIps": [
                     *         "192.0.2.0/24"
                     *       ],
                     *       "ratePerMinute": null
                     *     }
                     */
                    "application/json": components["schemas"]["Key"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_key: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the resource as you read it, several, or `*`. If the resource has another revision by now, nothing is changed: `conflict` with the reason `revision_changed`. By default the change is made at any revision.
                 * @example W/"6f1ed002ab5595859014ebf0951522d9"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the key. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000004
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "ratePerMinute": 120
                 *     }
                 */
                "application/json": {
                    /** @description Name, for people. */
                    name?: string;
                    /** @description The key is accepted from these addresses only: single ones, or blocks in CIDR notation such as `192.0.2.0/24`. Elsewhere it is refused as an unknown key is. Null: any address. An empty list is refused. */
                    allowedIps?: string[] | null;
                    /** @description Requests per minute of this key, at most the 300 of any key. Null: 300. A change applies within a minute. */
                    ratePerMinute?: number | null;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000004",
                     *       "name": "CI",
                     *       "prefix": "bsk_ExampleK",
                     *       "scope": "write",
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "expiresAt": "2027-02-18T14:30:00.000Z",
                     *       "lastUsedAt": null,
                     *       "revokedAt": null,
                     *       "usable": true,
                     *       "allowedIps": [
                     *         "192.0.2.0/24"
                     *       ],
                     *       "ratePerMinute": null
                     *     }
                     */
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_key_usage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the key. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000004
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "keyId": "019aa0e4-5b00-7a00-8000-000000000004",
                     *       "days": [
                     *         {
                     *           "day": "2026-11-20",
                     *           "requests": 1200,
                     *           "refusals": 3
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["KeyUsage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotate_key: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the key. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000004
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "overlapHours": 24
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Hours for which both keys work. The old key never lives longer than before.
                     * @default 24
                     */
                    overlapHours?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000004",
                     *       "name": "CI",
                     *       "prefix": "bsk_ExampleK",
                     *       "scope": "write",
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "expiresAt": "2027-02-18T14:30:00.000Z",
                     *       "lastUsedAt": null,
                     *       "revokedAt": null,
                     *       "usable": true,
                     *       "allowedIps": [
                     *         "192.0.2.0/24"
                     *       ],
                     *       "ratePerMinute": null,
                     *       "key": "bsk_ExampleKeyExampleKeyExampleKeyExampleKey123456789"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyShownOnce"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_models: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "recall",
                     *           "available": true
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ModelList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_bots: {
        parameters: {
            query?: {
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the previous page of this list. */
                cursor?: string;
                /** @description `true`: returns only deleted bots, for the names of bots that runs refer to. Defaults to `false`. */
                deleted?: "true" | "false";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa0e4-5b00-7a00-8000-000000000005",
                     *           "name": "Harbour guide",
                     *           "instructions": "Answer in one sentence.",
                     *           "model": "recall",
                     *           "visibility": "team",
                     *           "directConversation": "members",
                     *           "ownerId": "019aa0e4-5b00-7a00-8000-000000000002",
                     *           "createdAt": "2026-11-20T14:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["BotList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_bot: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Harbour guide",
                 *       "instructions": "Answer in one sentence."
                 *     }
                 */
                "application/json": {
                    /** @description Name, for people. */
                    name: string;
                    /**
                     * @description What the bot should do, as text for its model.
                     * @default
                     */
                    instructions?: string;
                    /**
                     * @description A model listed by `GET /models`.
                     * @default recall
                     */
                    model?: string;
                    /** @default team */
                    visibility?: components["schemas"]["BotVisibility"];
                    /** @default members */
                    directConversation?: components["schemas"]["DirectConversation"];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "name": "Harbour guide",
                     *       "instructions": "Answer in one sentence.",
                     *       "model": "recall",
                     *       "visibility": "team",
                     *       "directConversation": "members",
                     *       "ownerId": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Bot"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_bot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the bot. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000005
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "name": "Harbour guide",
                     *       "instructions": "Answer in one sentence.",
                     *       "model": "recall",
                     *       "visibility": "team",
                     *       "directConversation": "members",
                     *       "ownerId": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Bot"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_bot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the bot. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000005
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000f",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_bot: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the resource as you read it, several, or `*`. If the resource has another revision by now, nothing is changed: `conflict` with the reason `revision_changed`. By default the change is made at any revision.
                 * @example W/"6f1ed002ab5595859014ebf0951522d9"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the bot. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000005
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "instructions": "Answer in two sentences."
                 *     }
                 */
                "application/json": {
                    /** @description Name, for people. */
                    name?: string;
                    /** @description What the bot should do, as text for its model. */
                    instructions?: string;
                    /** @description A model listed by `GET /models`. */
                    model?: string;
                    visibility?: components["schemas"]["BotVisibility"];
                    directConversation?: components["schemas"]["DirectConversation"];
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "name": "Harbour guide",
                     *       "instructions": "Answer in one sentence.",
                     *       "model": "recall",
                     *       "visibility": "team",
                     *       "directConversation": "members",
                     *       "ownerId": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Bot"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_memories: {
        parameters: {
            query?: {
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the previous page of this list. */
                cursor?: string;
                /** @description Search words in the organisation's language, in any order. A memory ranks higher the more of the words it contains, the rarer they are, and the higher its confidence. A word that no memory contains is treated as a misspelling. */
                q?: string;
                /** @description Returns only memories of exactly this kind. */
                kind?: string;
                /** @description Returns only memories about this subject. Case, spaces and hyphens are ignored. */
                subject?: string;
                /** @description Returns only memories about this kind of subject. */
                subjectKind?: components["schemas"]["SubjectKind"];
                /** @description Returns only memories of this provenance. */
                provenance?: components["schemas"]["Provenance"];
                /** @description Returns only memories of this scope. */
                scope?: "organisation" | "bot" | "member";
                /** @description Returns only memories of this bot. */
                botId?: string;
                /** @description `true` excludes memories past their `validTo`. */
                current?: boolean;
                /** @description Returns memories as they were at this time, including memories changed or deleted since. `current` then refers to this time. Erased memories are not included. Cannot be combined with `q`. */
                asOf?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa0e4-5b00-7a00-8000-000000000006",
                     *           "scope": "organisation",
                     *           "botId": null,
                     *           "kind": "policy",
                     *           "subject": "Opening hours",
                     *           "subjectKind": "organisation",
                     *           "value": "The harbour office is open from nine to five.",
                     *           "confidence": 1,
                     *           "validTo": null,
                     *           "provenance": "member",
                     *           "createdAt": "2026-11-20T14:30:00.000Z",
                     *           "lawfulBasis": "legitimate_interests"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["MemoryList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_memory: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "scope": "organisation",
                 *       "kind": "policy",
                 *       "subject": "Opening hours",
                 *       "value": "The harbour office is open from nine to five."
                 *     }
                 */
                "application/json": {
                    /**
                     * @description To whom the memory belongs: all members, members who see the bot, or one member.
                     * @enum {string}
                     */
                    scope: "organisation" | "bot";
                    /**
                     * Format: uuid
                     * @description Id of the bot.
                     */
                    botId?: string | null;
                    /** @description What the memory is, as one word of the organisation, such as `policy`. */
                    kind: string;
                    /** @description Whom or what the memory is about. */
                    subject: string;
                    /** @default organisation */
                    subjectKind?: components["schemas"]["SubjectKind"];
                    /** @description The statement. */
                    value: string;
                    /**
                     * @description How certain the statement is, from 0 to 1. Search ranks certain memories higher.
                     * @default 1
                     */
                    confidence?: number;
                    /**
                     * Format: date-time
                     * @description When the statement ends to be true. Null: no end is known.
                     */
                    validTo?: string | null;
                    /** @default legitimate_interests */
                    lawfulBasis?: components["schemas"]["LawfulBasis"];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000006",
                     *       "scope": "organisation",
                     *       "botId": null,
                     *       "kind": "policy",
                     *       "subject": "Opening hours",
                     *       "subjectKind": "organisation",
                     *       "value": "The harbour office is open from nine to five.",
                     *       "confidence": 1,
                     *       "validTo": null,
                     *       "provenance": "member",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "lawfulBasis": "legitimate_interests"
                     *     }
                     */
                    "application/json": components["schemas"]["Memory"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_memory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the memory. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000006
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000006",
                     *       "scope": "organisation",
                     *       "botId": null,
                     *       "kind": "policy",
                     *       "subject": "Opening hours",
                     *       "subjectKind": "organisation",
                     *       "value": "The harbour office is open from nine to five.",
                     *       "confidence": 1,
                     *       "validTo": null,
                     *       "provenance": "member",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "lawfulBasis": "legitimate_interests"
                     *     }
                     */
                    "application/json": components["schemas"]["Memory"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_memory: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the memory. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000006
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000f",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_memory: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the resource as you read it, several, or `*`. If the resource has another revision by now, nothing is changed: `conflict` with the reason `revision_changed`. By default the change is made at any revision.
                 * @example W/"6f1ed002ab5595859014ebf0951522d9"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the memory. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000006
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "value": "The harbour office is open from ten to six.",
                 *       "confidence": 0.9
                 *     }
                 */
                "application/json": {
                    /** @description The statement. */
                    value?: string;
                    /** @description How certain the statement is, from 0 to 1. Search ranks certain memories higher. */
                    confidence?: number;
                    /**
                     * Format: date-time
                     * @description When the statement ends to be true. Null: no end is known.
                     */
                    validTo?: string | null;
                    lawfulBasis?: components["schemas"]["LawfulBasis"];
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000006",
                     *       "scope": "organisation",
                     *       "botId": null,
                     *       "kind": "policy",
                     *       "subject": "Opening hours",
                     *       "subjectKind": "organisation",
                     *       "value": "The harbour office is open from nine to five.",
                     *       "confidence": 1,
                     *       "validTo": null,
                     *       "provenance": "member",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "lawfulBasis": "legitimate_interests"
                     *     }
                     */
                    "application/json": components["schemas"]["Memory"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_memory_history: {
        parameters: {
            query?: {
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the previous page of this list. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the memory. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000006
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa0e4-5b00-7a00-8000-000000000011",
                     *           "changedAt": "2026-11-20T14:30:02.150Z",
                     *           "changedBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *           "value": "The harbour office is open from eight to four.",
                     *           "confidence": 1,
                     *           "validTo": null,
                     *           "provenance": "member",
                     *           "lawfulBasis": "legitimate_interests"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["MemoryChangeList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    erase_memories: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "subjectKind": "third_party",
                 *       "subject": "Nils Holm"
                 *     }
                 */
                "application/json": {
                    subjectKind: components["schemas"]["SubjectKind"];
                    /** @description Whom or what the memory is about. */
                    subject: string;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000012",
                     *       "erasedAt": "2026-11-20T14:30:02.150Z",
                     *       "memories": 3,
                     *       "history": 1,
                     *       "proposals": 0,
                     *       "answers": 2,
                     *       "complete": true,
                     *       "notSearched": [
                     *         "messages",
                     *         "approvals",
                     *         "bots",
                     *         "routines",
                     *         "backups"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_runs: {
        parameters: {
            query?: {
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the previous page of this list. */
                cursor?: string;
                /** @description Returns only runs of this bot. */
                botId?: string;
                /** @description Returns only runs in this state. */
                state?: components["schemas"]["RunState"];
                /** @description Returns only runs with this trigger. */
                trigger?: components["schemas"]["RunTrigger"];
                /** @description Returns only runs created at or after this time. */
                since?: string;
                /** @description Returns only runs created before this time. */
                until?: string;
                /** @description `message`: returns the start of each run's message too. */
                include?: "message";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa0e4-5b00-7a00-8000-000000000008",
                     *           "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *           "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
                     *           "routineId": null,
                     *           "state": "queued",
                     *           "trigger": "api",
                     *           "taint": false,
                     *           "steps": 0,
                     *           "spendMicroCents": 0,
                     *           "error": null,
                     *           "createdAt": "2026-11-20T14:30:00.000Z",
                     *           "finishedAt": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["RunList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    start_run: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                 *       "message": "When is the harbour office open?"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the bot.
                     */
                    botId: string;
                    /** @description Message to the bot. */
                    message: string;
                    /**
                     * @description Set to true if the text comes from outside the organisation: the run is tainted and has fewer capabilities.
                     * @default false
                     */
                    untrusted?: boolean;
                };
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000008",
                     *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
                     *       "routineId": null,
                     *       "state": "queued",
                     *       "trigger": "api",
                     *       "taint": false,
                     *       "steps": 0,
                     *       "spendMicroCents": 0,
                     *       "error": null,
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "finishedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_run: {
        parameters: {
            query?: {
                /** @description Maximum time to wait, in seconds. */
                wait?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the run. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000008
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000008",
                     *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
                     *       "routineId": null,
                     *       "state": "queued",
                     *       "trigger": "api",
                     *       "taint": false,
                     *       "steps": 0,
                     *       "spendMicroCents": 0,
                     *       "error": null,
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "finishedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancel_run: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the run. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000008
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000008",
                     *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
                     *       "routineId": null,
                     *       "state": "queued",
                     *       "trigger": "api",
                     *       "taint": false,
                     *       "steps": 0,
                     *       "spendMicroCents": 0,
                     *       "error": null,
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "finishedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resume_run: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the run. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000008
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "message": "Take the earlier of the two dates."
                 *     }
                 */
                "application/json": {
                    /** @description A message to the bot. Optional. */
                    message?: string;
                    /**
                     * @description Set to true if the text comes from outside the organisation: the run becomes tainted.
                     * @default false
                     */
                    untrusted?: boolean;
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000008",
                     *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
                     *       "routineId": null,
                     *       "state": "queued",
                     *       "trigger": "api",
                     *       "taint": false,
                     *       "steps": 0,
                     *       "spendMicroCents": 0,
                     *       "error": null,
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "finishedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Run"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_run_messages: {
        parameters: {
            query?: {
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the previous page of this list. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the run. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000008
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa0e4-5b00-7a00-8000-000000000009",
                     *           "runId": "019aa0e4-5b00-7a00-8000-000000000008",
                     *           "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
                     *           "author": "bot",
                     *           "text": "The harbour office is open from nine to five.",
                     *           "memoryIds": [
                     *             "019aa0e4-5b00-7a00-8000-000000000006"
                     *           ],
                     *           "createdAt": "2026-11-20T14:30:02.150Z",
                     *           "erasedAt": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["MessageList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_run_steps: {
        parameters: {
            query?: {
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the previous page of this list. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the run. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000008
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "runId": "019aa0e4-5b00-7a00-8000-000000000008",
                     *           "number": 1,
                     *           "kind": "recall",
                     *           "inputTokens": 0,
                     *           "outputTokens": 0,
                     *           "spendMicroCents": 0,
                     *           "createdAt": "2026-11-20T14:30:02.150Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["StepList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    watch_run: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `id` of the last event that you received; the stream continues after it. By default it starts with the first event.
                 * @example 2
                 */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path: {
                /**
                 * @description Id of the run. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000008
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 5,
                     *       "event": "end",
                     *       "data": {
                     *         "id": "019aa0e4-5b00-7a00-8000-000000000008",
                     *         "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *         "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
                     *         "routineId": null,
                     *         "state": "cancelled",
                     *         "trigger": "api",
                     *         "taint": false,
                     *         "steps": 0,
                     *         "spendMicroCents": 0,
                     *         "error": null,
                     *         "createdAt": "2026-11-20T14:30:00.000Z",
                     *         "finishedAt": "2026-11-20T14:30:02.150Z"
                     *       }
                     *     }
                     */
                    "text/event-stream": components["schemas"]["RunEvent"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_approvals: {
        parameters: {
            query?: {
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the previous page of this list. */
                cursor?: string;
                /** @description Returns only approvals of this run. */
                runId?: string;
                /** @description Returns only approvals in this state. */
                state?: components["schemas"]["ApprovalState"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa0e4-5b00-7a00-8000-00000000000d",
                     *           "runId": "019aa0e4-5b00-7a00-8000-000000000008",
                     *           "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *           "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
                     *           "kind": "memory",
                     *           "question": null,
                     *           "reason": null,
                     *           "memory": {
                     *             "scope": "organisation",
                     *             "kind": "policy",
                     *             "subject": "Opening hours",
                     *             "value": "The harbour office is open from nine to five.",
                     *             "confidence": 1,
                     *             "validTo": null,
                     *             "subjectKind": "organisation",
                     *             "lawfulBasis": "legitimate_interests"
                     *           },
                     *           "run": null,
                     *           "state": "pending",
                     *           "createdAt": "2026-11-20T14:30:00.000Z",
                     *           "expiresAt": "2026-11-27T14:30:00.000Z",
                     *           "answeredAt": null,
                     *           "comment": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ApprovalList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_approval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the approval. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000d",
                     *       "runId": "019aa0e4-5b00-7a00-8000-000000000008",
                     *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
                     *       "kind": "memory",
                     *       "question": null,
                     *       "reason": null,
                     *       "memory": {
                     *         "scope": "organisation",
                     *         "kind": "policy",
                     *         "subject": "Opening hours",
                     *         "value": "The harbour office is open from nine to five.",
                     *         "confidence": 1,
                     *         "validTo": null,
                     *         "subjectKind": "organisation",
                     *         "lawfulBasis": "legitimate_interests"
                     *       },
                     *       "run": null,
                     *       "state": "pending",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "expiresAt": "2026-11-27T14:30:00.000Z",
                     *       "answeredAt": null,
                     *       "comment": null
                     *     }
                     */
                    "application/json": components["schemas"]["Approval"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resend_approval: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the approval. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000d",
                     *       "runId": "019aa0e4-5b00-7a00-8000-000000000008",
                     *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
                     *       "kind": "memory",
                     *       "question": null,
                     *       "reason": null,
                     *       "memory": {
                     *         "scope": "organisation",
                     *         "kind": "policy",
                     *         "subject": "Opening hours",
                     *         "value": "The harbour office is open from nine to five.",
                     *         "confidence": 1,
                     *         "validTo": null,
                     *         "subjectKind": "organisation",
                     *         "lawfulBasis": "legitimate_interests"
                     *       },
                     *       "run": null,
                     *       "state": "pending",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "expiresAt": "2026-11-27T14:30:00.000Z",
                     *       "answeredAt": null,
                     *       "comment": null
                     *     }
                     */
                    "application/json": components["schemas"]["Approval"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_routines: {
        parameters: {
            query?: {
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the previous page of this list. */
                cursor?: string;
                /** @description Returns only routines of this bot. */
                botId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa0e4-5b00-7a00-8000-000000000013",
                     *           "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *           "name": "Morning round",
                     *           "schedule": "30 8 * * MON-FRI",
                     *           "timeZone": "Europe/Berlin",
                     *           "message": "What has changed since yesterday?",
                     *           "state": "active",
                     *           "pauseReason": null,
                     *           "nextFiringAt": "2026-11-27T14:30:00.000Z",
                     *           "lastFiredAt": null,
                     *           "lastRunId": null,
                     *           "lastSkippedAt": null,
                     *           "lastSkipReason": null,
                     *           "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *           "createdAt": "2026-11-20T14:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["RoutineList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_routine: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                 *       "name": "Morning round",
                 *       "schedule": "30 8 * * MON-FRI",
                 *       "timeZone": "Europe/Berlin",
                 *       "message": "What has changed since yesterday?"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the bot.
                     */
                    botId: string;
                    /** @description Name, for people. */
                    name: string;
                    /**
                     * @description A cron expression of five fields: minute, hour, day of month, month, day of week. A field is `*`, a number, a range, a list or a step (`*\/15`, `9-17/2`). Months and weekdays can be names (`MON-FRI`); Sunday is 0 or 7. If both day fields are restricted, either one suffices. A step such as `*\/2` restricts; `*` and `*\/1` do not.
                     *
                     *     With fixed hours, a time skipped by daylight saving fires at the change, and a repeated time fires once. With `*` or `*\/2` as the hour, firings follow elapsed time.
                     */
                    schedule: string;
                    /**
                     * @description IANA time zone, for example `Europe/Berlin`.
                     * @default UTC
                     */
                    timeZone?: string;
                    /** @description Message to the bot. */
                    message: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000013",
                     *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "name": "Morning round",
                     *       "schedule": "30 8 * * MON-FRI",
                     *       "timeZone": "Europe/Berlin",
                     *       "message": "What has changed since yesterday?",
                     *       "state": "active",
                     *       "pauseReason": null,
                     *       "nextFiringAt": "2026-11-27T14:30:00.000Z",
                     *       "lastFiredAt": null,
                     *       "lastRunId": null,
                     *       "lastSkippedAt": null,
                     *       "lastSkipReason": null,
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Routine"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_routine: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the routine. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000013
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000013",
                     *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "name": "Morning round",
                     *       "schedule": "30 8 * * MON-FRI",
                     *       "timeZone": "Europe/Berlin",
                     *       "message": "What has changed since yesterday?",
                     *       "state": "active",
                     *       "pauseReason": null,
                     *       "nextFiringAt": "2026-11-27T14:30:00.000Z",
                     *       "lastFiredAt": null,
                     *       "lastRunId": null,
                     *       "lastSkippedAt": null,
                     *       "lastSkipReason": null,
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Routine"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_routine: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the routine. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000013
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000f",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_routine: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the resource as you read it, several, or `*`. If the resource has another revision by now, nothing is changed: `conflict` with the reason `revision_changed`. By default the change is made at any revision.
                 * @example W/"6f1ed002ab5595859014ebf0951522d9"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the routine. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000013
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "schedule": "0 7 * * *"
                 *     }
                 */
                "application/json": {
                    /** @description Name, for people. */
                    name?: string;
                    /**
                     * @description A cron expression of five fields: minute, hour, day of month, month, day of week. A field is `*`, a number, a range, a list or a step (`*\/15`, `9-17/2`). Months and weekdays can be names (`MON-FRI`); Sunday is 0 or 7. If both day fields are restricted, either one suffices. A step such as `*\/2` restricts; `*` and `*\/1` do not.
                     *
                     *     With fixed hours, a time skipped by daylight saving fires at the change, and a repeated time fires once. With `*` or `*\/2` as the hour, firings follow elapsed time.
                     */
                    schedule?: string;
                    /** @description IANA time zone, for example `Europe/Berlin`. */
                    timeZone?: string;
                    /** @description Message to the bot. */
                    message?: string;
                    /**
                     * @description `paused`: it starts no runs.
                     * @enum {string}
                     */
                    state?: "active" | "paused";
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000013",
                     *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "name": "Morning round",
                     *       "schedule": "30 8 * * MON-FRI",
                     *       "timeZone": "Europe/Berlin",
                     *       "message": "What has changed since yesterday?",
                     *       "state": "active",
                     *       "pauseReason": null,
                     *       "nextFiringAt": "2026-11-27T14:30:00.000Z",
                     *       "lastFiredAt": null,
                     *       "lastRunId": null,
                     *       "lastSkippedAt": null,
                     *       "lastSkipReason": null,
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Routine"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_hooks: {
        parameters: {
            query?: {
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the previous page of this list. */
                cursor?: string;
                /** @description Returns only hooks of this bot. */
                botId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa0e4-5b00-7a00-8000-000000000014",
                     *           "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *           "name": "Alerts of the crane",
                     *           "path": "/api/v1/hooks/019aa0e4-5b00-7a00-8000-000000000014/receive",
                     *           "state": "active",
                     *           "pauseReason": null,
                     *           "secretLostSince": null,
                     *           "lastReceivedAt": null,
                     *           "lastRunId": null,
                     *           "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *           "createdAt": "2026-11-20T14:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["HookList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_hook: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                 *       "name": "Alerts of the crane"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Id of the bot.
                     */
                    botId: string;
                    /** @description Name, for people. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000014",
                     *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "name": "Alerts of the crane",
                     *       "path": "/api/v1/hooks/019aa0e4-5b00-7a00-8000-000000000014/receive",
                     *       "state": "active",
                     *       "pauseReason": null,
                     *       "secretLostSince": null,
                     *       "lastReceivedAt": null,
                     *       "lastRunId": null,
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "secret": "whsec_ExampleSecretExampleSecretExampleSecret1234="
                     *     }
                     */
                    "application/json": components["schemas"]["HookShownOnce"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_hook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the hook. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000014
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000014",
                     *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "name": "Alerts of the crane",
                     *       "path": "/api/v1/hooks/019aa0e4-5b00-7a00-8000-000000000014/receive",
                     *       "state": "active",
                     *       "pauseReason": null,
                     *       "secretLostSince": null,
                     *       "lastReceivedAt": null,
                     *       "lastRunId": null,
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Hook"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_hook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the hook. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000014
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000f",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_hook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the resource as you read it, several, or `*`. If the resource has another revision by now, nothing is changed: `conflict` with the reason `revision_changed`. By default the change is made at any revision.
                 * @example W/"6f1ed002ab5595859014ebf0951522d9"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the hook. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000014
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "state": "active"
                 *     }
                 */
                "application/json": {
                    /** @description Name, for people. */
                    name?: string;
                    /**
                     * @description `paused`: it starts no runs.
                     * @enum {string}
                     */
                    state?: "active" | "paused";
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000014",
                     *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "name": "Alerts of the crane",
                     *       "path": "/api/v1/hooks/019aa0e4-5b00-7a00-8000-000000000014/receive",
                     *       "state": "active",
                     *       "pauseReason": null,
                     *       "secretLostSince": null,
                     *       "lastReceivedAt": null,
                     *       "lastRunId": null,
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Hook"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotate_hook_secret: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the hook. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000014
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000014",
                     *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "name": "Alerts of the crane",
                     *       "path": "/api/v1/hooks/019aa0e4-5b00-7a00-8000-000000000014/receive",
                     *       "state": "active",
                     *       "pauseReason": null,
                     *       "secretLostSince": null,
                     *       "lastReceivedAt": null,
                     *       "lastRunId": null,
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "secret": "whsec_ExampleSecretExampleSecretExampleSecret1234="
                     *     }
                     */
                    "application/json": components["schemas"]["HookShownOnce"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_webhooks: {
        parameters: {
            query?: {
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the previous page of this list. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa0e4-5b00-7a00-8000-00000000000a",
                     *           "url": "https://hooks.harbour.example/botstead",
                     *           "description": "Tells the duty room",
                     *           "events": [
                     *             "run.finished"
                     *           ],
                     *           "botIds": null,
                     *           "runStates": null,
                     *           "orderPerRun": false,
                     *           "state": "active",
                     *           "consecutiveFailures": 0,
                     *           "failingSince": null,
                     *           "secretLostSince": null,
                     *           "disabledReason": null,
                     *           "disabledAt": null,
                     *           "createdAt": "2026-11-20T14:30:00.000Z",
                     *           "lastDeliveryAt": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_webhook: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "url": "https://hooks.harbour.example/botstead",
                 *       "description": "Tells the duty room",
                 *       "events": [
                 *         "run.finished"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uri
                     * @description An `https` URL with a public host name or public address. User names, fragments, backslashes and port 0 are not allowed.
                     */
                    url: string;
                    /** @description Text for people who look after the endpoint. Not sent to it. */
                    description?: string | null;
                    /** @description Kinds of events that are sent to the endpoint. */
                    events: components["schemas"]["SubscribableEvent"][];
                    /** @description Only events of these bots are sent, and events that concern no bot. Null: events of all bots are sent. */
                    botIds?: string[] | null;
                    /** @description Only events `run.started`, `run.blocked` and `run.finished` with one of these states are sent. Other kinds are sent in any case. Null: all are sent. */
                    runStates?: ("running" | "blocked" | "completed" | "failed" | "cancelled")[] | null;
                    /**
                     * @description Whether a delivery waits until every earlier delivery of its run to this endpoint was delivered or has failed. Applies to events after the change.
                     * @default false
                     */
                    orderPerRun?: boolean;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000a",
                     *       "url": "https://hooks.harbour.example/botstead",
                     *       "description": "Tells the duty room",
                     *       "events": [
                     *         "run.finished"
                     *       ],
                     *       "botIds": null,
                     *       "runStates": null,
                     *       "orderPerRun": false,
                     *       "state": "active",
                     *       "consecutiveFailures": 0,
                     *       "failingSince": null,
                     *       "secretLostSince": null,
                     *       "disabledReason": null,
                     *       "disabledAt": null,
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "lastDeliveryAt": null,
                     *       "secret": "whsec_ExampleSecretExampleSecretExampleSecret1234="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookShownOnce"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the endpoint. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000a",
                     *       "url": "https://hooks.harbour.example/botstead",
                     *       "description": "Tells the duty room",
                     *       "events": [
                     *         "run.finished"
                     *       ],
                     *       "botIds": null,
                     *       "runStates": null,
                     *       "orderPerRun": false,
                     *       "state": "active",
                     *       "consecutiveFailures": 0,
                     *       "failingSince": null,
                     *       "secretLostSince": null,
                     *       "disabledReason": null,
                     *       "disabledAt": null,
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "lastDeliveryAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_webhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the endpoint. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000f",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_webhook: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the resource as you read it, several, or `*`. If the resource has another revision by now, nothing is changed: `conflict` with the reason `revision_changed`. By default the change is made at any revision.
                 * @example W/"6f1ed002ab5595859014ebf0951522d9"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the endpoint. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "state": "active"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uri
                     * @description An `https` URL with a public host name or public address. User names, fragments, backslashes and port 0 are not allowed.
                     */
                    url?: string;
                    /** @description Text for people who look after the endpoint. Not sent to it. */
                    description?: string | null;
                    /** @description Kinds of events that are sent to the endpoint. */
                    events?: components["schemas"]["SubscribableEvent"][];
                    /** @description Only events of these bots are sent, and events that concern no bot. Null: events of all bots are sent. */
                    botIds?: string[] | null;
                    /** @description Only events `run.started`, `run.blocked` and `run.finished` with one of these states are sent. Other kinds are sent in any case. Null: all are sent. */
                    runStates?: ("running" | "blocked" | "completed" | "failed" | "cancelled")[] | null;
                    /** @description Whether a delivery waits until every earlier delivery of its run to this endpoint was delivered or has failed. Applies to events after the change. */
                    orderPerRun?: boolean;
                    /**
                     * @description `paused`: deliveries wait. `active` also enables a disabled endpoint.
                     * @enum {string}
                     */
                    state?: "active" | "paused";
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000a",
                     *       "url": "https://hooks.harbour.example/botstead",
                     *       "description": "Tells the duty room",
                     *       "events": [
                     *         "run.finished"
                     *       ],
                     *       "botIds": null,
                     *       "runStates": null,
                     *       "orderPerRun": false,
                     *       "state": "active",
                     *       "consecutiveFailures": 0,
                     *       "failingSince": null,
                     *       "secretLostSince": null,
                     *       "disabledReason": null,
                     *       "disabledAt": null,
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "lastDeliveryAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotate_webhook_secret: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the endpoint. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000a",
                     *       "url": "https://hooks.harbour.example/botstead",
                     *       "description": "Tells the duty room",
                     *       "events": [
                     *         "run.finished"
                     *       ],
                     *       "botIds": null,
                     *       "runStates": null,
                     *       "orderPerRun": false,
                     *       "state": "active",
                     *       "consecutiveFailures": 0,
                     *       "failingSince": null,
                     *       "secretLostSince": null,
                     *       "disabledReason": null,
                     *       "disabledAt": null,
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "lastDeliveryAt": null,
                     *       "secret": "whsec_ExampleSecretExampleSecretExampleSecret1234="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookShownOnce"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    test_webhook: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the endpoint. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                     *       "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a",
                     *       "event": "webhook.test",
                     *       "state": "pending",
                     *       "attempts": 0,
                     *       "maxAttempts": 5,
                     *       "lastStatusCode": null,
                     *       "lastFailure": null,
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "lastAttemptAt": null,
                     *       "nextAttemptAt": "2026-11-20T14:30:00.000Z",
                     *       "deliveredAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_deliveries: {
        parameters: {
            query?: {
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the previous page of this list. */
                cursor?: string;
                /** @description Returns only deliveries in this state. */
                state?: components["schemas"]["DeliveryState"];
                /** @description Returns only deliveries of this kind of event. */
                event?: components["schemas"]["EventKind"];
                /** @description Returns only deliveries created at or after this time. */
                since?: string;
                /** @description Returns only deliveries created before this time. */
                until?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the endpoint. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                     *           "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a",
                     *           "event": "webhook.test",
                     *           "state": "pending",
                     *           "attempts": 0,
                     *           "maxAttempts": 5,
                     *           "lastStatusCode": null,
                     *           "lastFailure": null,
                     *           "createdAt": "2026-11-20T14:30:00.000Z",
                     *           "lastAttemptAt": null,
                     *           "nextAttemptAt": "2026-11-20T14:30:00.000Z",
                     *           "deliveredAt": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_delivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the delivery. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                     *       "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a",
                     *       "event": "webhook.test",
                     *       "state": "delivered",
                     *       "attempts": 1,
                     *       "maxAttempts": 5,
                     *       "lastStatusCode": 200,
                     *       "lastFailure": null,
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "lastAttemptAt": "2026-11-20T14:30:02.150Z",
                     *       "nextAttemptAt": null,
                     *       "deliveredAt": "2026-11-20T14:30:02.150Z",
                     *       "attemptLog": [
                     *         {
                     *           "number": 1,
                     *           "trigger": "scheduled",
                     *           "startedAt": "2026-11-20T14:30:02.150Z",
                     *           "durationMs": 84,
                     *           "statusCode": 200,
                     *           "failure": null
                     *         }
                     *       ],
                     *       "payload": {
                     *         "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                     *         "event": "webhook.test",
                     *         "createdAt": "2026-11-20T14:30:00.000Z",
                     *         "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                     *         "data": {
                     *           "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["DeliveryInFull"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    redeliver: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the delivery. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                     *       "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a",
                     *       "event": "webhook.test",
                     *       "state": "pending",
                     *       "attempts": 0,
                     *       "maxAttempts": 5,
                     *       "lastStatusCode": null,
                     *       "lastFailure": null,
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "lastAttemptAt": null,
                     *       "nextAttemptAt": "2026-11-20T14:30:00.000Z",
                     *       "deliveredAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    recover_webhook: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the endpoint. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "since": "2026-11-20T11:00:00.000Z",
                 *       "include": "failed"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @description Start of the period, inclusive. Cannot be in the future, or earlier than deliveries are stored.
                     */
                    since: string;
                    /**
                     * Format: date-time
                     * @description End of the period, exclusive. Defaults to the current time.
                     */
                    until?: string;
                    include: components["schemas"]["RecoverWhat"];
                };
            };
        };
        responses: {
            /** @description Accepted. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a",
                     *       "include": "failed",
                     *       "recovered": 42,
                     *       "hasMore": false,
                     *       "nextSince": null
                     *     }
                     */
                    "application/json": components["schemas"]["Recovery"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_webhook_stats: {
        parameters: {
            query?: {
                /** @description A time in the first hour. Defaults to 24 hours before `until`. */
                since?: string;
                /** @description A time in the last hour, or its end. Defaults to the current time. */
                until?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Id of the endpoint. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a",
                     *       "since": "2026-11-20T14:00:00.000Z",
                     *       "until": "2026-11-20T15:00:00.000Z",
                     *       "totals": {
                     *         "deliveries": {
                     *           "total": 41,
                     *           "pending": 1,
                     *           "delivered": 39,
                     *           "failed": 1,
                     *           "successShare": 0.975
                     *         },
                     *         "attempts": {
                     *           "total": 47,
                     *           "succeeded": 39,
                     *           "failed": 8,
                     *           "successShare": 0.8298,
                     *           "durationMs": {
                     *             "p50": 84,
                     *             "p95": 310,
                     *             "p99": 10000
                     *           },
                     *           "failures": {
                     *             "status": 6,
                     *             "address": 0,
                     *             "dns": 0,
                     *             "redirect": 0,
                     *             "size": 0,
                     *             "timeout": 2,
                     *             "transport": 0,
                     *             "scheme": 0,
                     *             "secret": 0
                     *           }
                     *         }
                     *       },
                     *       "hours": [
                     *         {
                     *           "hour": "2026-11-20T14:00:00.000Z",
                     *           "deliveries": {
                     *             "total": 41,
                     *             "pending": 1,
                     *             "delivered": 39,
                     *             "failed": 1,
                     *             "successShare": 0.975
                     *           },
                     *           "attempts": {
                     *             "total": 47,
                     *             "succeeded": 39,
                     *             "failed": 8,
                     *             "successShare": 0.8298,
                     *             "durationMs": {
                     *               "p50": 84,
                     *               "p95": 310,
                     *               "p99": 10000
                     *             },
                     *             "failures": {
                     *               "status": 6,
                     *               "address": 0,
                     *               "dns": 0,
                     *               "redirect": 0,
                     *               "size": 0,
                     *               "timeout": 2,
                     *               "transport": 0,
                     *               "scheme": 0,
                     *               "secret": 0
                     *             }
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookStats"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_events: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. It wins over `after`. */
                cursor?: string;
                /** @description The `position` or `nextCursor` of an earlier page. By default the feed starts at the oldest stored event, or at the newest with `order=desc`. */
                after?: string;
                /** @description `asc`: oldest first. `desc`: newest first. A stream is always oldest first. */
                order?: "asc" | "desc";
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description Returns only the events of this run and of its approvals. */
                runId?: string;
                /** @description Returns only events of this kind. A page can be short or empty while `hasMore` is true. */
                event?: components["schemas"]["EventKind"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa0e4-5b00-7a00-8000-000000000010",
                     *           "event": "run.finished",
                     *           "createdAt": "2026-11-20T14:30:02.150Z",
                     *           "data": {
                     *             "runId": "019aa0e4-5b00-7a00-8000-000000000008",
                     *             "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *             "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
                     *             "routineId": null,
                     *             "state": "completed",
                     *             "trigger": "api",
                     *             "steps": 2,
                     *             "spendMicroCents": 0,
                     *             "taint": false,
                     *             "finishedAt": "2026-11-20T14:30:02.150Z"
                     *           },
                     *           "deliveries": [
                     *             {
                     *               "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                     *               "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a",
                     *               "state": "delivered"
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "nextCursor": null,
                     *       "position": "d41f6b2a0000000000002f1c019aa0e45b007a008000000000000010",
                     *       "hasMore": false
                     *     }
                     */
                    "application/json": components["schemas"]["EventFeed"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_audit: {
        parameters: {
            query?: {
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the previous page of this list. */
                cursor?: string;
                /** @description Returns only changes by this kind of actor. */
                actor?: components["schemas"]["AuditActor"];
                /** @description Returns only changes of this type. */
                action?: components["schemas"]["AuditAction"];
                /** @description Returns only changes of this type of resource. */
                resource?: components["schemas"]["AuditResource"];
                /** @description Returns only changes of this row. */
                resourceId?: string;
                /** @description Returns only changes by keys, invitations and approvals of this person. */
                userId?: string;
                /** @description Returns only changes by this credential. */
                keyId?: string;
                /** @description Returns only changes by this request. */
                requestId?: string;
                /** @description Returns only entries created at or after this time. */
                since?: string;
                /** @description Returns only entries created before this time. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa0e4-5b00-7a00-8000-000000000015",
                     *           "sequence": 41,
                     *           "createdAt": "2026-11-20T14:30:00.000Z",
                     *           "actor": "key",
                     *           "keyId": "019aa0e4-5b00-7a00-8000-000000000004",
                     *           "userId": "019aa0e4-5b00-7a00-8000-000000000002",
                     *           "operator": null,
                     *           "reason": null,
                     *           "requestId": "019aa0e4-5b00-7a00-8000-00000000000e",
                     *           "action": "updated",
                     *           "resource": "member",
                     *           "resourceId": "019aa0e4-5b00-7a00-8000-000000000003",
                     *           "changed": [
                     *             "role"
                     *           ],
                     *           "before": {
                     *             "role": "member"
                     *           },
                     *           "after": {
                     *             "role": "admin"
                     *           },
                     *           "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AuditEntryList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_audit_proof: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the audit log entry. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000015
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entryId": "019aa0e4-5b00-7a00-8000-000000000015",
                     *       "previousHash": "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
                     *       "content": "key\n019aa0e4-5b00-7a00-8000-000000000004\n019aa0e4-5b00-7a00-8000-000000000002\nNULL\nNULL\n019aa0e4-5b00-7a00-8000-00000000000e\nupdated\nmember\n019aa0e4-5b00-7a00-8000-000000000003\n{role}\n{\"role\" : \"member\"}\n{\"role\" : \"admin\"}",
                     *       "leaf": "botstead audit entry v1\n019aa0e4-5b00-7a00-8000-000000000001\n41\n9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n",
                     *       "leafIndex": 1,
                     *       "treeSize": 2,
                     *       "hashes": [
                     *         "bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0="
                     *       ],
                     *       "checkpoint": "api.example.com/audit\n2\n+sVCA+fMaWzw38tCySodnbr3CtnmIfS9jZhmLwDjwSU=\n\n— api.example.com/audit 1a2b3c4d…\n"
                     *     }
                     */
                    "application/json": components["schemas"]["AuditProof"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_members: {
        parameters: {
            query?: {
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the previous page of this list. */
                cursor?: string;
                /** @description Returns only the member with this address. */
                email?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "userId": "019aa0e4-5b00-7a00-8000-000000000003",
                     *           "email": "max@harbour.example",
                     *           "displayName": "Max",
                     *           "role": "member",
                     *           "createdAt": "2026-11-20T14:30:00.000Z"
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the member. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000003
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "019aa0e4-5b00-7a00-8000-000000000003",
                     *       "email": "max@harbour.example",
                     *       "displayName": "Max",
                     *       "role": "member",
                     *       "createdAt": "2026-11-20T14:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    remove_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the member. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000003
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000f",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["Deleted"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    change_member: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` of the resource as you read it, several, or `*`. If the resource has another revision by now, nothing is changed: `conflict` with the reason `revision_changed`. By default the change is made at any revision.
                 * @example W/"6f1ed002ab5595859014ebf0951522d9"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /**
                 * @description Id of the member. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000003
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "admin"
                 *     }
                 */
                "application/json": {
                    role: components["schemas"]["MemberRole"];
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "userId": "019aa0e4-5b00-7a00-8000-000000000003",
                     *       "email": "max@harbour.example",
                     *       "displayName": "Max",
                     *       "role": "member",
                     *       "createdAt": "2026-11-20T14:30:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_invitations: {
        parameters: {
            query?: {
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the previous page of this list. */
                cursor?: string;
                /** @description Returns only invitations in this state. `open` ones can still be accepted. */
                status?: "open" | "accepted" | "revoked" | "expired" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa0e4-5b00-7a00-8000-00000000000c",
                     *           "email": "nora@harbour.example",
                     *           "role": "member",
                     *           "invitedBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *           "createdAt": "2026-11-20T14:30:00.000Z",
                     *           "expiresAt": "2026-11-27T14:30:00.000Z",
                     *           "acceptedAt": null,
                     *           "revokedAt": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_invitation: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "nora@harbour.example",
                 *       "role": "member"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @description E-mail address.
                     */
                    email: string;
                    /**
                     * @description Role in the organisation.
                     * @default member
                     * @enum {string}
                     */
                    role?: "admin" | "member";
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000c",
                     *       "email": "nora@harbour.example",
                     *       "role": "member",
                     *       "invitedBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "expiresAt": "2026-11-27T14:30:00.000Z",
                     *       "acceptedAt": null,
                     *       "revokedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_invitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the invitation. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000c
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000c",
                     *       "email": "nora@harbour.example",
                     *       "role": "member",
                     *       "invitedBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "expiresAt": "2026-11-27T14:30:00.000Z",
                     *       "acceptedAt": null,
                     *       "revokedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revoke_invitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the invitation. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000c
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000c",
                     *       "email": "nora@harbour.example",
                     *       "role": "member",
                     *       "invitedBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "expiresAt": "2026-11-27T14:30:00.000Z",
                     *       "acceptedAt": null,
                     *       "revokedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resend_invitation: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the invitation. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000c
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000c",
                     *       "email": "nora@harbour.example",
                     *       "role": "member",
                     *       "invitedBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "expiresAt": "2026-11-27T14:30:00.000Z",
                     *       "acceptedAt": null,
                     *       "revokedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ConflictOrIdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_portal_sessions: {
        parameters: {
            query?: {
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the previous page of this list. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa0e4-5b00-7a00-8000-000000000016",
                     *           "personId": "019aa0e4-5b00-7a00-8000-000000000002",
                     *           "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *           "sections": [
                     *             "endpoints",
                     *             "events"
                     *           ],
                     *           "readOnly": false,
                     *           "returnUrl": "https://app.example.com/settings",
                     *           "createdAt": "2026-11-20T14:30:00.000Z",
                     *           "openedAt": null,
                     *           "expiresAt": "2026-11-20T15:30:00.000Z",
                     *           "revokedAt": null
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["PortalSessionList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_portal_session: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "sections": [
                 *         "endpoints",
                 *         "events"
                 *       ],
                 *       "returnUrl": "https://app.example.com/settings",
                 *       "expiresInMinutes": 60
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uuid
                     * @description `userId` of a member. Default: the person of the key.
                     */
                    personId?: string;
                    /**
                     * Format: uuid
                     * @description The same as `personId`, by the name that members have.
                     */
                    userId?: string;
                    /** @description The sections that the session reaches. Default: all that the member's role reaches. */
                    sections?: components["schemas"]["PortalSection"][];
                    /**
                     * Format: uri
                     * @description Where the portal's way back leads.
                     */
                    returnUrl?: string;
                    /**
                     * @description Minutes until the session ends, from the creation of the link.
                     * @default 60
                     */
                    expiresInMinutes?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000016",
                     *       "personId": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "sections": [
                     *         "endpoints",
                     *         "events"
                     *       ],
                     *       "readOnly": false,
                     *       "returnUrl": "https://app.example.com/settings",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "openedAt": null,
                     *       "expiresAt": "2026-11-20T15:30:00.000Z",
                     *       "revokedAt": null,
                     *       "url": "https://api.example.com/portal/#bsl_ExampleLink"
                     *     }
                     */
                    "application/json": components["schemas"]["PortalSessionShownOnce"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_portal_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the portal session. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000016
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000016",
                     *       "personId": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "sections": [
                     *         "endpoints",
                     *         "events"
                     *       ],
                     *       "readOnly": false,
                     *       "returnUrl": "https://app.example.com/settings",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "openedAt": null,
                     *       "expiresAt": "2026-11-20T15:30:00.000Z",
                     *       "revokedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["PortalSession"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revoke_portal_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the portal session. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000016
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000016",
                     *       "personId": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "sections": [
                     *         "endpoints",
                     *         "events"
                     *       ],
                     *       "readOnly": false,
                     *       "returnUrl": "https://app.example.com/settings",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "openedAt": null,
                     *       "expiresAt": "2026-11-20T15:30:00.000Z",
                     *       "revokedAt": null
                     *     }
                     */
                    "application/json": components["schemas"]["PortalSession"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    batch: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "atomic": true,
                 *       "operations": [
                 *         {
                 *           "id": "guide",
                 *           "method": "POST",
                 *           "path": "/bots",
                 *           "body": {
                 *             "name": "Harbour guide"
                 *           }
                 *         },
                 *         {
                 *           "id": "hours",
                 *           "method": "POST",
                 *           "path": "/memories",
                 *           "body": {
                 *             "scope": "organisation",
                 *             "kind": "policy",
                 *             "subject": "Opening hours",
                 *             "value": "Nine to five."
                 *           }
                 *         },
                 *         {
                 *           "id": "memories",
                 *           "method": "GET",
                 *           "path": "/memories?limit=10"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description If true, the first refusal undoes all operations, and the others return `conflict`.
                     * @default false
                     */
                    atomic?: boolean;
                    /** @description The operations, in the order of their execution. */
                    operations: components["schemas"]["BatchOperation"][];
                };
            };
        };
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "results": [
                     *         {
                     *           "id": "guide",
                     *           "status": 201,
                     *           "reason": null,
                     *           "etag": "W/\"6f1ed002ab5595859014ebf0951522d9\"",
                     *           "body": {
                     *             "id": "019aa0e4-5b00-7a00-8000-000000000005",
                     *             "name": "Harbour guide",
                     *             "instructions": "Answer in one sentence.",
                     *             "model": "recall",
                     *             "visibility": "team",
                     *             "directConversation": "members",
                     *             "ownerId": "019aa0e4-5b00-7a00-8000-000000000002",
                     *             "createdAt": "2026-11-20T14:30:00.000Z"
                     *           }
                     *         },
                     *         {
                     *           "id": "hours",
                     *           "status": 201,
                     *           "reason": null,
                     *           "etag": "W/\"6f1ed002ab5595859014ebf0951522d9\"",
                     *           "body": {
                     *             "id": "019aa0e4-5b00-7a00-8000-000000000006",
                     *             "scope": "organisation",
                     *             "botId": null,
                     *             "kind": "policy",
                     *             "subject": "Opening hours",
                     *             "subjectKind": "organisation",
                     *             "value": "The harbour office is open from nine to five.",
                     *             "confidence": 1,
                     *             "validTo": null,
                     *             "provenance": "member",
                     *             "createdAt": "2026-11-20T14:30:00.000Z",
                     *             "lawfulBasis": "legitimate_interests"
                     *           }
                     *         },
                     *         {
                     *           "id": "memories",
                     *           "status": 200,
                     *           "reason": null,
                     *           "etag": null,
                     *           "body": {
                     *             "data": [
                     *               {
                     *                 "id": "019aa0e4-5b00-7a00-8000-000000000006",
                     *                 "scope": "organisation",
                     *                 "botId": null,
                     *                 "kind": "policy",
                     *                 "subject": "Opening hours",
                     *                 "subjectKind": "organisation",
                     *                 "value": "The harbour office is open from nine to five.",
                     *                 "confidence": 1,
                     *                 "validTo": null,
                     *                 "provenance": "member",
                     *                 "createdAt": "2026-11-20T14:30:00.000Z",
                     *                 "lawfulBasis": "legitimate_interests"
                     *               }
                     *             ],
                     *             "nextCursor": null
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BatchResults"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_organisations: {
        parameters: {
            query?: {
                /** @description Maximum number of rows in a page. A page also ends at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the previous page of this list. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa0e4-5b00-7a00-8000-000000000001",
                     *           "name": "Harbour",
                     *           "kind": "team",
                     *           "billingState": "active",
                     *           "trialEndsAt": null,
                     *           "createdAt": "2026-11-02T09:00:00.000Z",
                     *           "owner": {
                     *             "userId": "019aa0e4-5b00-7a00-8000-000000000002",
                     *             "email": "olga@harbour.example",
                     *             "displayName": "Olga"
                     *           }
                     *         }
                     *       ],
                     *       "nextCursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedOrganisationList"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_organisation: {
        parameters: {
            query?: {
                /** @description The cell of the organisation, if the service has several. Defaults to the open one with the fewest organisations. */
                cell?: string;
            };
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Harbour",
                 *       "owner": {
                 *         "email": "olga@harbour.example",
                 *         "displayName": "Olga"
                 *       }
                 *     }
                 */
                "application/json": {
                    /** @description Name, for people. */
                    name: string;
                    /** @default team */
                    kind?: components["schemas"]["OrganisationKind"];
                    /** @description The person who becomes the owner. */
                    owner: {
                        /**
                         * Format: email
                         * @description E-mail address.
                         */
                        email: string;
                        /** @description Name of the person. Null if it is unknown. */
                        displayName?: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000001",
                     *       "name": "Harbour",
                     *       "kind": "team",
                     *       "billingState": "active",
                     *       "trialEndsAt": null,
                     *       "createdAt": "2026-11-02T09:00:00.000Z",
                     *       "owner": {
                     *         "userId": "019aa0e4-5b00-7a00-8000-000000000002",
                     *         "email": "olga@harbour.example",
                     *         "displayName": "Olga"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedOrganisation"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_organisation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Id of the organisation. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000001",
                     *       "name": "Harbour",
                     *       "kind": "team",
                     *       "billingState": "active",
                     *       "trialEndsAt": null,
                     *       "createdAt": "2026-11-02T09:00:00.000Z",
                     *       "owner": {
                     *         "userId": "019aa0e4-5b00-7a00-8000-000000000002",
                     *         "email": "olga@harbour.example",
                     *         "displayName": "Olga"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedOrganisation"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_owner_key: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A unique value of your choice, for example a UUID. Within 24 hours a repeated request with the same key is not executed again and returns the stored response. So a request can be sent again if its response was lost.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Id of the organisation. Returns `not_found` if the caller cannot read it.
                 * @example 019aa0e4-5b00-7a00-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Owner key",
                 *       "expiresInDays": 90
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Name, for people.
                     * @default Owner key
                     */
                    name?: string;
                    /**
                     * @description Lifetime of the key in days.
                     * @default 90
                     */
                    expiresInDays?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000004",
                     *       "name": "CI",
                     *       "prefix": "bsk_ExampleK",
                     *       "scope": "write",
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "expiresAt": "2027-02-18T14:30:00.000Z",
                     *       "lastUsedAt": null,
                     *       "revokedAt": null,
                     *       "usable": true,
                     *       "allowedIps": [
                     *         "192.0.2.0/24"
                     *       ],
                     *       "ratePerMinute": null,
                     *       "key": "bsk_ExampleKeyExampleKeyExampleKeyExampleKey123456789"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyShownOnce"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["IdempotencyInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["IdempotencyMismatch"];
            429: components["responses"]["QuotaExceededOrRateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    receive_hook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Time of the signature, in Unix seconds. */
                "X-Botstead-Timestamp"?: string;
                /** @description An identifier of the delivery, unique for 24 hours. Send the same one when you retry. */
                "X-Botstead-Delivery"?: string;
            };
            path: {
                /**
                 * @description Id of the hook. Any other value returns `unauthenticated`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000014
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "alert": "The crane stands still.",
                 *       "since": "14:05"
                 *     }
                 */
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Accepted. The run was started by this post or by an earlier post of the same delivery. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    RateLimit: components["headers"]["RateLimit"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "runId": "019aa0e4-5b00-7a00-8000-000000000008"
                     *     }
                     */
                    "application/json": components["schemas"]["Received"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthenticated"];
            402: components["responses"]["PaymentRequired"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["QuotaExceededOrRateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_contract: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of a cached copy. */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    /** @description Entity tag of the document. */
                    ETag: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    /** @description Public, for one hour. */
                    "Cache-Control": "public, max-age=3600";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Version of the OpenAPI Specification. */
                        openapi: string;
                        /** @description About this API. */
                        info: {
                            /** @description Name of the API. */
                            title: string;
                            /** @description Version of Botstead. */
                            version: string;
                        } & {
                            [key: string]: unknown;
                        };
                        /** @description The operations, by path and method. */
                        paths: Record<string, never>;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The cached copy is current. */
            304: {
                headers: {
                    /** @description Entity tag of the document. */
                    ETag: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    /** @description Public, for one hour. */
                    "Cache-Control": "public, max-age=3600";
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_run_finished: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event, as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description Id of the delivery, as `id` in the body. The same for every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than 300 seconds.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing secret, including `whsec_`. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content by the key at `/.well-known/webhooks.json`, during a rotation one for each key.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx==
                 */
                "Webhook-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                 *       "event": "run.finished",
                 *       "createdAt": "2026-11-20T14:30:02.150Z",
                 *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                 *       "data": {
                 *         "runId": "019aa0e4-5b00-7a00-8000-000000000008",
                 *         "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                 *         "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
                 *         "routineId": null,
                 *         "state": "completed",
                 *         "trigger": "api",
                 *         "steps": 2,
                 *         "spendMicroCents": 0,
                 *         "taint": false,
                 *         "finishedAt": "2026-11-20T14:30:02.150Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RunFinishedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: the service disables it at once, and its pending deliveries fail. For `webhook.test` this is a failure like any other. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded. Respond within 10 seconds. The response body is not stored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can extend a delay up to one hour. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_approval_needed: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event, as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description Id of the delivery, as `id` in the body. The same for every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than 300 seconds.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing secret, including `whsec_`. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content by the key at `/.well-known/webhooks.json`, during a rotation one for each key.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx==
                 */
                "Webhook-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                 *       "event": "approval.needed",
                 *       "createdAt": "2026-11-20T14:30:02.150Z",
                 *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                 *       "data": {
                 *         "approvalId": "019aa0e4-5b00-7a00-8000-00000000000d",
                 *         "runId": "019aa0e4-5b00-7a00-8000-000000000008",
                 *         "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                 *         "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
                 *         "kind": "memory",
                 *         "state": "pending",
                 *         "createdAt": "2026-11-20T14:30:00.000Z",
                 *         "expiresAt": "2026-11-27T14:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ApprovalNeededEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: the service disables it at once, and its pending deliveries fail. For `webhook.test` this is a failure like any other. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded. Respond within 10 seconds. The response body is not stored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can extend a delay up to one hour. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_webhook_test: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event, as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description Id of the delivery, as `id` in the body. The same for every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than 300 seconds.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing secret, including `whsec_`. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content by the key at `/.well-known/webhooks.json`, during a rotation one for each key.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx==
                 */
                "Webhook-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                 *       "event": "webhook.test",
                 *       "createdAt": "2026-11-20T14:30:02.150Z",
                 *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                 *       "data": {
                 *         "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookTestEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: the service disables it at once, and its pending deliveries fail. For `webhook.test` this is a failure like any other. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded. Respond within 10 seconds. The response body is not stored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can extend a delay up to one hour. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_run_started: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event, as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description Id of the delivery, as `id` in the body. The same for every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than 300 seconds.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing secret, including `whsec_`. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content by the key at `/.well-known/webhooks.json`, during a rotation one for each key.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx==
                 */
                "Webhook-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                 *       "event": "run.started",
                 *       "createdAt": "2026-11-20T14:30:02.150Z",
                 *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                 *       "data": {
                 *         "runId": "019aa0e4-5b00-7a00-8000-000000000008",
                 *         "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                 *         "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
                 *         "routineId": null,
                 *         "trigger": "api",
                 *         "taint": false,
                 *         "state": "running"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RunStartedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: the service disables it at once, and its pending deliveries fail. For `webhook.test` this is a failure like any other. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded. Respond within 10 seconds. The response body is not stored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can extend a delay up to one hour. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_run_blocked: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event, as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description Id of the delivery, as `id` in the body. The same for every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than 300 seconds.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing secret, including `whsec_`. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content by the key at `/.well-known/webhooks.json`, during a rotation one for each key.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx==
                 */
                "Webhook-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                 *       "event": "run.blocked",
                 *       "createdAt": "2026-11-20T14:30:02.150Z",
                 *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                 *       "data": {
                 *         "runId": "019aa0e4-5b00-7a00-8000-000000000008",
                 *         "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                 *         "conversationId": "019aa0e4-5b00-7a00-8000-000000000007",
                 *         "routineId": null,
                 *         "trigger": "api",
                 *         "taint": false,
                 *         "state": "blocked",
                 *         "steps": 2,
                 *         "spendMicroCents": 0
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RunBlockedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: the service disables it at once, and its pending deliveries fail. For `webhook.test` this is a failure like any other. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded. Respond within 10 seconds. The response body is not stored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can extend a delay up to one hour. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_endpoint_disabled: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event, as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description Id of the delivery, as `id` in the body. The same for every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than 300 seconds.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing secret, including `whsec_`. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content by the key at `/.well-known/webhooks.json`, during a rotation one for each key.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx==
                 */
                "Webhook-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                 *       "event": "endpoint.disabled",
                 *       "createdAt": "2026-11-20T14:30:02.150Z",
                 *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                 *       "data": {
                 *         "webhookId": "019aa0e4-5b00-7a00-8000-00000000000a",
                 *         "reason": "consecutive_failures"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["EndpointDisabledEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: the service disables it at once, and its pending deliveries fail. For `webhook.test` this is a failure like any other. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded. Respond within 10 seconds. The response body is not stored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can extend a delay up to one hour. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_member_added: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event, as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description Id of the delivery, as `id` in the body. The same for every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than 300 seconds.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing secret, including `whsec_`. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content by the key at `/.well-known/webhooks.json`, during a rotation one for each key.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx==
                 */
                "Webhook-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                 *       "event": "member.added",
                 *       "createdAt": "2026-11-20T14:30:02.150Z",
                 *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                 *       "data": {
                 *         "userId": "019aa0e4-5b00-7a00-8000-000000000003",
                 *         "role": "admin"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MemberAddedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: the service disables it at once, and its pending deliveries fail. For `webhook.test` this is a failure like any other. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded. Respond within 10 seconds. The response body is not stored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can extend a delay up to one hour. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_member_removed: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event, as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description Id of the delivery, as `id` in the body. The same for every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than 300 seconds.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing secret, including `whsec_`. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content by the key at `/.well-known/webhooks.json`, during a rotation one for each key.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx==
                 */
                "Webhook-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                 *       "event": "member.removed",
                 *       "createdAt": "2026-11-20T14:30:02.150Z",
                 *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                 *       "data": {
                 *         "userId": "019aa0e4-5b00-7a00-8000-000000000003",
                 *         "role": "admin"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MemberRemovedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: the service disables it at once, and its pending deliveries fail. For `webhook.test` this is a failure like any other. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded. Respond within 10 seconds. The response body is not stored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can extend a delay up to one hour. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_member_role_changed: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event, as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description Id of the delivery, as `id` in the body. The same for every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than 300 seconds.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing secret, including `whsec_`. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content by the key at `/.well-known/webhooks.json`, during a rotation one for each key.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx==
                 */
                "Webhook-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                 *       "event": "member.role_changed",
                 *       "createdAt": "2026-11-20T14:30:02.150Z",
                 *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                 *       "data": {
                 *         "userId": "019aa0e4-5b00-7a00-8000-000000000003",
                 *         "role": "admin"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MemberRoleChangedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: the service disables it at once, and its pending deliveries fail. For `webhook.test` this is a failure like any other. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded. Respond within 10 seconds. The response body is not stored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can extend a delay up to one hour. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_invitation_accepted: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event, as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description Id of the delivery, as `id` in the body. The same for every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than 300 seconds.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing secret, including `whsec_`. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content by the key at `/.well-known/webhooks.json`, during a rotation one for each key.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx==
                 */
                "Webhook-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                 *       "event": "invitation.accepted",
                 *       "createdAt": "2026-11-20T14:30:02.150Z",
                 *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                 *       "data": {
                 *         "invitationId": "019aa0e4-5b00-7a00-8000-00000000000c",
                 *         "userId": "019aa0e4-5b00-7a00-8000-000000000003",
                 *         "role": "admin"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvitationAcceptedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: the service disables it at once, and its pending deliveries fail. For `webhook.test` this is a failure like any other. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded. Respond within 10 seconds. The response body is not stored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can extend a delay up to one hour. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_key_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event, as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description Id of the delivery, as `id` in the body. The same for every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than 300 seconds.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing secret, including `whsec_`. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content by the key at `/.well-known/webhooks.json`, during a rotation one for each key.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx==
                 */
                "Webhook-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                 *       "event": "key.created",
                 *       "createdAt": "2026-11-20T14:30:02.150Z",
                 *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                 *       "data": {
                 *         "keyId": "019aa0e4-5b00-7a00-8000-000000000004",
                 *         "scope": "write",
                 *         "userId": "019aa0e4-5b00-7a00-8000-000000000002"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["KeyCreatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: the service disables it at once, and its pending deliveries fail. For `webhook.test` this is a failure like any other. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded. Respond within 10 seconds. The response body is not stored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can extend a delay up to one hour. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_key_revoked: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event, as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description Id of the delivery, as `id` in the body. The same for every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than 300 seconds.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing secret, including `whsec_`. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content by the key at `/.well-known/webhooks.json`, during a rotation one for each key.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx==
                 */
                "Webhook-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                 *       "event": "key.revoked",
                 *       "createdAt": "2026-11-20T14:30:02.150Z",
                 *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                 *       "data": {
                 *         "keyId": "019aa0e4-5b00-7a00-8000-000000000004",
                 *         "scope": "write",
                 *         "userId": "019aa0e4-5b00-7a00-8000-000000000002"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["KeyRevokedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: the service disables it at once, and its pending deliveries fail. For `webhook.test` this is a failure like any other. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded. Respond within 10 seconds. The response body is not stored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can extend a delay up to one hour. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_memory_created: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event, as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description Id of the delivery, as `id` in the body. The same for every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than 300 seconds.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing secret, including `whsec_`. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content by the key at `/.well-known/webhooks.json`, during a rotation one for each key.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx==
                 */
                "Webhook-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                 *       "event": "memory.created",
                 *       "createdAt": "2026-11-20T14:30:02.150Z",
                 *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                 *       "data": {
                 *         "memoryId": "019aa0e4-5b00-7a00-8000-000000000006",
                 *         "botId": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MemoryCreatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: the service disables it at once, and its pending deliveries fail. For `webhook.test` this is a failure like any other. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded. Respond within 10 seconds. The response body is not stored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can extend a delay up to one hour. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_memory_updated: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event, as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description Id of the delivery, as `id` in the body. The same for every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than 300 seconds.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing secret, including `whsec_`. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content by the key at `/.well-known/webhooks.json`, during a rotation one for each key.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx==
                 */
                "Webhook-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                 *       "event": "memory.updated",
                 *       "createdAt": "2026-11-20T14:30:02.150Z",
                 *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                 *       "data": {
                 *         "memoryId": "019aa0e4-5b00-7a00-8000-000000000006",
                 *         "botId": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MemoryUpdatedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: the service disables it at once, and its pending deliveries fail. For `webhook.test` this is a failure like any other. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded. Respond within 10 seconds. The response body is not stored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can extend a delay up to one hour. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_memory_deleted: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event, as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description Id of the delivery, as `id` in the body. The same for every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than 300 seconds.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing secret, including `whsec_`. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content by the key at `/.well-known/webhooks.json`, during a rotation one for each key.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx==
                 */
                "Webhook-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                 *       "event": "memory.deleted",
                 *       "createdAt": "2026-11-20T14:30:02.150Z",
                 *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                 *       "data": {
                 *         "memoryId": "019aa0e4-5b00-7a00-8000-000000000006",
                 *         "botId": null
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MemoryDeletedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: the service disables it at once, and its pending deliveries fail. For `webhook.test` this is a failure like any other. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded. Respond within 10 seconds. The response body is not stored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can extend a delay up to one hour. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_organisation_limit_reached: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event, as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description Id of the delivery, as `id` in the body. The same for every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than 300 seconds.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing secret, including `whsec_`. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content by the key at `/.well-known/webhooks.json`, during a rotation one for each key.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx==
                 */
                "Webhook-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                 *       "event": "organisation.limit_reached",
                 *       "createdAt": "2026-11-20T14:30:02.150Z",
                 *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                 *       "data": {
                 *         "limit": "liveKeys",
                 *         "maximum": 20,
                 *         "used": 20
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OrganisationLimitReachedEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: the service disables it at once, and its pending deliveries fail. For `webhook.test` this is a failure like any other. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded. Respond within 10 seconds. The response body is not stored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can extend a delay up to one hour. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    on_key_expiring: {
        parameters: {
            query?: never;
            header: {
                /** @description The kind of event, as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description Id of the delivery, as `id` in the body. The same for every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description Time of this attempt's signature, in Unix seconds. Reject a time that differs from your clock by more than 300 seconds.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 of `v1:<timestamp>:<raw body>` in lower-case hex. The HMAC key is the text of the signing secret, including `whsec_`. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description Id of the delivery, as [Standard Webhooks](https://www.standardwebhooks.com) names it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same as `X-Botstead-Timestamp`, as Standard Webhooks names it.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and the HMAC-SHA-256 of `<id>.<timestamp>.<raw body>` in base64. The HMAC key is the decoded base64 after `whsec_`. Libraries for Standard Webhooks verify it with the signing secret. Verify either this signature or `X-Botstead-Signature`. After a space, `v1a,` and an Ed25519 signature of the same content by the key at `/.well-known/webhooks.json`, during a rotation one for each key.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A= v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx==
                 */
                "Webhook-Signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "019aa0e4-5b00-7a00-8000-00000000000b",
                 *       "event": "key.expiring",
                 *       "createdAt": "2026-11-20T14:30:02.150Z",
                 *       "organisationId": "019aa0e4-5b00-7a00-8000-000000000001",
                 *       "data": {
                 *         "keyId": "019aa0e4-5b00-7a00-8000-000000000004",
                 *         "scope": "write",
                 *         "userId": "019aa0e4-5b00-7a00-8000-000000000002",
                 *         "expiresAt": "2026-11-27T14:30:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["KeyExpiringEvent"];
            };
        };
        responses: {
            /** @description The endpoint is gone: the service disables it at once, and its pending deliveries fail. For `webhook.test` this is a failure like any other. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The delivery succeeded. Respond within 10 seconds. The response body is not stored. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The attempt failed, as with any status other than 2xx. The service makes up to 5 attempts, with delays of 60 seconds, 5 minutes, 30 minutes and 2 hours. `Retry-After`, in seconds or as a date, can extend a delay up to one hour. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
