"""The operations of the API as methods."""

# Written by "npm run client:check -- --update" from docs/openapi.json. Not to be changed by hand.
# fmt: off
from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, cast

from ._calls import Calls
from ._listing import Listing
from .types import (
    Approval,
    ApprovalList,
    ApprovalState,
    AuditAction,
    AuditActor,
    AuditEntry,
    AuditEntryList,
    AuditProof,
    AuditResource,
    Batch,
    BatchResults,
    Bot,
    BotChanges,
    BotList,
    CreatedOrganisation,
    CreatedOrganisationList,
    Deleted,
    Delivery,
    DeliveryInFull,
    DeliveryList,
    DeliveryState,
    Erasure,
    Event,
    EventFeed,
    EventKind,
    Hook,
    HookChanges,
    HookList,
    HookShownOnce,
    Invitation,
    InvitationList,
    Key,
    KeyChanges,
    KeyList,
    KeyRotation,
    KeyShownOnce,
    KeyState,
    KeyUsage,
    ListedMemory,
    Me,
    Member,
    MemberChanges,
    MemberList,
    Memory,
    MemoryChange,
    MemoryChangeList,
    MemoryChanges,
    MemoryList,
    Message,
    MessageList,
    Model,
    ModelList,
    NewBot,
    NewHook,
    NewInvitation,
    NewKey,
    NewMemory,
    NewOrganisation,
    NewOwnerKey,
    NewPortalSession,
    NewRoutine,
    NewRun,
    NewWebhook,
    OrganisationChanges,
    OwnOrganisation,
    PortalSession,
    PortalSessionList,
    PortalSessionShownOnce,
    Provenance,
    Recovery,
    RecoveryRequest,
    ResumedRun,
    Routine,
    RoutineChanges,
    RoutineList,
    Run,
    RunEvent,
    RunList,
    RunState,
    RunTrigger,
    Step,
    StepList,
    Subject,
    SubjectKind,
    Webhook,
    WebhookChanges,
    WebhookList,
    WebhookShownOnce,
    WebhookStats,
)


