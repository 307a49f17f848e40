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
         * Read the key, its person, their organisation, and what is used of its limits
         * @description Everything a script needs to know of itself: what its key may do and until when, for whom it acts, and how far the organisation is from its limits.
         *
         *     Asks for a key of scope `read` or wider.
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
         * Read the organisation, its seats and what it has spent this month
         * @description The organisation that the key belongs to. Seats are taken by members and by open invitations; usage is of the calendar month in UTC, in micro-cents, of which 1,000,000 are one cent.
         *
         *     Asks for a key of scope `read` or wider.
         */
        get: operations["get_own_organisation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename the organisation, or say its language
         * @description The name is what invitations and people see. In another language claims are found once their words have been taken anew, which a worker does at once: seconds, for tens of thousands of them. Nothing else is changed here.
         *
         *     Asks for a key of scope `admin`.
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
         * @description All keys of the organisation, including revoked and expired keys. No row holds the key itself.
         *
         *     Asks for a key of scope `admin`.
         */
        get: operations["list_keys"];
        put?: never;
        /**
         * Make a key, shown once
         * @description The new key is bound to the person of the key that makes it. Only a digest is kept, so a key that was lost is replaced and not found again. `quota_exceeded` with 20 live keys; revoked and expired ones do not count.
         *
         *     Asks for a key of scope `admin`.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `quota_exceeded`, `limit_keys`: The limit of live keys (`liveKeys` of `GET /me`) is reached.
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
         * Read a key
         * @description One key, without the key itself.
         *
         *     Asks for a key of scope `admin`.
         */
        get: operations["get_key"];
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description It stops working at once. Revoking it again changes nothing, its first `revokedAt` included.
         *
         *     Asks for a key of scope `admin`.
         */
        delete: operations["revoke_key"];
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
         * Make a key that takes another's place; the old one ends after the overlap
         * @description The new key has the name, the scope and the length of life of the old one. Both work until the overlap ends. `conflict` when the old one is revoked or expired. `quota_exceeded` with 20 live keys, since both count while both work.
         *
         *     Asks for a key of scope `admin`.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `conflict`, `key_revoked`: The key is revoked.
         *     - `conflict`, `key_rotated`: The key was rotated before.
         *     - `conflict`, `key_expired`: The key has expired.
         *     - `quota_exceeded`, `limit_keys`: The limit of live keys (`liveKeys` of `GET /me`) is reached.
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
         * List the models that bots may have
         * @description The built-in `recall`, and models that an executor has served within a day, unless an operator has withdrawn them. Runs of a bot whose model was withdrawn fail with `refused`.
         *
         *     Asks for a key of scope `read` or wider.
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
         * List the bots that the key's person sees
         * @description Bots of the team, and the personal ones of the key's person.
         *
         *     Asks for a key of scope `read` or wider.
         */
        get: operations["list_bots"];
        put?: never;
        /**
         * Make a bot
         * @description It belongs to the key's person. Start a run of it with `POST /runs`. `invalid_request` where `GET /models` does not list its model.
         *
         *     Asks for a key of scope `write` or wider.
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
         * Read a bot
         * @description `not_found` also for the personal bot of somebody else.
         *
         *     Asks for a key of scope `read` or wider.
         */
        get: operations["get_bot"];
        put?: never;
        post?: never;
        /**
         * Delete a bot, its claims, and what it was still to do
         * @description Its claims go with it and its runs that have not ended are cancelled; the runs stay to be read.
         *
         *     Asks for a key of scope `write` or wider.
         */
        delete: operations["delete_bot"];
        options?: never;
        head?: never;
        /**
         * Change a bot
         * @description Name at least one field. Only its owner changes who sees a bot: `forbidden` for anybody else. A new model must be one that `GET /models` lists.
         *
         *     Asks for a key of scope `write` or wider.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `not_bot_owner`: Only the bot's owner changes who sees it.
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
         * List claims, or search them
         * @description What the key's person may read: the organisation's claims, those of bots they see, and their own. Claims past their `validTo` are listed, though no bot recalls them any more. With `q`, the claims that match it, best first, each with a `highlight`; its pages go on by rank, and what is written meanwhile moves none of them. With `asOf`, the claims of that instant, as they were.
         *
         *     Asks for a key of scope `read` or wider.
         */
        get: operations["list_memories"];
        put?: never;
        /**
         * Record a claim
         * @description Written as the key's person, with provenance `member`. `not_found` when the bot is not one they see; `forbidden` when the kind may not be held about a third party, as health, religion or politics.
         *
         *     Asks for a key of scope `write` or wider.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `kind_restricted`: Claims of this kind may not be held about third parties.
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
         * Read a claim
         * @description `not_found` also for what the key's person may not read.
         *
         *     Asks for a key of scope `read` or wider.
         */
        get: operations["get_memory"];
        put?: never;
        post?: never;
        /**
         * Delete a claim
         * @description No bot recalls it from here on. `forbidden` for a member's own claim.
         *
         *     Asks for a key of scope `write` or wider.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `member_memory`: A claim of scope `member` belongs to that member.
         */
        delete: operations["delete_memory"];
        options?: never;
        head?: never;
        /**
         * Change a claim
         * @description Name at least one field. `forbidden` for a member's own claim, which is not written through this API.
         *
         *     Asks for a key of scope `write` or wider.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `member_memory`: A claim of scope `member` belongs to that member.
         *     - `forbidden`, `kind_restricted`: Claims of this kind may not be held about third parties.
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
         * Read what a claim said before
         * @description A row for each change, newest first: what the claim said until then, and who changed it. `not_found` when the claim is deleted, too.
         *
         *     Asks for a key of scope `read` or wider.
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
         * Erase what is held about somebody
         * @description All of the organisation's claims about this subject, however it is spelled (case, spaces and hyphens are the same), also claims that the key's person can't read; what they said before; what runs proposed to say; and answers kept for replays that showed them, whose replay is `not_found` from then on. Answers of bots that cite an erased claim are blanked, and have `erasedAt`. It can't be undone. Done again it finds nothing. Of more than 5,000 claims as many are erased, and `complete` is false. Other texts are not searched and stay as they are: `notSearched` in the receipt lists them.
         *
         *     Asks for a key of scope `admin`.
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
         * List the runs of bots that the key's person sees
         * @description A key that sees the bot sees that it ran, how far and at what cost, but not its messages.
         *
         *     Asks for a key of scope `read` or wider.
         */
        get: operations["list_runs"];
        put?: never;
        /**
         * Start a run with a message to a bot
         * @description The message goes into the conversation of the key's person with the bot. The answer comes at once, whether the run starts now or waits behind another of that conversation: follow it with `GET /runs/{id}`, or be told by the webhook `run.finished`. A run has 50 steps, 2 euros and 10 minutes. `not_found` when the person does not see the bot or may not talk to it; `payment_required` without a trial or a payment; `quota_exceeded` at 120 starts in an hour; `unavailable` also when nothing has been there for a minute to carry it out. A run of a bot whose model was withdrawn is accepted, and fails with `refused`.
         *
         *     Asks for a key of scope `write` or wider.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `payment_required`, `billing_inactive`: The organisation is on no trial and pays for nothing.
         *     - `quota_exceeded`, `limit_run_starts`: The limit of run starts in an hour (`runStartsPerHour`) is reached.
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
         * Read a run
         * @description The run as it stands. `error` says why a run failed. With `wait` the answer comes once the run is neither `queued` nor `running`: it has ended, or a person or the next cycle is waited for. After that many seconds it comes as the run stands, so ask again.
         *
         *     Asks for a key of scope `read` or wider.
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
         * Cancel a run; a finished one stays as it is
         * @description Cancelling what has ended changes nothing and announces nothing.
         *
         *     Asks for a key of scope `write` or wider.
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
         * Let a blocked run go on, with a word to the bot where that helps
         * @description A run is `blocked` when the bot stopped rather than improvise; its last message says why. It goes back to the queue of its conversation, with the steps and the cost that it has. `forbidden` for anybody but the person whose conversation it is; `conflict` when the run is not blocked.
         *
         *     Asks for a key of scope `write` or wider.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `not_own_conversation`: Only the person of the conversation resumes its run.
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
         * List what the person and the bot said in a run of one's own
         * @description The words belong to the conversation's person: `not_found` for anybody else, whatever their role.
         *
         *     Asks for a key of scope `read` or wider.
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
         * List the steps of a run: what was done, with how many tokens, at what cost
         * @description A key that sees the bot sees the steps. Newest first; `number` counts from 1. Kept for 90 days from the start of the run unless the service says otherwise: after that the list is empty, and the run's own `steps` and `spendMicroCents` stay.
         *
         *     Asks for a key of scope `read` or wider.
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
         * Watch a run: its states, steps and answer as they happen
         * @description A stream of server-sent events: all that has happened to the run, in order and each exactly once, then what happens, until `end`, with which the service closes the stream. It closes it after some minutes too, or when it is itself started anew: ask again with the `id` of the last event as `Last-Event-ID`, and it goes on after it with nothing lost and nothing told twice. A run that has ended answers its `end` to everybody, whatever they have read before: so stop at `end`. The credential is a header, which a browser's EventSource can't send: read with `fetch`, with `curl -N`, or with the client's `watch`. A comment every 15 seconds keeps the connection alive. A key holds at most 100 requests open, streams and reads that `wait`, and an organisation a tenth of the free ones, which are at most 10,000 a process; one more is `rate_limited`.
         *
         *     Asks for a key of scope `read` or wider.
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
         * List what the key's person is asked
         * @description Cards of the person's own runs, answered or not. They are answered on the page behind the mailed link.
         *
         *     Asks for a key of scope `read` or wider.
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
         * Read what the key's person is asked
         * @description As the webhook `approval.needed` names it. `not_found` for a card of anybody else, whatever their role.
         *
         *     Asks for a key of scope `read` or wider.
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
    "/routines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the routines of bots that the key's person sees
         * @description With what they say: a routine belongs to its bot as its instructions do.
         *
         *     Asks for a key of scope `read` or wider.
         */
        get: operations["list_routines"];
        put?: never;
        /**
         * Have a message sent to a bot on a schedule
         * @description At each firing the message goes into the conversation of the key's person with the bot and starts a run with the trigger `routine`. What was missed while no worker ran is made up for by one firing. A firing that meets what would refuse `POST /runs` is skipped, and the row says why. Routines have 120 starts an hour of their own. `not_found` when the person does not see the bot or may not talk to it; `quota_exceeded` with 50 routines.
         *
         *     Asks for a key of scope `write` or wider.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `quota_exceeded`, `limit_routines`: The limit of routines (`liveRoutines`) is reached.
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
         * Read a routine
         * @description When it fires next, what came of it last, and why it does not fire if it does not.
         *
         *     Asks for a key of scope `read` or wider.
         */
        get: operations["get_routine"];
        put?: never;
        post?: never;
        /**
         * Delete a routine; its runs stay
         * @description A key of scope `write` that sees its bot may delete it. A run that has begun goes on.
         *
         *     Asks for a key of scope `write` or wider.
         */
        delete: operations["delete_routine"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a routine
         * @description Name at least one field. Its runs act for its creator, so others may pause it and no more: `forbidden`. What it has missed while it was paused is not made up for.
         *
         *     Asks for a key of scope `write` or wider.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `not_creator`: Only the person who made it changes or resumes it.
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
         * List the inbound webhooks of bots that the key's person sees
         * @description No row holds the signing secret.
         *
         *     Asks for a key of scope `admin`.
         */
        get: operations["list_hooks"];
        put?: never;
        /**
         * Make an address that other systems post to; its signing secret is shown once
         * @description What is posted there, signed with the secret in this answer, is said to the bot in the conversation of the key's person, by a tainted run with the trigger `webhook`: see `POST /hooks/{id}/receive`. `not_found` when the person does not see the bot or may not talk to it; `quota_exceeded` with 10 hooks.
         *
         *     Asks for a key of scope `admin`.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `quota_exceeded`, `limit_hooks`: The limit of hooks (`liveHooks`) is reached.
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
         * Read an inbound webhook
         * @description When it last started a run, and why it takes nothing if it does not.
         *
         *     Asks for a key of scope `admin`.
         */
        get: operations["get_hook"];
        put?: never;
        post?: never;
        /**
         * Delete an inbound webhook; its runs stay
         * @description What is posted there from now on is answered as if it had never been.
         *
         *     Asks for a key of scope `admin`.
         */
        delete: operations["delete_hook"];
        options?: never;
        head?: never;
        /**
         * Rename, pause or resume an inbound webhook
         * @description Its runs act for its creator, so other admins may pause it and no more: `forbidden`. What is posted to a paused one is answered with `conflict`.
         *
         *     Asks for a key of scope `admin`.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `not_creator`: Only the person who made it changes or resumes it.
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
         * Replace the signing secret of an inbound webhook at once; the new one is shown once
         * @description What is signed with the old one is refused from now on. `forbidden` for all but who made the hook.
         *
         *     Asks for a key of scope `admin`.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `not_creator`: Only the person who made it changes or resumes it.
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
         * @description No row holds the signing secret.
         *
         *     Asks for a key of scope `admin`.
         */
        get: operations["list_webhooks"];
        put?: never;
        /**
         * Make a webhook endpoint; its signing secret is shown once
         * @description Deliveries are signed with the secret in this answer; `docs/receiving-webhooks.md` shows how to verify them. `quota_exceeded` with 10 endpoints.
         *
         *     Asks for a key of scope `admin`.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `quota_exceeded`, `limit_webhooks`: The limit of webhook endpoints (`liveWebhooks`) is reached.
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
         * Read a webhook endpoint
         * @description How it stands, and why it was disabled if it was.
         *
         *     Asks for a key of scope `admin`.
         */
        get: operations["get_webhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint; what waits there fails
         * @description Deliveries that have not arrived end as `failed`, with no further attempt.
         *
         *     Asks for a key of scope `admin`.
         */
        delete: operations["delete_webhook"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a webhook endpoint
         * @description Name at least one field; `description: null` clears it. Making a disabled endpoint `active` clears its count and its reason; pausing a disabled one is a `conflict`. The address and the secret at the moment of an attempt are used.
         *
         *     Asks for a key of scope `admin`.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `conflict`, `endpoint_disabled`: The endpoint is disabled: make it active first.
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
         * Replace the signing secret at once; the new one is shown once
         * @description A delivery under way is still signed with the old one and will not verify under the new.
         *
         *     Asks for a key of scope `admin`.
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
         * Send a real delivery of kind webhook.test
         * @description Answers with the delivery: watch what becomes of it. `conflict` unless the endpoint is active.
         *
         *     Asks for a key of scope `admin`.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
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
         * List the deliveries to an endpoint
         * @description What was sent there and what became of it.
         *
         *     Asks for a key of scope `admin`.
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
         * Read a delivery with its attempts and its payload
         * @description Every attempt with its time, its status or why it failed, and the body that was sent.
         *
         *     Asks for a key of scope `admin`.
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
         * Send a failed delivery again, with a new round of attempts
         * @description The same id and the same body. `conflict` unless it has failed and its endpoint is active.
         *
         *     Asks for a key of scope `admin`.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
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
         * Send what an endpoint missed, since a time
         * @description A failed delivery begins a new round of attempts under the id it has, as with `redeliver`; a missing event gets a delivery of its own. One call takes about 500 and looks at about 5,000: while `hasMore`, send it again with `nextSince` as `since`, under a new Idempotency-Key. Nothing is sent twice by asking twice. `conflict` unless the endpoint is active.
         *
         *     Asks for a key of scope `admin`.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
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
         * Read how an endpoint fares, by the hour
         * @description Counts, shares of success, and how long attempts took, for each hour of UTC that the asked time touches, taken whole: the last 24 unless it is said otherwise, and at most 7 days. What is no longer kept is not counted.
         *
         *     Asks for a key of scope `admin`.
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
         * Read every event, oldest first, and go on from where you were
         * @description Every event of the organisation that is still kept, each exactly once, whether or not it was delivered anywhere. A reader that keeps `nextCursor` skips nothing, however long something took to be written: an event is shown once nothing can come before it any more, which is a moment after it happened. An `after` of events that are no longer kept goes on at the oldest that is.
         *
         *     Asks for a key of scope `admin`.
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
         * List what was done
         * @description Every change of the organisation's rows: when, who, by which key, in which request, and which fields. Words, names, addresses and secrets are not in it. Entries are chained by their hashes and kept for a year, unless the service is set otherwise. A filter that few entries pass is quick with `resourceId`, or with `since` close by.
         *
         *     Asks for a key of scope `admin`.
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
    "/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List members
         * @description Everybody in the organisation. `forbidden` in a personal organisation, which is one person's.
         *
         *     Asks for a key of scope `read` or wider.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
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
         * Read a member
         * @description One person, by their `userId`.
         *
         *     Asks for a key of scope `read` or wider.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
         */
        get: operations["get_member"];
        put?: never;
        post?: never;
        /**
         * Remove a member; keys bound to them stop working
         * @description Admins do not remove an owner, nobody removes themself, and the last owner stays: all `forbidden`. The personal bots of the removed member are deleted, and their runs that have not ended are cancelled.
         *
         *     Asks for a key of scope `admin`.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
         *     - `forbidden`, `member_above_own`: An admin does not change or remove an owner.
         *     - `forbidden`, `own_membership`: Nobody removes themself.
         */
        delete: operations["remove_member"];
        options?: never;
        head?: never;
        /**
         * Change a member's role
         * @description Owners change anybody; admins change members and admins, and make nobody an owner. The last owner stays one. Keys of somebody who is no longer an admin or an owner stop working at once.
         *
         *     Asks for a key of scope `admin`.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
         *     - `forbidden`, `role_above_own`: Only an owner makes somebody an owner.
         *     - `forbidden`, `member_above_own`: An admin does not change or remove an owner.
         *     - `forbidden`, `last_owner`: The organisation keeps one owner.
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
         * List invitations, by default the open ones
         * @description `forbidden` in a personal organisation.
         *
         *     Asks for a key of scope `read` or wider.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
         */
        get: operations["list_invitations"];
        put?: never;
        /**
         * Invite somebody by mail; the link in it is good for seven days
         * @description The mail is sent shortly after, and again until it is taken. An open invitation takes a seat. `conflict` when the address belongs to a member or has an open invitation already, in whatever case it is written. `payment_required` without a trial, a payment or a seat left of those bought. `quota_exceeded` at the limit of open invitations (50) or of seats (200), and at the limits of invitation mails: 200 in an hour, 5 to one address in a day. An operator may raise each.
         *
         *     Asks for a key of scope `admin`.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
         *     - `payment_required`, `billing_inactive`: The organisation is on no trial and pays for nothing.
         *     - `payment_required`, `bought_seats_taken`: All seats that were bought are taken by members and open invitations.
         *     - `conflict`, `member_exists`: The address belongs to a member.
         *     - `conflict`, `invitation_open`: The address has an open invitation.
         *     - `quota_exceeded`, `limit_open_invitations`: The limit of open invitations (`openInvitations`) is reached.
         *     - `quota_exceeded`, `limit_seats`: The limit of members and open invitations (`seats`) is reached.
         *     - `quota_exceeded`, `limit_invitations_per_hour`: The limit of invitation mails in an hour (`invitationsPerHour`) is reached.
         *     - `quota_exceeded`, `limit_invitations_to_address`: The limit of mails to this address in a day (`invitationsPerAddressPerDay`) is reached.
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
         * Read an invitation
         * @description Also one that was accepted, revoked or has expired.
         *
         *     Asks for a key of scope `read` or wider.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
         */
        get: operations["get_invitation"];
        put?: never;
        post?: never;
        /**
         * Revoke an invitation
         * @description Its link ends and its seat is free. Revoking twice changes nothing. `conflict` when it was accepted: remove the member instead.
         *
         *     Asks for a key of scope `admin`.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
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
         * Send an invitation again, with a new link that is good for seven days; the old link ends
         * @description Also brings an expired invitation back, which takes its seat again. `conflict` when it was accepted or revoked. `quota_exceeded` as for a new one.
         *
         *     Asks for a key of scope `admin`.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
         *     - `payment_required`, `billing_inactive`: The organisation is on no trial and pays for nothing.
         *     - `payment_required`, `bought_seats_taken`: All seats that were bought are taken by members and open invitations.
         *     - `conflict`, `invitation_accepted`: The invitation was accepted.
         *     - `conflict`, `invitation_revoked`: The invitation was revoked.
         *     - `conflict`, `member_exists`: The address belongs to a member.
         *     - `conflict`, `invitation_open`: The address has an open invitation.
         *     - `quota_exceeded`, `limit_open_invitations`: The limit of open invitations (`openInvitations`) is reached.
         *     - `quota_exceeded`, `limit_seats`: The limit of members and open invitations (`seats`) is reached.
         *     - `quota_exceeded`, `limit_invitations_per_hour`: The limit of invitation mails in an hour (`invitationsPerHour`) is reached.
         *     - `quota_exceeded`, `limit_invitations_to_address`: The limit of mails to this address in a day (`invitationsPerAddressPerDay`) is reached.
         */
        post: operations["resend_invitation"];
        delete?: never;
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
         * Perform up to 50 operations in one transaction, in order
         * @description Each operation meets its own scope, validation and quota, is answered with its own status, and counts as one request in the buckets. One Idempotency-Key holds for the whole. With `atomic` the first refusal undoes everything, and the others answer `conflict`. A batch holds no batch. Results total at most 4 MB, and 1 MB where an operation is no GET, because then they are stored for replays: an operation whose result has no room is refused with 413 in its place and does nothing. A batch of GETs alone is not stored; a repetition reads again.
         *
         *     Asks for a key of scope `write` or wider.
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
         * @description Every organisation of this service, with its owner. Nothing else of a tenant is shown.
         *
         *     Asks for a platform key.
         */
        get: operations["list_organisations"];
        put?: never;
        /**
         * Found an organisation
         * @description Its owner is told by mail, and becomes a person here if the address is new.
         *
         *     Asks for a platform key.
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
         * Read an organisation
         * @description The organisation and its owner.
         *
         *     Asks for a platform key.
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
         * Make an admin key bound to the organisation's owner, shown once
         * @description How an organisation gets its first key, and how one that was lost is replaced. `quota_exceeded` when it holds 20 live keys.
         *
         *     Asks for a platform key.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `quota_exceeded`, `limit_keys`: The limit of live keys (`liveKeys` of `GET /me`) is reached.
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
         * Post to an inbound webhook, signed
         * @description The body is said to the hook's bot, as it is: JSON or any other text in UTF-8, of 1 to 32,000 characters and at most 64 KB.
         *     It starts a tainted run, whatever it says.
         *
         *     It is signed as our own deliveries are: `X-Botstead-Timestamp` in unix seconds, at most 300 from our clock, and
         *     `X-Botstead-Signature`, in lower-case hex the HMAC-SHA-256 over `v1:<timestamp>:<raw body>` under the whole secret of the
         *     hook as text. Or as [Standard Webhooks](https://www.standardwebhooks.com) says, with `Webhook-Id`, `Webhook-Timestamp`
         *     and `Webhook-Signature`.
         *
         *     `X-Botstead-Delivery` names the delivery, for 24 hours: the same name with the same body is answered as it was before
         *     and starts nothing, so what was not answered can be sent again; with another body it is a `conflict`. So is a signature
         *     that has been used under another name. Without a name, the signature is the name.
         *
         *     An unknown hook, a wrong signature and an old one are `unauthenticated` alike; a hook that is paused is a `conflict`.
         *     A hook takes 60 posts a minute, and the hooks of an organisation start 120 runs an hour (`quota_exceeded`).
         *
         *     Beyond the specification.
         *
         *     Reasons of refusals (`X-Botstead-Reason`):
         *
         *     - `payment_required`, `billing_inactive`: The organisation is on no trial and pays for nothing.
         *     - `conflict`, `delivery_reused`: The name of the delivery, or its signature, was used for another one.
         *     - `conflict`, `hook_paused`: The hook is paused.
         *     - `quota_exceeded`, `limit_webhook_starts`: The limit of runs that hooks start in an hour (`webhookStartsPerHour`) is reached.
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
         * Read this document
         * @description The contract as OpenAPI, made from the schemas and the list of operations that serve: what is not in it is not in the API. No credential is asked for and no bucket counts it. It may be kept for an hour.
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
         * @description Sent when a run reaches `completed`, `failed` or `cancelled`, to every active endpoint that subscribed to it. It says what ended and how, and holds no words of the conversation: fetch those with `GET /runs/{id}/messages`.
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
         * A run waits for a person
         * @description Sent when a run asks its person something and waits, or when a tainted run would write something that a person has to approve first. The person is mailed a link to a page and answers there; an API key can't.
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
         * A test that somebody asked for
         * @description Sent by `POST /webhooks/{id}/test`, to that endpoint alone, whatever it subscribed to.
         */
        post: operations["on_webhook_test"];
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
         * @description What a run asks its person. Its words are the run's: of a tainted run they may be a stranger's.
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
         *       "answeredAt": null
         *     }
         */
        Approval: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            runId: string;
            /** Format: uuid */
            botId: string;
            /** Format: uuid */
            conversationId: string;
            kind: components["schemas"]["ApprovalKind"];
            question: string | null;
            reason: string | null;
            memory: components["schemas"]["ProposedMemory"] | null;
            run: components["schemas"]["ProposedRun"] | null;
            state: components["schemas"]["ApprovalState"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            answeredAt: string | null;
        };
        /**
         * @description `question`: the run waits for the answer. `memory` and `run`: a tainted run would record a claim or start a run, which happens when it is approved; the run that proposed it does not wait.
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
         *           "answeredAt": null
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        ApprovalList: {
            /** @description Newest first. */
            data: components["schemas"]["Approval"][];
            /** @description Asks for the next page; null on the last one. */
            nextCursor: string | null;
        };
        ApprovalNeeded: {
            /**
             * Format: uuid
             * @description The event's own id, which no delivery carries.
             */
            id: string;
            /** @constant */
            event: "approval.needed";
            /** Format: date-time */
            createdAt: string;
            data: {
                /** Format: uuid */
                approvalId: string;
                /** Format: uuid */
                runId: string;
                /** Format: uuid */
                botId: string;
                /** Format: uuid */
                conversationId: string;
                /** @description What a person is asked to allow. New kinds may be added. */
                kind: string;
                /** @description Where the approval stands. New states may be added. */
                state: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                expiresAt: string;
            };
            /** @description One for each endpoint it went to; `id` is the one in the posted body. Often none. */
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
             * @description The delivery's id. It stays the same at every attempt: know a repeat by it.
             */
            id: string;
            /** @constant */
            event: "approval.needed";
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            organisationId: string;
            data: {
                /** Format: uuid */
                approvalId: string;
                /** Format: uuid */
                runId: string;
                /** Format: uuid */
                botId: string;
                /** Format: uuid */
                conversationId: string;
                /** @description What a person is asked to allow. New kinds may be added. */
                kind: string;
                /** @description Where the approval stands. New states may be added. */
                state: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                expiresAt: string;
            };
        };
        /**
         * @description `expired`: nobody answered in time, which counts as refused. `withdrawn`: its run ended or was cancelled before.
         * @enum {string}
         */
        ApprovalState: "pending" | "approved" | "refused" | "expired" | "withdrawn";
        Attempt: {
            number: number;
            /** @enum {string} */
            trigger: "scheduled" | "manual";
            /** Format: date-time */
            startedAt: string;
            durationMs: number;
            statusCode: number | null;
            failure: components["schemas"]["DeliveryFailure"] | null;
        };
        /** @description Attempts begun in this time, whenever their deliveries were made. */
        AttemptStats: {
            total: number;
            succeeded: number;
            failed: number;
            /** @description From 0 to 1, of all attempts: succeeded / total; null when there are none. */
            successShare: number | null;
            /** @description How long attempts took, failed ones too: of so many per cent at most this long. */
            durationMs: {
                p50: number | null;
                p95: number | null;
                p99: number | null;
            };
            /** @description Failed attempts by why they failed; the words are those of the attempt log. */
            failures: {
                /** @description Answered, and with no 2xx. */
                status: number;
                address: number;
                dns: number;
                redirect: number;
                size: number;
                timeout: number;
                transport: number;
                scheme: number;
            };
        };
        /** @enum {string} */
        AuditAction: "created" | "updated" | "deleted";
        /**
         * @description What asked: an API key; a platform key; the link of an invitation or of an approval; a post to a hook; who carries out runs; the worker, by the clock; an operator of the service; or the service's installation itself.
         * @enum {string}
         */
        AuditActor: "key" | "platform_key" | "invitation" | "approval" | "hook" | "executor" | "worker" | "operator" | "system";
        /**
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-000000000010",
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
            /** Format: uuid */
            id: string;
            /** @description From 1, without a gap, in the order in which things were done. */
            sequence: number;
            /** Format: date-time */
            createdAt: string;
            actor: components["schemas"]["AuditActor"];
            /**
             * Format: uuid
             * @description Of the key; or of the invitation, approval or hook, as `actor` says.
             */
            keyId: string | null;
            /**
             * Format: uuid
             * @description Whose key, invitation or approval it was.
             */
            userId: string | null;
            /** @description The name of the operator's credential. */
            operator: string | null;
            /** @description Why an operator did it. */
            reason: string | null;
            /**
             * Format: uuid
             * @description The `X-Request-Id` of the answer.
             */
            requestId: string | null;
            action: components["schemas"]["AuditAction"];
            resource: components["schemas"]["AuditResource"];
            /**
             * Format: uuid
             * @description Of a member the person's; null of what has no id.
             */
            resourceId: string | null;
            /** @description What an update changed, also where values are not kept. */
            changed: string[];
            /** @description Values as they were: ids, states, roles, limits and times, never words. */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description Values as they are since then. */
            after: {
                [key: string]: unknown;
            } | null;
            /** @description SHA-256 over the hash of the entry before it and all of this one. */
            hash: string;
        };
        /**
         * @example {
         *       "data": [
         *         {
         *           "id": "019aa0e4-5b00-7a00-8000-000000000010",
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
            /** @description Asks for the next page; null on the last one. */
            nextCursor: string | null;
        };
        /** @enum {string} */
        AuditResource: "organisation" | "member" | "invitation" | "key" | "bot" | "memory" | "run" | "approval" | "routine" | "hook" | "webhook" | "delivery" | "erasure" | "restriction";
        BatchOperation: {
            /** @description The caller's own name for the operation, returned with its result. */
            id?: string;
            /**
             * @description In upper or lower case.
             * @enum {string}
             */
            method: "GET" | "POST" | "PATCH" | "DELETE";
            /** @description Below /api/v1, with its query, as /memories?limit=10. */
            path: string;
            body?: {
                [key: string]: unknown;
            } | null;
        };
        BatchResult: {
            /** @description The caller's own name for the operation. */
            id: string | null;
            /** @description As it would have been alone. */
            status: number;
            /** @description What the header `X-Botstead-Reason` would have said alone. */
            reason: string | null;
            /** @description The row, the list or the refusal. */
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
         *           "id": "claims",
         *           "status": 200,
         *           "reason": null,
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
            /** @description In the order of the operations. */
            results: components["schemas"]["BatchResult"][];
        };
        /**
         * @description Runs and seats need a trial that lasts, or `active`.
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
            /** Format: uuid */
            id: string;
            name: string;
            instructions: string;
            /** @description Which engine answers; `recall` is built in. */
            model: string;
            visibility: components["schemas"]["BotVisibility"];
            directConversation: components["schemas"]["DirectConversation"];
            /** Format: uuid */
            ownerId: string;
            /** Format: date-time */
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
            /** @description Asks for the next page; null on the last one. */
            nextCursor: string | null;
        };
        /**
         * @description A personal bot is visible to its owner alone.
         * @enum {string}
         */
        BotVisibility: "team" | "personal";
        /**
         * @description What is gone.
         * @example {
         *       "id": "019aa0e4-5b00-7a00-8000-00000000000f",
         *       "deleted": true
         *     }
         */
        Deleted: {
            /** Format: uuid */
            id: string;
            /** @constant */
            deleted: true;
        };
        /**
         * @description One event on its way to one endpoint.
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
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            webhookId: string;
            event: components["schemas"]["EventKind"];
            state: components["schemas"]["DeliveryState"];
            attempts: number;
            /** @description After so many attempts it has failed; a redelivery adds a round. */
            maxAttempts: number;
            lastStatusCode: number | null;
            lastFailure: components["schemas"]["DeliveryFailure"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastAttemptAt: string | null;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            deliveredAt: string | null;
        };
        /**
         * @description Why an attempt failed, where its status does not say it.
         * @enum {string}
         */
        DeliveryFailure: "address" | "dns" | "redirect" | "size" | "timeout" | "transport" | "scheme";
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
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            webhookId: string;
            event: components["schemas"]["EventKind"];
            state: components["schemas"]["DeliveryState"];
            attempts: number;
            /** @description After so many attempts it has failed; a redelivery adds a round. */
            maxAttempts: number;
            lastStatusCode: number | null;
            lastFailure: components["schemas"]["DeliveryFailure"] | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastAttemptAt: string | null;
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            deliveredAt: string | null;
            /** @description Oldest first. Of an answer only its status is kept. */
            attemptLog: components["schemas"]["Attempt"][];
            payload: components["schemas"]["RunFinishedEvent"] | components["schemas"]["ApprovalNeededEvent"] | components["schemas"]["WebhookTestEvent"];
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
            /** @description Asks for the next page; null on the last one. */
            nextCursor: string | null;
        };
        DeliveryOfEvent: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            webhookId: string;
            state: components["schemas"]["DeliveryState"];
        };
        /** @enum {string} */
        DeliveryState: "pending" | "delivered" | "failed";
        /** @description Deliveries made in this time, and what has become of them by now. */
        DeliveryStats: {
            total: number;
            pending: number;
            delivered: number;
            failed: number;
            /** @description From 0 to 1, of the deliveries that ended: delivered / (delivered + failed); null when there are none. */
            successShare: number | null;
        };
        /**
         * @description Who may talk to it directly, and so start runs of it.
         * @enum {string}
         */
        DirectConversation: "members" | "owner";
        /**
         * @description A receipt. It does not say who was forgotten: keep it with the request that it answers.
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
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            erasedAt: string;
            /** @description How many claims were held. */
            memories: number;
            /** @description How many times they, and such as were deleted before, had changed. */
            history: number;
            /** @description How many cards would have written, or had written, about them. */
            proposals: number;
            /** @description How many answers of bots were blanked, because they cite an erased claim. */
            answers: number;
            /** @description False when more is held than one call erases: ask again, under another Idempotency-Key, until it is true. */
            complete: boolean;
            /** @description Where the subject may still be named, since an erasure goes by subject and citation and does not search texts: other messages of people and bots, questions and messages on approval cards, names and instructions of bots, names and messages of routines, and backups. */
            notSearched: ("messages" | "approvals" | "bots" | "routines" | "backups")[];
        };
        Event: components["schemas"]["RunFinished"] | components["schemas"]["ApprovalNeeded"] | components["schemas"]["WebhookTest"];
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
         *       "nextCursor": "d41f6b2a0000000000002f1c019aa0e45b007a008000000000000010",
         *       "hasMore": false
         *     }
         */
        EventFeed: {
            /** @description Oldest first, in the order in which they became readable. */
            data: components["schemas"]["Event"][];
            /** @description Never null: keep it, and ask with it as `after`, now or in a week, for what has come since. */
            nextCursor: string;
            /** @description Whether the next page can be asked for at once, even if this one is short. */
            hasMore: boolean;
        };
        /** @enum {string} */
        EventKind: "run.finished" | "approval.needed" | "webhook.test";
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
        FoundedOrganisation: {
            /** Format: uuid */
            id: string;
            name: string;
            kind: components["schemas"]["OrganisationKind"];
            billingState: components["schemas"]["BillingState"];
            /** Format: date-time */
            trialEndsAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description Its owner of longest standing. */
            owner: {
                /** Format: uuid */
                userId: string;
                /** Format: email */
                email: string;
                /** @description Null also for a person who was there before the organisation: their name was given elsewhere. */
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
        FoundedOrganisationList: {
            /** @description Newest first. */
            data: components["schemas"]["FoundedOrganisation"][];
            /** @description Asks for the next page; null on the last one. */
            nextCursor: string | null;
        };
        /**
         * @description Given when `q` is. The parts of the subject and of the value in their order: joined they are the text, and those with `hit` are what was found. Plain text, without markup: escape each part as you would the whole.
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
            subject: {
                text: string;
                hit: boolean;
            }[];
            value: {
                text: string;
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
         *       "lastReceivedAt": null,
         *       "lastRunId": null,
         *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *       "createdAt": "2026-11-20T14:30:00.000Z"
         *     }
         */
        Hook: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            botId: string;
            name: string;
            /** @description Where to post, on this server. */
            path: string;
            /** @enum {string} */
            state: "active" | "paused";
            /** @description Why it was paused by itself; null where a person did it. */
            pauseReason: components["schemas"]["PauseReason"] | null;
            /**
             * Format: date-time
             * @description When a post last started a run.
             */
            lastReceivedAt: string | null;
            /** Format: uuid */
            lastRunId: string | null;
            /**
             * Format: uuid
             * @description In whose name its runs go, into their conversation with the bot.
             */
            createdBy: string;
            /** Format: date-time */
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
            /** @description Asks for the next page; null on the last one. */
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
         *       "lastReceivedAt": null,
         *       "lastRunId": null,
         *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "secret": "whsec_ExampleSecretExampleSecretExampleSecret1234="
         *     }
         */
        HookShownOnce: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            botId: string;
            name: string;
            /** @description Where to post, on this server. */
            path: string;
            /** @enum {string} */
            state: "active" | "paused";
            /** @description Why it was paused by itself; null where a person did it. */
            pauseReason: components["schemas"]["PauseReason"] | null;
            /**
             * Format: date-time
             * @description When a post last started a run.
             */
            lastReceivedAt: string | null;
            /** Format: uuid */
            lastRunId: string | null;
            /**
             * Format: uuid
             * @description In whose name its runs go, into their conversation with the bot.
             */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Signs what is posted. It is in this answer and in no other: keep it now. */
            secret: string;
        };
        /**
         * @description It never carries the link: that goes to the invitee, by mail alone.
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
            /** Format: uuid */
            id: string;
            /** Format: email */
            email: string;
            /** @enum {string} */
            role: "admin" | "member";
            /**
             * Format: uuid
             * @description The `userId` of the member who invited.
             */
            invitedBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            acceptedAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
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
            /** @description Asks for the next page; null on the last one. */
            nextCursor: string | null;
        };
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
         *       "usable": true
         *     }
         */
        Key: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The first 12 characters of the key, to know it by. */
            prefix: string;
            scope: components["schemas"]["KeyScope"];
            /**
             * Format: uuid
             * @description The person it is bound to: every call is made as them.
             */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /**
             * Format: date-time
             * @description To the minute.
             */
            lastUsedAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            /** @description Whether calls with it are accepted: it is neither revoked nor expired, and its person is an owner or admin here. The key of somebody who left works again once they are an owner or admin again. */
            usable: boolean;
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
         *           "usable": true
         *         }
         *       ],
         *       "nextCursor": null
         *     }
         */
        KeyList: {
            /** @description Newest first. */
            data: components["schemas"]["Key"][];
            /** @description Asks for the next page; null on the last one. */
            nextCursor: string | null;
        };
        /**
         * @description `read` reaches every GET but those of keys, hooks, webhooks and deliveries, `/events` and `/audit`; `write` also `/batch` and what changes bots, memories, runs and routines, but for `/memories/erase`; `admin` everything.
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
         *       "key": "bsk_ExampleKeyExampleKeyExampleKeyExampleKey123456789"
         *     }
         */
        KeyShownOnce: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The first 12 characters of the key, to know it by. */
            prefix: string;
            scope: components["schemas"]["KeyScope"];
            /**
             * Format: uuid
             * @description The person it is bound to: every call is made as them.
             */
            createdBy: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            /**
             * Format: date-time
             * @description To the minute.
             */
            lastUsedAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            /** @description Whether calls with it are accepted: it is neither revoked nor expired, and its person is an owner or admin here. The key of somebody who left works again once they are an owner or admin again. */
            usable: boolean;
            /** @description The key itself. It is in this answer and in no other: keep it now. */
            key: string;
        };
        /**
         * @description In which language claims are searched and recalled: its endings and its small words don't count. `simple` knows no language and takes words as they are.
         * @enum {string}
         */
        Language: "simple" | "danish" | "dutch" | "english" | "finnish" | "french" | "german" | "hungarian" | "italian" | "nepali" | "norwegian" | "portuguese" | "russian" | "spanish" | "swedish" | "turkish";
        /**
         * @description On what ground it is held: article 6 of the GDPR.
         * @enum {string}
         */
        LawfulBasis: "consent" | "contract" | "legal_obligation" | "vital_interests" | "public_task" | "legitimate_interests";
        /**
         * @description A claim in a list. In a search, with what of it was found.
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
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            scope: "organisation" | "bot" | "member";
            /** Format: uuid */
            botId: string | null;
            kind: string;
            subject: string;
            subjectKind: components["schemas"]["SubjectKind"];
            value: string;
            confidence: number;
            /** Format: date-time */
            validTo: string | null;
            provenance: components["schemas"]["Provenance"];
            /** Format: date-time */
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
            /** @description Asks for the next page; null on the last one. */
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
         *         "usable": true
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
            person: {
                /** Format: uuid */
                userId: string;
                /** Format: email */
                email: string;
                displayName: string | null;
                role: components["schemas"]["MemberRole"];
            };
            organisation: components["schemas"]["Organisation"];
            limits: {
                liveKeys: components["schemas"]["Use"];
                liveWebhooks: components["schemas"]["Use"];
                openInvitations: components["schemas"]["Use"];
                /** @description Invitation mails in the last hour. As many as seats, unless an operator says otherwise. */
                invitationsPerHour: components["schemas"]["Use"];
                /** @description Invitation mails to one address in the last day; `used` is that of the address that got most. */
                invitationsPerAddressPerDay: components["schemas"]["Use"];
                /** @description Members and open invitations together. */
                seats: components["schemas"]["Use"];
                /** @description By people and their scripts. */
                runStartsPerHour: components["schemas"]["Use"];
                /** @description By routines, which are counted apart. */
                routineStartsPerHour: components["schemas"]["Use"];
                /** @description By inbound webhooks, which are counted apart. */
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
            /** Format: uuid */
            userId: string;
            /** Format: email */
            email: string;
            displayName: string | null;
            role: components["schemas"]["MemberRole"];
            /**
             * Format: date-time
             * @description Since when they belong to the organisation.
             */
            createdAt: string;
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
            /** @description Asks for the next page; null on the last one. */
            nextCursor: string | null;
        };
        /** @enum {string} */
        MemberRole: "owner" | "admin" | "member";
        /**
         * @description A claim that bots may recall.
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
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            scope: "organisation" | "bot" | "member";
            /** Format: uuid */
            botId: string | null;
            kind: string;
            subject: string;
            subjectKind: components["schemas"]["SubjectKind"];
            value: string;
            confidence: number;
            /** Format: date-time */
            validTo: string | null;
            provenance: components["schemas"]["Provenance"];
            /** Format: date-time */
            createdAt: string;
            lawfulBasis: components["schemas"]["LawfulBasis"];
        };
        /**
         * @description What a claim said until it was changed.
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
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            changedAt: string;
            /**
             * Format: uuid
             * @description Whose key changed it; null where no key did.
             */
            changedBy: string | null;
            value: string;
            confidence: number;
            /** Format: date-time */
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
            /** @description Asks for the next page; null on the last one. */
            nextCursor: string | null;
        };
        MemoryList: components["schemas"]["ListedMemoryList"];
        /**
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
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            runId: string;
            /** Format: uuid */
            conversationId: string;
            /** @enum {string} */
            author: "person" | "bot";
            text: string;
            /** @description The claims that an answer rests on, best first. */
            memoryIds: string[];
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the answer was blanked, because it cites a claim that was erased: `text` and `memoryIds` are empty then. Null for every other message.
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
            /** @description Asks for the next page; null on the last one. */
            nextCursor: string | null;
        };
        /**
         * @example {
         *       "id": "recall",
         *       "available": true
         *     }
         */
        Model: {
            /** @description Its name, as a bot's `model`. */
            id: string;
            /** @description Whether an executor has been alive for it within the last minute. Else `POST /runs` is `unavailable`. */
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
            /** @description By name, at most 2,001. */
            data: components["schemas"]["Model"][];
            /** @description Always null: all models are on one page. */
            nextCursor: string | null;
        };
        /**
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
            /** Format: uuid */
            id: string;
            name: string;
            kind: components["schemas"]["OrganisationKind"];
            billingState: components["schemas"]["BillingState"];
            /** Format: date-time */
            trialEndsAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        /**
         * @description A personal one is one person's: it has no members to manage.
         * @enum {string}
         */
        OrganisationKind: "team" | "personal";
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
            /** Format: uuid */
            id: string;
            name: string;
            kind: components["schemas"]["OrganisationKind"];
            billingState: components["schemas"]["BillingState"];
            /** Format: date-time */
            trialEndsAt: string | null;
            /** Format: date-time */
            createdAt: string;
            language: components["schemas"]["Language"];
            seats: {
                /** @description Members and open invitations together. */
                limit: number;
                /** @description Seats paid for; null when seats are not counted. */
                bought: number | null;
                members: number;
                openInvitations: number;
            };
            usage: {
                /** @description The calendar month in UTC, as 2026-11. */
                month: string;
                spendMicroCents: number;
                limitMicroCents: number | null;
            };
        };
        /**
         * @description `creator_not_admin`: its creator is no longer an owner or admin. `bot_not_visible`: they no longer see the bot, or may not talk to it. `schedule_ended`: its schedule has no next time.
         * @enum {string}
         */
        PauseReason: "creator_not_admin" | "bot_not_visible" | "schedule_ended";
        /** @description A claim that is recorded if it is approved: of the run's bot or person. */
        ProposedMemory: {
            /** @enum {string} */
            scope: "organisation" | "bot" | "member";
            kind: string;
            subject: string;
            subjectKind: components["schemas"]["SubjectKind"];
            value: string;
            confidence: number;
            /** Format: date-time */
            validTo: string | null;
            lawfulBasis: components["schemas"]["LawfulBasis"];
        };
        /** @description A run that is started if it is approved, tainted like the one that proposed it. */
        ProposedRun: {
            /** Format: uuid */
            botId: string;
            message: string;
        };
        /**
         * @description How it came: `member` from a person or their script, `run` from a bot, `import` with a template, `run-tainted` from a run that had read what others wrote. It is never raised.
         * @enum {string}
         */
        Provenance: "member" | "run" | "import" | "run-tainted";
        Received: {
            /** Format: uuid */
            runId: string;
        };
        /**
         * @description `failed`: deliveries that were made in that time and have failed. `missing`: events of that time to which the endpoint subscribes now and of which it has no delivery, because it was paused or disabled, or not yet there.
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
            /** Format: uuid */
            webhookId: string;
            include: components["schemas"]["RecoverWhat"];
            /** @description How many deliveries are pending now because of this call. */
            recovered: number;
            /** @description Whether part of the time was not looked at yet. */
            hasMore: boolean;
            /**
             * Format: date-time
             * @description Where to go on: the next call's `since`, with the same `until`. Null when there is no more.
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
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            botId: string;
            name: string;
            schedule: string;
            timeZone: string;
            message: string;
            /** @enum {string} */
            state: "active" | "paused";
            /** @description Why it was paused by itself; null where a person did it. */
            pauseReason: components["schemas"]["PauseReason"] | null;
            /**
             * Format: date-time
             * @description null while it is paused, and for a moment after it was changed or resumed.
             */
            nextFiringAt: string | null;
            /** Format: date-time */
            lastFiredAt: string | null;
            /** Format: uuid */
            lastRunId: string | null;
            /**
             * Format: date-time
             * @description When it last was due and could start no run.
             */
            lastSkippedAt: string | null;
            /** @description The refusal that `POST /runs` would have met then. */
            lastSkipReason: ("payment_required" | "quota_exceeded" | "unavailable") | null;
            /**
             * Format: uuid
             * @description In whose name its runs go, into their conversation with the bot.
             */
            createdBy: string;
            /** Format: date-time */
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
            /** @description Asks for the next page; null on the last one. */
            nextCursor: string | null;
        };
        /**
         * @description One unit of a bot's work, from the message that starts it to its answer.
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
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            botId: string;
            /** Format: uuid */
            conversationId: string;
            /** Format: uuid */
            routineId: string | null;
            state: components["schemas"]["RunState"];
            trigger: components["schemas"]["RunTrigger"];
            /** @description Whether it began with words of people outside the organisation. */
            taint: boolean;
            steps: number;
            /** @description Micro-cents: 1,000,000 are one cent. */
            spendMicroCents: number;
            error: {
                code: components["schemas"]["RunErrorCode"];
                message: string;
            } | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        /** @description It asks its person for something, as the webhook `approval.needed` tells. Told to that person alone. */
        RunApprovalEvent: {
            /** @description The `id` to go on after: numbers from 1. */
            id: number;
            /** @constant */
            event: "approval";
            data: {
                /** Format: uuid */
                approvalId: string;
                /** Format: uuid */
                runId: string;
                /** Format: uuid */
                botId: string;
                /** Format: uuid */
                conversationId: string;
                /** @description What a person is asked to allow. New kinds may be added. */
                kind: string;
                /** @description Where the approval stands. New states may be added. */
                state: string;
                /** Format: date-time */
                createdAt: string;
                /** Format: date-time */
                expiresAt: string;
            };
        };
        /** @description It has ended. Nothing comes after it. */
        RunEndEvent: {
            /** @description The `id` to go on after: numbers from 1. */
            id: number;
            /** @constant */
            event: "end";
            data: components["schemas"]["Run"];
        };
        /** @enum {string} */
        RunErrorCode: "budget_steps" | "budget_spend" | "budget_time" | "executor_failed" | "executor_lost" | "refused" | "internal";
        /**
         * @description The fields of one server-sent event; `data` is JSON on one line.
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
             * @description The event's own id, which no delivery carries.
             */
            id: string;
            /** @constant */
            event: "run.finished";
            /** Format: date-time */
            createdAt: string;
            data: {
                /** Format: uuid */
                runId: string;
                /** Format: uuid */
                botId: string;
                /** Format: uuid */
                conversationId: string;
                /** Format: uuid */
                routineId: string | null;
                /** @enum {string} */
                state: "completed" | "failed" | "cancelled";
                trigger: components["schemas"]["RunTrigger"];
                steps: number;
                /** @description Micro-cents: 1,000,000 are one cent. */
                spendMicroCents: number;
                taint: boolean;
                /** Format: date-time */
                finishedAt: string;
            };
            /** @description One for each endpoint it went to; `id` is the one in the posted body. Often none. */
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
             * @description The delivery's id. It stays the same at every attempt: know a repeat by it.
             */
            id: string;
            /** @constant */
            event: "run.finished";
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            organisationId: string;
            data: {
                /** Format: uuid */
                runId: string;
                /** Format: uuid */
                botId: string;
                /** Format: uuid */
                conversationId: string;
                /** Format: uuid */
                routineId: string | null;
                /** @enum {string} */
                state: "completed" | "failed" | "cancelled";
                trigger: components["schemas"]["RunTrigger"];
                steps: number;
                /** @description Micro-cents: 1,000,000 are one cent. */
                spendMicroCents: number;
                taint: boolean;
                /** Format: date-time */
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
            /** @description Asks for the next page; null on the last one. */
            nextCursor: string | null;
        };
        /** @description The bot said something. Told to the conversation's person alone. */
        RunMessageEvent: {
            /** @description The `id` to go on after: numbers from 1. */
            id: number;
            /** @constant */
            event: "message";
            data: components["schemas"]["Message"];
        };
        /**
         * @description `queued` (perhaps behind another run of its conversation), `running`, `waiting_approval` (a person has to answer), `blocked` (the bot stopped rather than improvise), `paused_limit` (a usage limit is reached; it goes on with the next cycle), and the three ends `completed`, `failed` and `cancelled`.
         * @enum {string}
         */
        RunState: "queued" | "running" | "waiting_approval" | "blocked" | "paused_limit" | "completed" | "failed" | "cancelled";
        /** @description It came into another state: the run as it was then. */
        RunStateEvent: {
            /** @description The `id` to go on after: numbers from 1. */
            id: number;
            /** @constant */
            event: "state";
            data: components["schemas"]["Run"];
        };
        /** @description Its executor took a step. */
        RunStepEvent: {
            /** @description The `id` to go on after: numbers from 1. */
            id: number;
            /** @constant */
            event: "step";
            data: components["schemas"]["Step"];
        };
        /**
         * @description What started the run; this API's are `api`.
         * @enum {string}
         */
        RunTrigger: "api" | "message" | "routine" | "webhook";
        /**
         * @description Something that an executor did for a run, and what it cost.
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
            /** Format: uuid */
            runId: string;
            /** @description From 1, in the order in which they were taken. */
            number: number;
            /** @description What the executor calls it, as `recall` or `answer`. */
            kind: string;
            inputTokens: number;
            outputTokens: number;
            /** @description Micro-cents: 1,000,000 are one cent. */
            spendMicroCents: number;
            /** Format: date-time */
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
            /** @description Asks for the next page; null on the last one. */
            nextCursor: string | null;
        };
        /**
         * @description Whom the claim is about. Of a third party, who is no member, some kinds may not be held at all.
         * @enum {string}
         */
        SubjectKind: "organisation" | "member" | "third_party";
        /**
         * @description See the document's webhooks.
         * @enum {string}
         */
        SubscribableEvent: "run.finished" | "approval.needed";
        /** @description A limit, and how much of it is used. */
        Use: {
            /** @description null where there is none. */
            limit: number | null;
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
         *       "state": "active",
         *       "consecutiveFailures": 0,
         *       "disabledReason": null,
         *       "disabledAt": null,
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "lastDeliveryAt": null
         *     }
         */
        Webhook: {
            /** Format: uuid */
            id: string;
            url: string;
            description: string | null;
            events: components["schemas"]["SubscribableEvent"][];
            state: components["schemas"]["WebhookState"];
            /** @description Ten in a row disable it; a delivery that arrives clears them. */
            consecutiveFailures: number;
            disabledReason: ("consecutive_failures" | "gone" | "operator") | null;
            /** Format: date-time */
            disabledAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last answered with a 2xx.
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
         *           "state": "active",
         *           "consecutiveFailures": 0,
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
            /** @description Asks for the next page; null on the last one. */
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
         *       "state": "active",
         *       "consecutiveFailures": 0,
         *       "disabledReason": null,
         *       "disabledAt": null,
         *       "createdAt": "2026-11-20T14:30:00.000Z",
         *       "lastDeliveryAt": null,
         *       "secret": "whsec_ExampleSecretExampleSecretExampleSecret1234="
         *     }
         */
        WebhookShownOnce: {
            /** Format: uuid */
            id: string;
            url: string;
            description: string | null;
            events: components["schemas"]["SubscribableEvent"][];
            state: components["schemas"]["WebhookState"];
            /** @description Ten in a row disable it; a delivery that arrives clears them. */
            consecutiveFailures: number;
            disabledReason: ("consecutive_failures" | "gone" | "operator") | null;
            /** Format: date-time */
            disabledAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last answered with a 2xx.
             */
            lastDeliveryAt: string | null;
            /** @description Signs every delivery. It is in this answer and in no other: keep it now. */
            secret: string;
        };
        /**
         * @description At a paused endpoint deliveries wait; at a disabled one they fail without an attempt.
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
         *             "scheme": 0
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
         *               "scheme": 0
         *             }
         *           }
         *         }
         *       ]
         *     }
         */
        WebhookStats: {
            /** Format: uuid */
            webhookId: string;
            /**
             * Format: date-time
             * @description The beginning of the first hour.
             */
            since: string;
            /**
             * Format: date-time
             * @description The end of the last hour.
             */
            until: string;
            totals: {
                deliveries: components["schemas"]["DeliveryStats"];
                attempts: components["schemas"]["AttemptStats"];
            };
            /** @description Oldest first; an hour in which nothing happened is there with zeros. */
            hours: {
                /**
                 * Format: date-time
                 * @description When it begins.
                 */
                hour: string;
                deliveries: components["schemas"]["DeliveryStats"];
                attempts: components["schemas"]["AttemptStats"];
            }[];
        };
        WebhookTest: {
            /**
             * Format: uuid
             * @description The event's own id, which no delivery carries.
             */
            id: string;
            /** @constant */
            event: "webhook.test";
            /** Format: date-time */
            createdAt: string;
            data: {
                /** Format: uuid */
                webhookId: string;
            };
            /** @description One for each endpoint it went to; `id` is the one in the posted body. Often none. */
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
             * @description The delivery's id. It stays the same at every attempt: know a repeat by it.
             */
            id: string;
            /** @constant */
            event: "webhook.test";
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            organisationId: string;
            data: {
                /** Format: uuid */
                webhookId: string;
            };
        };
        /** @description Why a request was refused. Decide by `code`; the message is a fixed sentence for people. */
        Refusal: {
            /**
             * @description `not_supported` answers a method that a path does not have, with the header Allow.
             * @enum {string}
             */
            code: "invalid_request" | "unauthenticated" | "payment_required" | "forbidden" | "not_found" | "not_supported" | "conflict" | "idempotency_in_progress" | "payload_too_large" | "idempotency_mismatch" | "quota_exceeded" | "rate_limited" | "internal" | "unavailable";
            message: string;
            /**
             * Format: uuid
             * @description The same as the header X-Request-Id.
             */
            requestId: string;
            /** @description With `invalid_request` alone: what failed, and never what was sent. The first 100 places. */
            details?: {
                /** @description As `body.name`, `query.limit` or `headers.idempotency-key`. */
                path: string;
                message: string;
            }[];
        };
    };
    responses: {
        /** @description `conflict`: The state of the row refuses the call. */
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
         * @description `conflict`: The state of the row refuses the call.
         *
         *     `idempotency_in_progress`: An earlier request with this Idempotency-Key is not answered yet.
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
        /** @description `forbidden`: The credential is accepted, but its person may not do this. */
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
        /** @description `idempotency_in_progress`: An earlier request with this Idempotency-Key is not answered yet. */
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
        /** @description `idempotency_mismatch`: This Idempotency-Key was used with another request. */
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
        /** @description `internal`: Something went wrong on our side. */
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
        /** @description `invalid_request`: The request does not match the contract; details name the failing paths. */
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
        /** @description `not_found`: There is nothing here that the caller may read. */
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
        /** @description `payload_too_large`: The body is larger than 64 KB, of a batch 1 MB; or the answer would not fit in the batch's. */
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
        /** @description `payment_required`: The organisation needs a trial or a payment before this can be written. */
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
         * @description `rate_limited`: Too many requests; try again after the time that Retry-After gives.
         *
         *     `quota_exceeded`: A limit of the product is reached.
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
        /** @description `rate_limited`: Too many requests; try again after the time that Retry-After gives. */
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
        /** @description `unauthenticated`: No credential that this route accepts was given. */
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
        /** @description `unavailable`: The service can't answer right now; try again. */
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
         * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
         * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
         */
        IdempotencyKey: string;
        /**
         * @description The `id` of the last event that was read: the stream goes on after it. Left out: from the first.
         * @example 2
         */
        LastEventId: number;
    };
    requestBodies: never;
    headers: {
        /** @description Names the request in our log. A replay of an idempotent response carries the id of the request that was first answered. */
        RequestId: string;
        /**
         * @description The buckets that the request counted in: `q` requests in `w` seconds. (IETF draft, RateLimit fields.)
         * @example "key";q=300;w=60, "organisation";q=1000;w=60
         */
        RateLimitPolicy: string;
        /**
         * @description What is left in each bucket, `r`, and for how many seconds, `t`.
         * @example "key";r=299;t=42, "organisation";r=997;t=42
         */
        RateLimit: string;
        /** @description Seconds to wait. With `rate_limited` alone. */
        RetryAfter: 60;
        /**
         * @description Why, in one fixed word, where the code alone does not say it: `x-botstead-reasons` of an operation lists its reasons. Words may be added.
         * @example member_exists
         */
        Reason: "billing_inactive" | "bought_seats_taken" | "organisation_suspended" | "personal_organisation" | "role_above_own" | "member_above_own" | "own_membership" | "last_owner" | "member_memory" | "kind_restricted" | "not_bot_owner" | "not_own_conversation" | "not_creator" | "member_exists" | "invitation_open" | "invitation_accepted" | "invitation_revoked" | "key_revoked" | "key_rotated" | "key_expired" | "run_not_blocked" | "endpoint_disabled" | "endpoint_not_active" | "delivery_not_failed" | "delivery_reused" | "hook_paused" | "batch_undone" | "limit_keys" | "limit_webhooks" | "limit_open_invitations" | "limit_seats" | "limit_invitations_per_hour" | "limit_invitations_to_address" | "limit_run_starts" | "limit_webhook_starts" | "limit_routines" | "limit_hooks";
        /** @description Where the row that was made is to be read. */
        Location: string;
        /** @description `true` when this is the stored response of an earlier request with the same Idempotency-Key. */
        IdempotentReplayed: "true";
        /** @description The scheme of the credential that is missing. */
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
            /** @description Done. */
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
                     *         "usable": true
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
            /** @description Done. */
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
            header?: never;
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
                    name?: string;
                    language?: components["schemas"]["Language"];
                };
            };
        };
        responses: {
            /** @description Done. */
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
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_keys: {
        parameters: {
            query?: {
                /** @description How many rows a page holds at most. A page ends before that at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It belongs to this list and orders it, nothing else. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                     *           "usable": true
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
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
                    name: string;
                    /** @default read */
                    scope?: components["schemas"]["KeyScope"];
                    /** @default 90 */
                    expiresInDays?: number;
                };
            };
        };
        responses: {
            /** @description Made. */
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000004
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000004",
                     *       "name": "CI",
                     *       "prefix": "bsk_ExampleK",
                     *       "scope": "write",
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "expiresAt": "2027-02-18T14:30:00.000Z",
                     *       "lastUsedAt": null,
                     *       "revokedAt": null,
                     *       "usable": true
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000004
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000004",
                     *       "name": "CI",
                     *       "prefix": "bsk_ExampleK",
                     *       "scope": "write",
                     *       "createdBy": "019aa0e4-5b00-7a00-8000-000000000002",
                     *       "createdAt": "2026-11-20T14:30:00.000Z",
                     *       "expiresAt": "2027-02-18T14:30:00.000Z",
                     *       "lastUsedAt": null,
                     *       "revokedAt": null,
                     *       "usable": true
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
    rotate_key: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
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
                     * @description How long both work; the old key never outlives its own expiry.
                     * @default 24
                     */
                    overlapHours?: number;
                };
            };
        };
        responses: {
            /** @description Made. */
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
            /** @description Done. */
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
                /** @description How many rows a page holds at most. A page ends before that at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It belongs to this list and orders it, nothing else. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
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
                    name: string;
                    /** @default  */
                    instructions?: string;
                    /**
                     * @description One that `GET /models` lists.
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
            /** @description Made. */
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000005
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000005
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
            header?: never;
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
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
                    name?: string;
                    instructions?: string;
                    /** @description One that `GET /models` lists. */
                    model?: string;
                    visibility?: components["schemas"]["BotVisibility"];
                    directConversation?: components["schemas"]["DirectConversation"];
                };
            };
        };
        responses: {
            /** @description Done. */
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
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_memories: {
        parameters: {
            query?: {
                /** @description How many rows a page holds at most. A page ends before that at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It belongs to this list and orders it, nothing else. */
                cursor?: string;
                /** @description Words to look for, in any order, in the organisation's language. The more of them a claim has, the rarer they are and the surer it is, the earlier it comes. A word that no claim has is taken for a slip of the pen. */
                q?: string;
                /** @description Only claims of this kind, spelled just so. */
                kind?: string;
                /** @description Only claims about this subject, however it is spelled: case, spaces and hyphens are the same. */
                subject?: string;
                /** @description Only claims about such a subject. */
                subjectKind?: components["schemas"]["SubjectKind"];
                /** @description Only claims that came this way. */
                provenance?: components["schemas"]["Provenance"];
                /** @description Only claims of the organisation, of bots, or of the key's person. */
                scope?: "organisation" | "bot" | "member";
                /** @description Only claims of this bot. */
                botId?: string;
                /** @description `true` leaves out claims past their `validTo`. */
                current?: boolean;
                /** @description Claims as they were held at this instant, changed and deleted since or not; `current` is then about this instant too. Not together with `q`. What was erased was never held. */
                asOf?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
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
                    /** @enum {string} */
                    scope: "organisation" | "bot";
                    /** Format: uuid */
                    botId?: string | null;
                    kind: string;
                    subject: string;
                    /** @default organisation */
                    subjectKind?: components["schemas"]["SubjectKind"];
                    value: string;
                    /** @default 1 */
                    confidence?: number;
                    /** Format: date-time */
                    validTo?: string | null;
                    /** @default legitimate_interests */
                    lawfulBasis?: components["schemas"]["LawfulBasis"];
                };
            };
        };
        responses: {
            /** @description Made. */
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000006
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000006
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
            header?: never;
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
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
                    value?: string;
                    confidence?: number;
                    /** Format: date-time */
                    validTo?: string | null;
                    lawfulBasis?: components["schemas"]["LawfulBasis"];
                };
            };
        };
        responses: {
            /** @description Done. */
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
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_memory_history: {
        parameters: {
            query?: {
                /** @description How many rows a page holds at most. A page ends before that at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It belongs to this list and orders it, nothing else. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000006
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
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
                    subject: string;
                };
            };
        };
        responses: {
            /** @description Done. */
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
                /** @description How many rows a page holds at most. A page ends before that at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It belongs to this list and orders it, nothing else. */
                cursor?: string;
                /** @description Only runs of this bot. */
                botId?: string;
                /** @description Only runs in this state. */
                state?: components["schemas"]["RunState"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
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
                    /** Format: uuid */
                    botId: string;
                    message: string;
                    /**
                     * @description Set it when the words come from people outside: the run is tainted and may do less.
                     * @default false
                     */
                    untrusted?: boolean;
                };
            };
        };
        responses: {
            /** @description Accepted: it is done shortly after. */
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
                /** @description Seconds to wait, at most. */
                wait?: number;
            };
            header?: never;
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000008
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000008
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
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
                    /** @description What the bot is to know before it goes on. */
                    message?: string;
                    /**
                     * @description Set it when the words come from people outside: the run is tainted from here on.
                     * @default false
                     */
                    untrusted?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
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
                /** @description How many rows a page holds at most. A page ends before that at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It belongs to this list and orders it, nothing else. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000008
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                /** @description How many rows a page holds at most. A page ends before that at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It belongs to this list and orders it, nothing else. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000008
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description The `id` of the last event that was read: the stream goes on after it. Left out: from the first.
                 * @example 2
                 */
                "Last-Event-ID"?: components["parameters"]["LastEventId"];
            };
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000008
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                /** @description How many rows a page holds at most. A page ends before that at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It belongs to this list and orders it, nothing else. */
                cursor?: string;
                /** @description Only cards of this run. */
                runId?: string;
                /** @description Only cards in this state. */
                state?: components["schemas"]["ApprovalState"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                     *           "answeredAt": null
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                     *       "answeredAt": null
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
    list_routines: {
        parameters: {
            query?: {
                /** @description How many rows a page holds at most. A page ends before that at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It belongs to this list and orders it, nothing else. */
                cursor?: string;
                /** @description Only routines of this bot. */
                botId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
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
                    /** Format: uuid */
                    botId: string;
                    name: string;
                    /** @description Five fields of cron: minute, hour, day of the month, month, day of the week. Each `*`, a number, a range, a list of them or a step (`*\/15`, `9-17/2`); months and weekdays by number or name (`MON-FRI`), Sunday being 0 or 7. With both days named, either suffices. Where hours are named, a time that clocks skip in spring comes when they are set, and one that they show twice in autumn comes once; `*` and `*\/2` of hours go by the time that passes. */
                    schedule: string;
                    /**
                     * @description Of the IANA database, as `Europe/Berlin`.
                     * @default UTC
                     */
                    timeZone?: string;
                    message: string;
                };
            };
        };
        responses: {
            /** @description Made. */
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000013
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000013
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
            header?: never;
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
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
                    name?: string;
                    /** @description Five fields of cron: minute, hour, day of the month, month, day of the week. Each `*`, a number, a range, a list of them or a step (`*\/15`, `9-17/2`); months and weekdays by number or name (`MON-FRI`), Sunday being 0 or 7. With both days named, either suffices. Where hours are named, a time that clocks skip in spring comes when they are set, and one that they show twice in autumn comes once; `*` and `*\/2` of hours go by the time that passes. */
                    schedule?: string;
                    /** @description Of the IANA database, as `Europe/Berlin`. */
                    timeZone?: string;
                    message?: string;
                    /** @enum {string} */
                    state?: "active" | "paused";
                };
            };
        };
        responses: {
            /** @description Done. */
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
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_hooks: {
        parameters: {
            query?: {
                /** @description How many rows a page holds at most. A page ends before that at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It belongs to this list and orders it, nothing else. */
                cursor?: string;
                /** @description Only hooks of this bot. */
                botId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
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
                    /** Format: uuid */
                    botId: string;
                    name: string;
                };
            };
        };
        responses: {
            /** @description Made. */
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
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000014",
                     *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "name": "Alerts of the crane",
                     *       "path": "/api/v1/hooks/019aa0e4-5b00-7a00-8000-000000000014/receive",
                     *       "state": "active",
                     *       "pauseReason": null,
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000014
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000014",
                     *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "name": "Alerts of the crane",
                     *       "path": "/api/v1/hooks/019aa0e4-5b00-7a00-8000-000000000014/receive",
                     *       "state": "active",
                     *       "pauseReason": null,
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000014
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
            header?: never;
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
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
                 *       "state": "paused"
                 *     }
                 */
                "application/json": {
                    name?: string;
                    /** @enum {string} */
                    state?: "active" | "paused";
                };
            };
        };
        responses: {
            /** @description Done. */
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
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000014",
                     *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "name": "Alerts of the crane",
                     *       "path": "/api/v1/hooks/019aa0e4-5b00-7a00-8000-000000000014/receive",
                     *       "state": "active",
                     *       "pauseReason": null,
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000014
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                     *       "id": "019aa0e4-5b00-7a00-8000-000000000014",
                     *       "botId": "019aa0e4-5b00-7a00-8000-000000000005",
                     *       "name": "Alerts of the crane",
                     *       "path": "/api/v1/hooks/019aa0e4-5b00-7a00-8000-000000000014/receive",
                     *       "state": "active",
                     *       "pauseReason": null,
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
                /** @description How many rows a page holds at most. A page ends before that at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It belongs to this list and orders it, nothing else. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                     *           "state": "active",
                     *           "consecutiveFailures": 0,
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
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
                     * @description An https address that the world can reach: a public host name with a dot or a public address. No user name, fragment, backslash or port 0.
                     */
                    url: string;
                    description?: string | null;
                    events: components["schemas"]["SubscribableEvent"][];
                };
            };
        };
        responses: {
            /** @description Made. */
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
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000a",
                     *       "url": "https://hooks.harbour.example/botstead",
                     *       "description": "Tells the duty room",
                     *       "events": [
                     *         "run.finished"
                     *       ],
                     *       "state": "active",
                     *       "consecutiveFailures": 0,
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000a",
                     *       "url": "https://hooks.harbour.example/botstead",
                     *       "description": "Tells the duty room",
                     *       "events": [
                     *         "run.finished"
                     *       ],
                     *       "state": "active",
                     *       "consecutiveFailures": 0,
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
            header?: never;
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
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
                 *       "state": "paused"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: uri
                     * @description An https address that the world can reach: a public host name with a dot or a public address. No user name, fragment, backslash or port 0.
                     */
                    url?: string;
                    description?: string | null;
                    events?: components["schemas"]["SubscribableEvent"][];
                    /** @enum {string} */
                    state?: "active" | "paused";
                };
            };
        };
        responses: {
            /** @description Done. */
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
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000a",
                     *       "url": "https://hooks.harbour.example/botstead",
                     *       "description": "Tells the duty room",
                     *       "events": [
                     *         "run.finished"
                     *       ],
                     *       "state": "active",
                     *       "consecutiveFailures": 0,
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                     *       "id": "019aa0e4-5b00-7a00-8000-00000000000a",
                     *       "url": "https://hooks.harbour.example/botstead",
                     *       "description": "Tells the duty room",
                     *       "events": [
                     *         "run.finished"
                     *       ],
                     *       "state": "active",
                     *       "consecutiveFailures": 0,
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: it is done shortly after. */
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
                /** @description How many rows a page holds at most. A page ends before that at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It belongs to this list and orders it, nothing else. */
                cursor?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted: it is done shortly after. */
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
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
                     * @description From when on; no further back than deliveries are kept, and not in the future.
                     */
                    since: string;
                    /**
                     * Format: date-time
                     * @description Up to when, this instant left out. Up to now unless it is given.
                     */
                    until?: string;
                    include: components["schemas"]["RecoverWhat"];
                };
            };
        };
        responses: {
            /** @description Accepted: it is done shortly after. */
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
                /** @description In the first hour. */
                since?: string;
                /** @description In the last hour, or at its end. Now unless it is given. */
                until?: string;
            };
            header?: never;
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000a
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                     *             "scheme": 0
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
                     *               "scheme": 0
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
                /** @description The `nextCursor` of an earlier answer. Left out: from the oldest event that is kept. */
                after?: string;
                /** @description How many rows a page holds at most. A page ends before that at 1 MB. */
                limit?: number;
                /** @description Events of this kind alone. A page may be short, or empty, and have more after it. */
                event?: components["schemas"]["EventKind"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                     *       "nextCursor": "d41f6b2a0000000000002f1c019aa0e45b007a008000000000000010",
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
                /** @description How many rows a page holds at most. A page ends before that at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It belongs to this list and orders it, nothing else. */
                cursor?: string;
                /** @description Of what asked so. */
                actor?: components["schemas"]["AuditActor"];
                /** @description Of what was done. */
                action?: components["schemas"]["AuditAction"];
                /** @description Of what it was done to. */
                resource?: components["schemas"]["AuditResource"];
                /** @description Of this row. */
                resourceId?: string;
                /** @description Of this person's keys, invitations and approvals. */
                userId?: string;
                /** @description By this credential. */
                keyId?: string;
                /** @description Of one request. */
                requestId?: string;
                /** @description From this instant on. */
                since?: string;
                /** @description Before this instant. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
    list_members: {
        parameters: {
            query?: {
                /** @description How many rows a page holds at most. A page ends before that at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It belongs to this list and orders it, nothing else. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000003
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000003
                 */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
            header?: never;
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
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
            /** @description Done. */
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
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_invitations: {
        parameters: {
            query?: {
                /** @description How many rows a page holds at most. A page ends before that at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It belongs to this list and orders it, nothing else. */
                cursor?: string;
                /** @description Which invitations; open ones live and wait for their answer. */
                status?: "open" | "accepted" | "revoked" | "expired" | "all";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
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
                    /** Format: email */
                    email: string;
                    /**
                     * @default member
                     * @enum {string}
                     */
                    role?: "admin" | "member";
                };
            };
        };
        responses: {
            /** @description Made. */
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000c
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000c
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000c
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
    batch: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
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
                 *           "id": "claims",
                 *           "method": "GET",
                 *           "path": "/memories?limit=10"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The first refusal undoes all; the others answer 409.
                     * @default false
                     */
                    atomic?: boolean;
                    operations: components["schemas"]["BatchOperation"][];
                };
            };
        };
        responses: {
            /** @description Done. */
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
                     *           "id": "claims",
                     *           "status": 200,
                     *           "reason": null,
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
                /** @description How many rows a page holds at most. A page ends before that at 1 MB. */
                limit?: number;
                /** @description The `nextCursor` of the page before. It belongs to this list and orders it, nothing else. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    "application/json": components["schemas"]["FoundedOrganisationList"];
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
            query?: never;
            header: {
                /**
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
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
                    name: string;
                    /** @default team */
                    kind?: components["schemas"]["OrganisationKind"];
                    owner: {
                        /** Format: email */
                        email: string;
                        displayName?: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Made. */
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
                    "application/json": components["schemas"]["FoundedOrganisation"];
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
                 * @description Anything but the id of a row that the caller may read is `not_found`.
                 * @example 019aa0e4-5b00-7a00-8000-000000000001
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
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
                    "application/json": components["schemas"]["FoundedOrganisation"];
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
                 * @description A name of your own for this request, as a UUID. The same key with the same request is answered the same for 24 hours and done once, so a request whose answer was lost can be sent again.
                 * @example 5e0f1f0e-6b1a-4d0c-9f2b-0d8f1c3a7e55
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description Anything but the id of a row that the caller may read is `not_found`.
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
                    /** @default Owner key */
                    name?: string;
                    /** @default 90 */
                    expiresInDays?: number;
                };
            };
        };
        responses: {
            /** @description Made. */
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
                /** @description When it was signed, in unix seconds. */
                "X-Botstead-Timestamp"?: string;
                /** @description The sender's own name for what it sends, the same when it is sent again. */
                "X-Botstead-Delivery"?: string;
            };
            path: {
                /**
                 * @description The hook's id. Whatever else is here is `unauthenticated`.
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
            /** @description Taken: the run is started, or was when this was sent before. */
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
                /** @description The ETag of the document you have. */
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
                    /** @description Of this very document. */
                    ETag: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    /** @description An hour, for anybody. */
                    "Cache-Control": "public, max-age=3600";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                        info: {
                            title: string;
                            version: string;
                        } & {
                            [key: string]: unknown;
                        };
                        paths: Record<string, never>;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description You have it already. */
            304: {
                headers: {
                    /** @description Of this very document. */
                    ETag: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    /** @description An hour, for anybody. */
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
                /** @description What happened; the same as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description The delivery's id; the same as `id` in the body, and at every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description When this attempt was signed, in unix seconds. Refuse what is more than 300 seconds from your clock.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 in lower-case hex over `v1:<timestamp>:<raw body>`, its key the whole signing secret as text, `whsec_` included. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description The delivery's id once more, under the name that [Standard Webhooks](https://www.standardwebhooks.com) gives it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same time once more, for Standard Webhooks.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and in base64 the HMAC-SHA-256 over `<id>.<timestamp>.<raw body>`, its key what the base64 after `whsec_` stands for. A library of Standard Webhooks verifies it, given the signing secret as it was shown. Verify one of the two.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A=
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
            /** @description The receiver wants no more: the endpoint is disabled at once, and what waited for it has failed. To a `webhook.test` it is a status like any other 4XX. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It arrived. Answer within 10 seconds; what the body holds is not kept. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It did not arrive, as with any status but a 2xx: it is sent again after 60 seconds, 5 minutes, 30 minutes and 2 hours, five times in all. `Retry-After`, in seconds or as a date, makes that wait longer, up to an hour, and never shorter. */
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
                /** @description What happened; the same as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description The delivery's id; the same as `id` in the body, and at every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description When this attempt was signed, in unix seconds. Refuse what is more than 300 seconds from your clock.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 in lower-case hex over `v1:<timestamp>:<raw body>`, its key the whole signing secret as text, `whsec_` included. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description The delivery's id once more, under the name that [Standard Webhooks](https://www.standardwebhooks.com) gives it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same time once more, for Standard Webhooks.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and in base64 the HMAC-SHA-256 over `<id>.<timestamp>.<raw body>`, its key what the base64 after `whsec_` stands for. A library of Standard Webhooks verifies it, given the signing secret as it was shown. Verify one of the two.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A=
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
            /** @description The receiver wants no more: the endpoint is disabled at once, and what waited for it has failed. To a `webhook.test` it is a status like any other 4XX. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It arrived. Answer within 10 seconds; what the body holds is not kept. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It did not arrive, as with any status but a 2xx: it is sent again after 60 seconds, 5 minutes, 30 minutes and 2 hours, five times in all. `Retry-After`, in seconds or as a date, makes that wait longer, up to an hour, and never shorter. */
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
                /** @description What happened; the same as `event` in the body. */
                "X-Botstead-Event": string;
                /**
                 * @description The delivery's id; the same as `id` in the body, and at every attempt.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "X-Botstead-Delivery": string;
                /**
                 * @description When this attempt was signed, in unix seconds. Refuse what is more than 300 seconds from your clock.
                 * @example 1795185600
                 */
                "X-Botstead-Timestamp": string;
                /**
                 * @description HMAC-SHA-256 in lower-case hex over `v1:<timestamp>:<raw body>`, its key the whole signing secret as text, `whsec_` included. Compare in constant time.
                 * @example 5f1d0c2b7a9e4c3d8b6f5a1e0d9c8b7a6f5e4d3c2b1a09182736455463728190
                 */
                "X-Botstead-Signature": string;
                /**
                 * @description The delivery's id once more, under the name that [Standard Webhooks](https://www.standardwebhooks.com) gives it.
                 * @example 019aa0e4-5b00-7a00-8000-00000000000b
                 */
                "Webhook-Id": string;
                /**
                 * @description The same time once more, for Standard Webhooks.
                 * @example 1795185600
                 */
                "Webhook-Timestamp": string;
                /**
                 * @description `v1,` and in base64 the HMAC-SHA-256 over `<id>.<timestamp>.<raw body>`, its key what the base64 after `whsec_` stands for. A library of Standard Webhooks verifies it, given the signing secret as it was shown. Verify one of the two.
                 * @example v1,pZJr0cMdmSgwxVB2FsrYQU1lZoSTnyZGGqtoQxYkN6A=
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
            /** @description The receiver wants no more: the endpoint is disabled at once, and what waited for it has failed. To a `webhook.test` it is a status like any other 4XX. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It arrived. Answer within 10 seconds; what the body holds is not kept. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description It did not arrive, as with any status but a 2xx: it is sent again after 60 seconds, 5 minutes, 30 minutes and 2 hours, five times in all. `Retry-After`, in seconds or as a date, makes that wait longer, up to an hour, and never shorter. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