class Operations(Calls):
    """One method for each operation that takes a key. Each also takes a time-out and a number of retries."""

    def get_me(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Me:
        """
        Retrieve caller and limits.

        Returns the key, its person and role, and the organisation's limits with their use. Works with every scope.

        Requires a key of scope `read` or wider.
        """
        return cast(Me, self._call("GET", "/me",
            timeout=timeout,
            max_retries=max_retries,
        ))

    def get_own_organisation(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> OwnOrganisation:
        """
        Retrieve organisation.

        Returns the organisation of the key with its seats and its spending in the current calendar month (UTC).
        Members and open invitations use seats. Spending is in micro-cents: 1,000,000 micro-cents are one cent.

        Requires a key of scope `read` or wider.
        """
        return cast(OwnOrganisation, self._call("GET", "/organisation",
            timeout=timeout,
            max_retries=max_retries,
        ))

    def rename_organisation(
        self,
        body: OrganisationChanges,
        *,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> OwnOrganisation:
        """
        Update organisation.

        Changes the name or the language of the organisation. After a change of `language` a worker rebuilds the
        search vectors of all memories. This takes seconds for tens of thousands of memories; until then search can
        miss memories.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `conflict`, `revision_changed`: The resource is not at a revision that `If-Match` names. Read it again.
        """
        return cast(OwnOrganisation, self._call("PATCH", "/organisation",
            body=body,
            if_match=if_match,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def list_keys(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: KeyState | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[Key, KeyList]:
        """
        List keys.

        Lists all keys of the organisation, including revoked and expired ones. Keys themselves are not returned.

        Requires a key of scope `admin`.
        """
        return self._list("/keys",
            query={
                "limit": limit,
                "cursor": cursor,
                "state": state,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def create_key(
        self,
        body: NewKey,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> KeyShownOnce:
        """
        Create key.

        Creates a key and returns it once. The new key is bound to the person of the calling key. The service stores
        only a digest, so a lost key has to be replaced. Revoked and expired keys do not count in the limit.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `quota_exceeded`, `limit_keys`: The organisation has reached its limit of live keys (`liveKeys`, 20 by
        default).
        """
        return cast(KeyShownOnce, self._call("POST", "/keys",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def get_key(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Key:
        """
        Retrieve key.

        Returns the name, scope, expiry and restrictions of a key, without the key itself.

        Requires a key of scope `admin`.
        """
        return cast(Key, self._call("GET", "/keys/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def update_key(
        self,
        id: str,
        body: KeyChanges,
        *,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Key:
        """
        Update key.

        Changes the name and the restrictions of a key. Requires at least one field. Scope and expiry stay as they
        are.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `conflict`, `revision_changed`: The resource is not at a revision that `If-Match` names. Read it again.
        """
        return cast(Key, self._call("PATCH", "/keys/{id}",
            path={
                "id": id,
            },
            body=body,
            if_match=if_match,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def revoke_key(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Key:
        """
        Revoke key.

        Ends a key: it stops working at once. Revoking a revoked key changes nothing and returns the first
        `revokedAt`.

        Requires a key of scope `admin`.
        """
        return cast(Key, self._call("DELETE", "/keys/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def get_key_usage(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> KeyUsage:
        """
        Retrieve key usage.

        Counts requests with the key per day, for the last 90 days. Each process of the service adds its counts
        every 10 seconds. A process that is killed loses the counts since.

        Requires a key of scope `admin`.
        """
        return cast(KeyUsage, self._call("GET", "/keys/{id}/usage",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def rotate_key(
        self,
        id: str,
        body: KeyRotation | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> KeyShownOnce:
        """
        Rotate key.

        Creates a key with the name, scope, lifetime and restrictions of the old one. The old key ends after
        `overlapHours`. Until then both keys work, and both count in the limit.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `conflict`, `key_revoked`: The key is revoked.
        - `conflict`, `key_rotated`: The key was already rotated.
        - `conflict`, `key_expired`: The key has expired.
        - `quota_exceeded`, `limit_keys`: The organisation has reached its limit of live keys (`liveKeys`, 20 by
        default).
        """
        return cast(KeyShownOnce, self._call("POST", "/keys/{id}/rotate",
            path={
                "id": id,
            },
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def list_models(
        self,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[Model, ModelList]:
        """
        List models.

        Lists the models that a bot can have: the built-in `recall`, and models that an executor served within the
        last day and whose price no operator has withdrawn. Runs of a bot with a withdrawn model fail with
        `refused`.

        Requires a key of scope `read` or wider.
        """
        return self._list("/models",
            timeout=timeout,
            max_retries=max_retries,
        )

    def list_bots(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        deleted: Literal["true", "false"] | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[Bot, BotList]:
        """
        List bots.

        Lists team bots and the personal bots of the key's person.

        Requires a key of scope `read` or wider.
        """
        return self._list("/bots",
            query={
                "limit": limit,
                "cursor": cursor,
                "deleted": deleted,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def create_bot(
        self,
        body: NewBot,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Bot:
        """
        Create bot.

        Creates a bot that the key's person owns. Start a run of the bot with `POST /runs`. Returns
        `invalid_request` if `GET /models` does not list the model.

        Requires a key of scope `write` or wider.
        """
        return cast(Bot, self._call("POST", "/bots",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def get_bot(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Bot:
        """
        Retrieve bot.

        Returns the bot with its instructions and its model. Returns `not_found` for a personal bot of another
        person.

        Requires a key of scope `read` or wider.
        """
        return cast(Bot, self._call("GET", "/bots/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def update_bot(
        self,
        id: str,
        body: BotChanges,
        *,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Bot:
        """
        Update bot.

        Changes the name, instructions, model or visibility of a bot. Requires at least one field. Returns
        `invalid_request` if `GET /models` does not list the new model.

        Requires a key of scope `write` or wider.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `not_bot_owner`: Only the owner of the bot can change its visibility.
        - `forbidden`, `not_own_bot`: A person with role `member` can change and delete only their own bots.
        - `conflict`, `revision_changed`: The resource is not at a revision that `If-Match` names. Read it again.
        """
        return cast(Bot, self._call("PATCH", "/bots/{id}",
            path={
                "id": id,
            },
            body=body,
            if_match=if_match,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def delete_bot(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """
        Delete bot.

        Deletes the bot and its memories. Cancels its runs that have not ended, and keeps its runs readable.

        Requires a key of scope `write` or wider.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `not_own_bot`: A person with role `member` can change and delete only their own bots.
        """
        return cast(Deleted, self._call("DELETE", "/bots/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def list_memories(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        q: str | None = None,
        kind: str | None = None,
        subject: str | None = None,
        subject_kind: SubjectKind | None = None,
        provenance: Provenance | None = None,
        scope: Literal["organisation", "bot", "member"] | None = None,
        bot_id: str | None = None,
        current: bool | None = None,
        as_of: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[ListedMemory, MemoryList]:
        """
        List or search memories.

        Lists the memories that the key's person can read: those of the organisation, of bots visible to the person,
        and of the person. Memories past their `validTo` are included, though bots no longer use them.

        With `q`, lists matching memories, best first, each with a `highlight`. Pages follow the rank and are not
        affected by concurrent writes. With `asOf`, lists memories as they were at that time.

        Requires a key of scope `read` or wider.
        """
        return self._list("/memories",
            query={
                "limit": limit,
                "cursor": cursor,
                "q": q,
                "kind": kind,
                "subject": subject,
                "subjectKind": subject_kind,
                "provenance": provenance,
                "scope": scope,
                "botId": bot_id,
                "current": current,
                "asOf": as_of,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def create_memory(
        self,
        body: NewMemory,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Memory:
        """
        Create memory.

        Stores a memory of the key's person with provenance `member`. Returns `not_found` if the person cannot see
        the bot.

        Requires a key of scope `write` or wider.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `kind_restricted`: Memories of this kind must not be stored about third parties.
        """
        return cast(Memory, self._call("POST", "/memories",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def get_memory(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Memory:
        """
        Retrieve memory.

        Returns a memory with its lawful basis and its provenance. Returns `not_found` for a memory that the key's
        person cannot read.

        Requires a key of scope `read` or wider.
        """
        return cast(Memory, self._call("GET", "/memories/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def update_memory(
        self,
        id: str,
        body: MemoryChanges,
        *,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Memory:
        """
        Update memory.

        Changes the statement or other fields of a memory. Requires at least one field.

        Requires a key of scope `write` or wider.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `member_memory`: A memory of scope `member` cannot be changed through the API.
        - `forbidden`, `kind_restricted`: Memories of this kind must not be stored about third parties.
        - `conflict`, `revision_changed`: The resource is not at a revision that `If-Match` names. Read it again.
        """
        return cast(Memory, self._call("PATCH", "/memories/{id}",
            path={
                "id": id,
            },
            body=body,
            if_match=if_match,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def delete_memory(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """
        Delete memory.

        Deletes one memory. Bots stop using the memory at once.

        Requires a key of scope `write` or wider.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `member_memory`: A memory of scope `member` cannot be changed through the API.
        """
        return cast(Deleted, self._call("DELETE", "/memories/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def list_memory_history(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[MemoryChange, MemoryChangeList]:
        """
        List memory history.

        Returns one row per change, newest first: the values before the change, and the person who made it. Returns
        `not_found` for a deleted memory.

        Requires a key of scope `read` or wider.
        """
        return self._list("/memories/{id}/history",
            path={
                "id": id,
            },
            query={
                "limit": limit,
                "cursor": cursor,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def erase_memories(
        self,
        body: Subject,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Erasure:
        """
        Erase memories about subject.

        Erases all memories of the organisation about the subject, including memories that the key's person cannot
        read. Subjects are compared without case, spaces and hyphens. Also erases their history, proposals of runs
        about the subject, and stored idempotent responses that contain them: replaying such a request returns
        `not_found`. Answers of bots that cite an erased memory become empty and get `erasedAt`.

        Erasure cannot be undone. Repeating it erases nothing more. One call erases at most 1,000 memories; if more
        are stored, `complete` is false. Other texts are not searched: `notSearched` lists them.

        Requires a key of scope `admin`.
        """
        return cast(Erasure, self._call("POST", "/memories/erase",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def list_runs(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        bot_id: str | None = None,
        state: RunState | None = None,
        trigger: RunTrigger | None = None,
        since: str | None = None,
        until: str | None = None,
        include: Literal["message"] | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[Run, RunList]:
        """
        List runs.

        Lists runs of bots that the key's person can see: state, steps and cost. Messages are readable only to the
        person of the conversation.

        Requires a key of scope `read` or wider.
        """
        return self._list("/runs",
            query={
                "limit": limit,
                "cursor": cursor,
                "botId": bot_id,
                "state": state,
                "trigger": trigger,
                "since": since,
                "until": until,
                "include": include,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def start_run(
        self,
        body: NewRun,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Run:
        """
        Start run.

        Adds the message to the conversation of the key's person with the bot, and responds at once. The run may
        first wait for another run of the conversation. Follow it with `GET /runs/{id}` or with the webhook event
        `run.finished`. Then `GET /runs/{id}/messages` has the answer. A run can use 50 steps, 2 euros and 10
        minutes.

        Returns `not_found` if the person cannot see the bot or talk to it. Returns `unavailable` if no executor has
        served the model for one minute. A run with a withdrawn model is accepted and fails with `refused`.

        Requires a key of scope `write` or wider.

        Reasons (`X-Botstead-Reason`):

        - `payment_required`, `billing_inactive`: The organisation has no running trial and no payment.
        - `quota_exceeded`, `limit_run_starts`: The organisation has reached its limit of run starts per hour
        (`runStartsPerHour`, 120 by default).
        """
        return cast(Run, self._call("POST", "/runs",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def get_run(
        self,
        id: str,
        *,
        wait: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Run:
        """
        Retrieve run.

        Returns the state, the steps and the cost of a run. `error` states why a run failed. With `wait`, the
        response is sent when the run is neither `queued` nor `running`, or after that many seconds. Call again to
        wait longer. `GET /runs/{id}/messages` has the answer of the bot.

        Requires a key of scope `read` or wider.
        """
        return cast(Run, self._call("GET", "/runs/{id}",
            path={
                "id": id,
            },
            query={
                "wait": wait,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def cancel_run(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Run:
        """
        Cancel run.

        Stops a run. Cancelling a run that has ended changes nothing and sends no event.

        Requires a key of scope `write` or wider.
        """
        return cast(Run, self._call("POST", "/runs/{id}/cancel",
            path={
                "id": id,
            },
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def resume_run(
        self,
        id: str,
        body: ResumedRun | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Run:
        """
        Resume blocked run.

        Continues a blocked run. A run is `blocked` if the bot stopped without an answer; its last message states
        why. The run returns to the queue of its conversation and keeps its steps and its cost.

        Requires a key of scope `write` or wider.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `not_own_conversation`: Only the person of the conversation can resume its run.
        - `conflict`, `run_not_blocked`: The run is not blocked.
        """
        return cast(Run, self._call("POST", "/runs/{id}/resume",
            path={
                "id": id,
            },
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def list_run_messages(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[Message, MessageList]:
        """
        List run messages.

        Lists the messages of a run: the person's and the bot's. Returns `not_found` for anyone except the person of
        the conversation, even for an owner.

        Requires a key of scope `read` or wider.
        """
        return self._list("/runs/{id}/messages",
            path={
                "id": id,
            },
            query={
                "limit": limit,
                "cursor": cursor,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def list_run_steps(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[Step, StepList]:
        """
        List run steps.

        Lists what a run did, with tokens and cost. Steps are readable if the key's person can see the bot. Newest
        first. Steps are stored for 90 days from the start of the run by default; after that the list is empty, and
        `steps` and `spendMicroCents` of the run remain.

        Requires a key of scope `read` or wider.
        """
        return self._list("/runs/{id}/steps",
            path={
                "id": id,
            },
            query={
                "limit": limit,
                "cursor": cursor,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def watch_run(
        self,
        id: str,
        *,
        after: int | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Iterator[RunEvent]:
        """
        Stream run events.

        A stream of server-sent events. It starts with all past events of the run, continues with new ones, in order
        and each exactly once, and closes after `end`. A run that has ended sends `end` again, even after a later
        `Last-Event-ID`.

        The service also closes a stream after 4 to 5 minutes, or when it restarts. Connect again with the `id` of
        the last event as `Last-Event-ID`: the stream continues without loss or repetition. A comment every 15
        seconds keeps the connection open.

        The credential is a header, which EventSource in browsers cannot send: use `fetch`, `curl -N`, or `watch` of
        the client.

        A key can hold 100 open requests, streams and reads with `wait` together. An organisation can hold a tenth
        of the free places of a process, which has at most 10,000. Beyond that, returns `rate_limited`.

        Requires a key of scope `read` or wider.
        """
        return self._watch("/runs/{id}/events",
            path={
                "id": id,
            },
            after=after,
            timeout=timeout,
            max_retries=max_retries,
        )

    def list_approvals(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        run_id: str | None = None,
        state: ApprovalState | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[Approval, ApprovalList]:
        """
        List approvals.

        Lists approvals of runs in conversations of the key's person, in every state. An API key cannot answer an
        approval: the person answers on the page linked in the mail.

        Requires a key of scope `read` or wider.
        """
        return self._list("/approvals",
            query={
                "limit": limit,
                "cursor": cursor,
                "runId": run_id,
                "state": state,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def get_approval(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Approval:
        """
        Retrieve approval.

        Returns what a run asks or proposes, and the answer of the person. Returns `not_found` for an approval of
        another person, even for an owner. The webhook event `approval.needed` carries the id.

        Requires a key of scope `read` or wider.
        """
        return cast(Approval, self._call("GET", "/approvals/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def resend_approval(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Approval:
        """
        Mail approval link again.

        Mails the link again to the person who answers the approval, who is the key's person. Both links work until
        one is used. At most five mails a day.

        Requires a key of scope `write` or wider.

        Reasons (`X-Botstead-Reason`):

        - `conflict`, `approval_not_pending`: The approval is answered, expired or withdrawn.
        - `conflict`, `approval_mailed`: The link was mailed five times within a day.
        """
        return cast(Approval, self._call("POST", "/approvals/{id}/resend",
            path={
                "id": id,
            },
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def list_routines(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        bot_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[Routine, RoutineList]:
        """
        List routines.

        Lists routines of bots that the key's person can see, with their messages.

        Requires a key of scope `read` or wider.
        """
        return self._list("/routines",
            query={
                "limit": limit,
                "cursor": cursor,
                "botId": bot_id,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def create_routine(
        self,
        body: NewRoutine,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Routine:
        """
        Create routine.

        Creates a schedule that sends a message to a bot. At each firing the message is added to the conversation of
        the key's person with the bot, and starts a run with the trigger `routine`. Firings missed while no worker
        was running are replaced by one. A firing that `POST /runs` would refuse is skipped, and `lastSkipReason`
        states why. Runs of routines have a limit of their own (`routineStartsPerHour` in `GET /me`, 120 by
        default).

        Returns `not_found` if the person cannot see the bot or talk to it.

        Requires a key of scope `write` or wider.

        Reasons (`X-Botstead-Reason`):

        - `quota_exceeded`, `limit_routines`: The organisation has reached its limit of routines (`liveRoutines`, 50
        by default).
        """
        return cast(Routine, self._call("POST", "/routines",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def get_routine(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Routine:
        """
        Retrieve routine.

        Returns the routine with its next firing and its last run. `pauseReason` states why the service paused it.

        Requires a key of scope `read` or wider.
        """
        return cast(Routine, self._call("GET", "/routines/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def update_routine(
        self,
        id: str,
        body: RoutineChanges,
        *,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Routine:
        """
        Update, pause or resume routine.

        Changes, pauses or resumes a routine. Requires at least one field. Another person than the creator can only
        pause the routine. Firings missed while it was paused are dropped.

        Requires a key of scope `write` or wider.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `not_creator`: Only the creator can do this; others can pause and delete.
        - `conflict`, `revision_changed`: The resource is not at a revision that `If-Match` names. Read it again.
        """
        return cast(Routine, self._call("PATCH", "/routines/{id}",
            path={
                "id": id,
            },
            body=body,
            if_match=if_match,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def delete_routine(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """
        Delete routine.

        Deletes a routine. A run in progress continues. Runs of the routine are kept.

        Requires a key of scope `write` or wider.
        """
        return cast(Deleted, self._call("DELETE", "/routines/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def list_hooks(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        bot_id: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[Hook, HookList]:
        """
        List hooks.

        Lists hooks of bots that the key's person can see, without their signing secrets.

        Requires a key of scope `read` or wider.
        """
        return self._list("/hooks",
            query={
                "limit": limit,
                "cursor": cursor,
                "botId": bot_id,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def create_hook(
        self,
        body: NewHook,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> HookShownOnce:
        """
        Create hook.

        Creates an inbound webhook, by which another system starts runs. The system posts to its `path`, signed with
        the secret in this response. Each post becomes a message to the bot in the conversation of the key's person,
        and starts a tainted run with the trigger `webhook`: see `POST /hooks/{id}/receive`.

        Returns `not_found` if the person cannot see the bot or talk to it.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `quota_exceeded`, `limit_hooks`: The organisation has reached its limit of hooks (`liveHooks`, 10 by
        default).
        """
        return cast(HookShownOnce, self._call("POST", "/hooks",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def get_hook(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Hook:
        """
        Retrieve hook.

        Returns the hook with the time of its last run. `pauseReason` states why the service paused it.

        Requires a key of scope `read` or wider.
        """
        return cast(Hook, self._call("GET", "/hooks/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def update_hook(
        self,
        id: str,
        body: HookChanges,
        *,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Hook:
        """
        Update, pause or resume hook.

        Changes, pauses or resumes a hook. Another admin than the creator can only pause the hook. Posts to a paused
        hook return `conflict`.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `not_creator`: Only the creator can do this; others can pause and delete.
        - `conflict`, `revision_changed`: The resource is not at a revision that `If-Match` names. Read it again.
        """
        return cast(Hook, self._call("PATCH", "/hooks/{id}",
            path={
                "id": id,
            },
            body=body,
            if_match=if_match,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def delete_hook(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """
        Delete hook.

        Deletes a hook. Posts to the path then return `unauthenticated`, as for a hook that never existed. Runs of
        the hook are kept.

        Requires a key of scope `admin`.
        """
        return cast(Deleted, self._call("DELETE", "/hooks/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def rotate_hook_secret(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> HookShownOnce:
        """
        Rotate hook secret.

        Replaces the signing secret of a hook at once. Posts signed with the old secret return `unauthenticated`.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `not_creator`: Only the creator can do this; others can pause and delete.
        """
        return cast(HookShownOnce, self._call("POST", "/hooks/{id}/rotate",
            path={
                "id": id,
            },
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def list_webhooks(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[Webhook, WebhookList]:
        """
        List webhook endpoints.

        Lists the endpoints of the organisation, without their signing secrets.

        Requires a key of scope `admin`.
        """
        return self._list("/webhooks",
            query={
                "limit": limit,
                "cursor": cursor,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def create_webhook(
        self,
        body: NewWebhook,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> WebhookShownOnce:
        """
        Create webhook endpoint.

        Creates an endpoint that receives signed events. Deliveries are signed with the secret in this response.
        Each event in this document describes the headers that verify it.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `quota_exceeded`, `limit_webhooks`: The organisation has reached its limit of webhook endpoints
        (`liveWebhooks`, 10 by default).
        """
        return cast(WebhookShownOnce, self._call("POST", "/webhooks",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def get_webhook(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Webhook:
        """
        Retrieve webhook endpoint.

        Returns the endpoint with its events and its state. `disabledReason` states why the endpoint is disabled.

        Requires a key of scope `admin`.
        """
        return cast(Webhook, self._call("GET", "/webhooks/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def update_webhook(
        self,
        id: str,
        body: WebhookChanges,
        *,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Webhook:
        """
        Update, pause or resume webhook endpoint.

        Changes, pauses or resumes an endpoint. Requires at least one field. `description: null` clears the
        description. Setting a disabled endpoint to `active` resets its failures and its reason. Each attempt uses
        the current URL and secret.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `conflict`, `endpoint_disabled`: The endpoint is disabled. Set it to `active` first.
        - `conflict`, `revision_changed`: The resource is not at a revision that `If-Match` names. Read it again.
        """
        return cast(Webhook, self._call("PATCH", "/webhooks/{id}",
            path={
                "id": id,
            },
            body=body,
            if_match=if_match,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def delete_webhook(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """
        Delete webhook endpoint.

        Deletes an endpoint. Pending deliveries fail without a further attempt.

        Requires a key of scope `admin`.
        """
        return cast(Deleted, self._call("DELETE", "/webhooks/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def rotate_webhook_secret(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> WebhookShownOnce:
        """
        Rotate endpoint secret.

        Replaces the signing secret of an endpoint at once. A delivery in progress is still signed with the old
        secret.

        Requires a key of scope `admin`.
        """
        return cast(WebhookShownOnce, self._call("POST", "/webhooks/{id}/rotate",
            path={
                "id": id,
            },
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def test_webhook(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Delivery:
        """
        Send test event.

        Creates an event `webhook.test` and its delivery to this endpoint, and returns the delivery.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `conflict`, `endpoint_not_active`: The endpoint is paused, disabled or deleted.
        """
        return cast(Delivery, self._call("POST", "/webhooks/{id}/test",
            path={
                "id": id,
            },
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def list_deliveries(
        self,
        id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: DeliveryState | None = None,
        event: EventKind | None = None,
        since: str | None = None,
        until: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[Delivery, DeliveryList]:
        """
        List deliveries of endpoint.

        Lists the deliveries of the endpoint with their states and their last failures.

        Requires a key of scope `admin`.
        """
        return self._list("/webhooks/{id}/deliveries",
            path={
                "id": id,
            },
            query={
                "limit": limit,
                "cursor": cursor,
                "state": state,
                "event": event,
                "since": since,
                "until": until,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def get_delivery(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> DeliveryInFull:
        """
        Retrieve delivery.

        Returns the delivery with its payload and every attempt: its time, and its status or failure.

        Requires a key of scope `admin`.
        """
        return cast(DeliveryInFull, self._call("GET", "/deliveries/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def redeliver(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Delivery:
        """
        Redeliver failed delivery.

        Starts a new round of attempts with the same id and the same body.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `conflict`, `delivery_not_failed`: The delivery has not failed.
        - `conflict`, `endpoint_not_active`: The endpoint is paused, disabled or deleted.
        """
        return cast(Delivery, self._call("POST", "/deliveries/{id}/redeliver",
            path={
                "id": id,
            },
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def recover_webhook(
        self,
        id: str,
        body: RecoveryRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Recovery:
        """
        Recover missed deliveries.

        Starts a new round of attempts for each failed delivery, under its id, or creates a delivery for each
        missing event. One call recovers about 500 deliveries and reads about 5,000 rows. While `hasMore` is true,
        call again with `nextSince` as `since` and a new Idempotency-Key. Repeating a call sends nothing twice.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `conflict`, `endpoint_not_active`: The endpoint is paused, disabled or deleted.
        """
        return cast(Recovery, self._call("POST", "/webhooks/{id}/recover",
            path={
                "id": id,
            },
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def get_webhook_stats(
        self,
        id: str,
        *,
        since: str | None = None,
        until: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> WebhookStats:
        """
        Retrieve endpoint statistics.

        Returns numbers, success rates and durations for every UTC hour that overlaps the period, which is at most 7
        days. Data that is no longer stored is not counted.

        Requires a key of scope `admin`.
        """
        return cast(WebhookStats, self._call("GET", "/webhooks/{id}/stats",
            path={
                "id": id,
            },
            query={
                "since": since,
                "until": until,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def list_events(
        self,
        *,
        cursor: str | None = None,
        after: str | None = None,
        order: Literal["asc", "desc"] | None = None,
        limit: int | None = None,
        run_id: str | None = None,
        event: EventKind | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[Event, EventFeed]:
        """
        List events.

        Lists every stored event of the organisation exactly once, delivered or not. Pass the last `position` as
        `after` to continue; a reader that does so skips no event.

        An event appears as its transaction ends. A cursor whose events are no longer stored continues at the oldest
        stored event. For people `order=desc` lists the newest events first; a reader that must not miss any uses
        `asc`.

        With `Accept: text/event-stream` the answer is a stream of server-sent events: `id` is a cursor, `event` the
        kind and `data` the event as an entry of `data` here. It starts after `Last-Event-ID` or `after`, by default
        now, and continues with new events in the same order, each exactly once. A comment every 15 seconds keeps it
        open. The service closes it after 4 to 5 minutes, when it restarts, and when the client reads too slowly:
        connect again with the last `id` as `Last-Event-ID`. It counts as an open request, as the stream of a run
        does.

        Requires a key of scope `admin`.
        """
        return self._list("/events",
            query={
                "cursor": cursor,
                "after": after,
                "order": order,
                "limit": limit,
                "runId": run_id,
                "event": event,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def list_audit(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        actor: AuditActor | None = None,
        action: AuditAction | None = None,
        resource: AuditResource | None = None,
        resource_id: str | None = None,
        user_id: str | None = None,
        key_id: str | None = None,
        request_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[AuditEntry, AuditEntryList]:
        """
        List audit log entries.

        Lists every change of the organisation's rows: the time, the actor, the credential, the request and the
        changed fields. Texts, names, addresses and secrets are not logged.

        Each entry contains the hash of the previous one. Entries are kept for one year by default. A filter that
        matches few entries is fast together with `resourceId` or a recent `since`.

        Requires a key of scope `admin`.
        """
        return self._list("/audit",
            query={
                "limit": limit,
                "cursor": cursor,
                "actor": actor,
                "action": action,
                "resource": resource,
                "resourceId": resource_id,
                "userId": user_id,
                "keyId": key_id,
                "requestId": request_id,
                "since": since,
                "until": until,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def get_audit_proof(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> AuditProof:
        """
        Retrieve proof of audit log entry.

        Proves that the entry is part of the tree over all entries whose head was signed last. Entries join the tree
        within about a minute. The proof can be verified without the service, with its public key.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `conflict`, `entry_not_in_checkpoint`: The entry is in no checkpoint yet. Try again after a minute.
        """
        return cast(AuditProof, self._call("GET", "/audit/{id}/proof",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def list_members(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        email: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[Member, MemberList]:
        """
        List members.

        Lists the people of the organisation with their roles. Returns `forbidden` in a personal organisation.

        Requires a key of scope `read` or wider.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
        """
        return self._list("/members",
            query={
                "limit": limit,
                "cursor": cursor,
                "email": email,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def get_member(
        self,
        user_id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Member:
        """
        Retrieve member.

        Returns the address, the name and the role of a person. The id is the person's `userId`.

        Requires a key of scope `read` or wider.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
        """
        return cast(Member, self._call("GET", "/members/{userId}",
            path={
                "userId": user_id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def change_member(
        self,
        user_id: str,
        body: MemberChanges,
        *,
        if_match: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Member:
        """
        Change member role.

        Changes the role of a person. An owner can change every role. An admin can change members and admins, and
        cannot make anyone an owner. Keys of a person who is no longer an owner or admin stop working at once.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
        - `forbidden`, `role_above_own`: Only an owner can make a person an owner.
        - `forbidden`, `member_above_own`: An admin cannot change or remove an owner.
        - `forbidden`, `last_owner`: The organisation must keep at least one owner.
        - `conflict`, `revision_changed`: The resource is not at a revision that `If-Match` names. Read it again.
        """
        return cast(Member, self._call("PATCH", "/members/{userId}",
            path={
                "userId": user_id,
            },
            body=body,
            if_match=if_match,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def remove_member(
        self,
        user_id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Deleted:
        """
        Remove member.

        Removes a person from the organisation. Keys of the person stop working. Deletes the person's personal bots
        and cancels their runs that have not ended.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
        - `forbidden`, `member_above_own`: An admin cannot change or remove an owner.
        - `forbidden`, `own_membership`: A person cannot remove themselves.
        """
        return cast(Deleted, self._call("DELETE", "/members/{userId}",
            path={
                "userId": user_id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def list_invitations(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        status: Literal["open", "accepted", "revoked", "expired", "all"] | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[Invitation, InvitationList]:
        """
        List invitations.

        Lists open invitations by default. Returns `forbidden` in a personal organisation.

        Requires a key of scope `read` or wider.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
        """
        return self._list("/invitations",
            query={
                "limit": limit,
                "cursor": cursor,
                "status": status,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def create_invitation(
        self,
        body: NewInvitation,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Invitation:
        """
        Create invitation.

        Invites a person by mail, with a link that is valid for 7 days. The service retries the mail until the mail
        server accepts it. An open invitation uses a seat. Addresses are compared in lower case.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
        - `payment_required`, `billing_inactive`: The organisation has no running trial and no payment.
        - `payment_required`, `bought_seats_taken`: Members and open invitations use all seats that were bought.
        - `conflict`, `member_exists`: The address belongs to a member.
        - `conflict`, `invitation_open`: The address has an open invitation.
        - `quota_exceeded`, `limit_open_invitations`: The organisation has reached its limit of open invitations
        (`openInvitations`, 50 by default).
        - `quota_exceeded`, `limit_invitations_per_hour`: The organisation has reached its limit of invitation mails
        per hour (`invitationsPerHour`, by default the limit of `seats`).
        - `quota_exceeded`, `limit_invitations_to_address`: The organisation has reached its limit of mails to this
        address per day (`invitationsPerAddressPerDay`, 5 by default).
        - `quota_exceeded`, `limit_seats`: The organisation has reached its limit of members plus open invitations
        (`seats`, 200 by default).
        """
        return cast(Invitation, self._call("POST", "/invitations",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def get_invitation(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Invitation:
        """
        Retrieve invitation.

        Returns an invitation, also an accepted, revoked or expired one.

        Requires a key of scope `read` or wider.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
        """
        return cast(Invitation, self._call("GET", "/invitations/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def revoke_invitation(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Invitation:
        """
        Revoke invitation.

        Ends the link and frees the seat. Revoking a revoked invitation changes nothing. To undo an accepted
        invitation, remove the member.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
        - `conflict`, `invitation_accepted`: The invitation was accepted.
        """
        return cast(Invitation, self._call("DELETE", "/invitations/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def resend_invitation(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Invitation:
        """
        Resend invitation.

        Mails a new link that is valid for 7 days, and ends the old link. An expired invitation becomes open and
        uses a seat again.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `personal_organisation`: A personal organisation has no members or invitations to manage.
        - `payment_required`, `billing_inactive`: The organisation has no running trial and no payment.
        - `payment_required`, `bought_seats_taken`: Members and open invitations use all seats that were bought.
        - `conflict`, `invitation_accepted`: The invitation was accepted.
        - `conflict`, `invitation_revoked`: The invitation was revoked.
        - `conflict`, `member_exists`: The address belongs to a member.
        - `conflict`, `invitation_open`: The address has an open invitation.
        - `quota_exceeded`, `limit_open_invitations`: The organisation has reached its limit of open invitations
        (`openInvitations`, 50 by default).
        - `quota_exceeded`, `limit_invitations_per_hour`: The organisation has reached its limit of invitation mails
        per hour (`invitationsPerHour`, by default the limit of `seats`).
        - `quota_exceeded`, `limit_invitations_to_address`: The organisation has reached its limit of mails to this
        address per day (`invitationsPerAddressPerDay`, 5 by default).
        - `quota_exceeded`, `limit_seats`: The organisation has reached its limit of members plus open invitations
        (`seats`, 200 by default).
        """
        return cast(Invitation, self._call("POST", "/invitations/{id}/resend",
            path={
                "id": id,
            },
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def list_portal_sessions(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[PortalSession, PortalSessionList]:
        """
        List portal sessions.

        Lists sessions, newest first, until one day after their end.

        Requires a key of scope `admin`.
        """
        return self._list("/portal-sessions",
            query={
                "limit": limit,
                "cursor": cursor,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def create_portal_session(
        self,
        body: NewPortalSession | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> PortalSessionShownOnce:
        """
        Create portal session.

        Returns a link that opens the portal as a member. Send the person's browser there at once. Who uses the link
        is not checked: signing in is the task of the application that creates it.

        Requires a key of scope `admin`.

        Reasons (`X-Botstead-Reason`):

        - `forbidden`, `member_above_own`: An admin cannot change or remove an owner.
        """
        return cast(PortalSessionShownOnce, self._call("POST", "/portal-sessions",
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def get_portal_session(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> PortalSession:
        """
        Retrieve portal session.

        Returns the session with its person and its end, without the link.

        Requires a key of scope `admin`.
        """
        return cast(PortalSession, self._call("GET", "/portal-sessions/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def revoke_portal_session(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> PortalSession:
        """
        Revoke portal session.

        The session ends at once, and an unused link opens nothing. Revoking twice changes nothing and returns the
        first `revokedAt`.

        Requires a key of scope `admin`.
        """
        return cast(PortalSession, self._call("DELETE", "/portal-sessions/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def batch(
        self,
        body: Batch,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> BatchResults:
        """
        Execute batch.

        Executes the operations in order. Each one is checked against its own scope, schema and limits, returns its
        own status, and counts as one request in the rate limits. One Idempotency-Key covers the batch. With
        `atomic` the first refusal undoes all operations, and the others return `conflict`. A batch cannot contain a
        batch or a stream.

        The results have at most 1 MB in total. An operation whose result exceeds this returns 413 and changes
        nothing. A replay returns the stored results, also those of reads.

        Requires a key of scope `write` or wider.
        """
        return cast(BatchResults, self._call("POST", "/batch",
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def create_organisation(
        self,
        body: NewOrganisation,
        *,
        cell: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> CreatedOrganisation:
        """
        Create organisation.

        Notifies the owner by mail. Creates the person if the address is new.

        Requires a platform key.
        """
        return cast(CreatedOrganisation, self._call("POST", "/platform/organisations",
            query={
                "cell": cell,
            },
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))

    def list_organisations(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> Listing[CreatedOrganisation, CreatedOrganisationList]:
        """
        List organisations.

        Lists every organisation of the service with its owner. No other data of tenants is returned.

        Requires a platform key.
        """
        return self._list("/platform/organisations",
            query={
                "limit": limit,
                "cursor": cursor,
            },
            timeout=timeout,
            max_retries=max_retries,
        )

    def get_organisation(
        self,
        id: str,
        *,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> CreatedOrganisation:
        """
        Retrieve organisation.

        Returns the organisation with its owner.

        Requires a platform key.
        """
        return cast(CreatedOrganisation, self._call("GET", "/platform/organisations/{id}",
            path={
                "id": id,
            },
            timeout=timeout,
            max_retries=max_retries,
        ))

    def create_owner_key(
        self,
        id: str,
        body: NewOwnerKey | None = None,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        max_retries: int | None = None,
    ) -> KeyShownOnce:
        """
        Create key for owner.

        Creates an admin key that is bound to the owner, for example as the first key of an organisation or to
        replace a lost one.

        Requires a platform key.

        Reasons (`X-Botstead-Reason`):

        - `quota_exceeded`, `limit_keys`: The organisation has reached its limit of live keys (`liveKeys`, 20 by
        default).
        """
        return cast(KeyShownOnce, self._call("POST", "/platform/organisations/{id}/owner-key",
            path={
                "id": id,
            },
            body={} if body is None else body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        ))
