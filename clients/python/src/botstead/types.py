"""Bodies of requests and responses."""

# Written by "npm run client:check -- --update" from docs/openapi.json. Not to be changed by hand.
# fmt: off
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class Approval(TypedDict):
    """A question or proposal of a run, for one person to answer. Treat the text of a tainted run as untrusted."""
    id: str
    """Unique id."""
    runId: str
    """Id of the run."""
    botId: str
    """Id of the bot."""
    conversationId: str
    """Id of the conversation of the person with the bot."""
    kind: ApprovalKind
    question: str | None
    """The question of the run. Null unless `kind` is `question`."""
    reason: str | None
    """Why the run asks. Null unless `kind` is `question`."""
    memory: ProposedMemory | None
    """The memory that the run proposes. Null unless `kind` is `memory`."""
    run: ProposedRun | None
    """The run that the run proposes. Null unless `kind` is `run`."""
    state: ApprovalState
    createdAt: str
    """When it was created."""
    expiresAt: str
    """When it expires."""
    answeredAt: str | None
    """When the person answered. Null if the person did not."""
    comment: str | None
    """What the person wrote with the answer. Null without a comment."""


ApprovalKind = Literal["question", "memory", "run"]
"""
`question`: the run waits for the answer. `memory` and `run`: a tainted run proposes to store a memory or to
start a run. The proposal takes effect on approval; the run does not wait for it.
"""


class ApprovalList(TypedDict):
    data: list[Approval]
    """Newest first."""
    nextCursor: str | None
    """Pass it as `cursor` to read the next page. Null on the last page."""


class ApprovalNeededData(TypedDict):
    """What the event is about."""
    approvalId: str
    """Id of the approval."""
    runId: str
    """Id of the run."""
    botId: str
    """Id of the bot."""
    conversationId: str
    """Id of the conversation of the person with the bot."""
    kind: str
    """Kind of approval. New kinds may be added."""
    state: str
    """State of the approval. New states may be added."""
    createdAt: str
    """When it was created."""
    expiresAt: str
    """When it expires."""


class ApprovalNeeded(TypedDict):
    id: str
    """Id of the event. It differs from the ids of its deliveries."""
    event: Literal["approval.needed"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    data: ApprovalNeededData
    """What the event is about."""
    deliveries: list[DeliveryOfEvent]
    """
    The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint
    received the event.
    """


class ApprovalNeededEventData(TypedDict):
    """What the event is about."""
    approvalId: str
    """Id of the approval."""
    runId: str
    """Id of the run."""
    botId: str
    """Id of the bot."""
    conversationId: str
    """Id of the conversation of the person with the bot."""
    kind: str
    """Kind of approval. New kinds may be added."""
    state: str
    """State of the approval. New states may be added."""
    createdAt: str
    """When it was created."""
    expiresAt: str
    """When it expires."""


class ApprovalNeededEvent(TypedDict):
    id: str
    """Id of the delivery, the same for every attempt. Use it to detect duplicates."""
    event: Literal["approval.needed"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    organisationId: str
    """Id of the organisation."""
    data: ApprovalNeededEventData
    """What the event is about."""


ApprovalState = Literal["pending", "approved", "refused", "expired", "withdrawn"]
"""
`expired`: not answered before `expiresAt`; has the effect of `refused`. `withdrawn`: its run was cancelled,
or a question's run ended before the answer.
"""


class Attempt(TypedDict):
    """One request to the endpoint."""
    number: int
    """Number of the attempt, from 1."""
    trigger: Literal["scheduled", "manual"]
    """`manual`: a redelivery or a recovery asked for it."""
    startedAt: str
    """When the attempt started."""
    durationMs: int
    """Duration in milliseconds."""
    statusCode: int | None
    """Status code of the response. Null if there was none."""
    failure: DeliveryFailure | None
    """Why it failed, if no status code explains it. Null otherwise."""


class AttemptStatsDurationMs(TypedDict):
    """Durations of attempts in milliseconds, failed ones included."""
    p50: int | None
    """50 % of the attempts took at most this time. Null if there are none."""
    p95: int | None
    """95 % of the attempts took at most this time. Null if there are none."""
    p99: int | None
    """99 % of the attempts took at most this time. Null if there are none."""


class AttemptStatsFailures(TypedDict):
    """Number of failed attempts by cause, as in `failure` of an attempt."""
    status: int
    """Responses with a status other than 2xx."""
    address: int
    """Failures of the kind `address`."""
    dns: int
    """Failures of the kind `dns`."""
    redirect: int
    """Failures of the kind `redirect`."""
    size: int
    """Failures of the kind `size`."""
    timeout: int
    """Failures of the kind `timeout`."""
    transport: int
    """Failures of the kind `transport`."""
    scheme: int
    """Failures of the kind `scheme`."""
    secret: int
    """Failures of the kind `secret`."""


class AttemptStats(TypedDict):
    """Attempts started in the period."""
    total: int
    """Number of all."""
    succeeded: int
    """Attempts with a 2xx response."""
    failed: int
    """Attempts that failed."""
    successShare: float | None
    """Between 0 and 1: succeeded / total. Null if there are none."""
    durationMs: AttemptStatsDurationMs
    """Durations of attempts in milliseconds, failed ones included."""
    failures: AttemptStatsFailures
    """Number of failed attempts by cause, as in `failure` of an attempt."""


AuditAction = Literal["created", "updated", "deleted"]
"""What happened to the row."""


AuditActor = Literal["key", "platform_key", "portal_session", "invitation", "approval", "hook", "executor", "worker", "operator", "system"]
"""
The kind of actor. `key`, `platform_key`, `portal_session`, `invitation`, `approval` and `hook` are
credentials. `executor` carries out runs, `worker` performs scheduled work, `operator` is an operator of the
service, `system` is the installation.
"""


class AuditEntry(TypedDict):
    id: str
    """Unique id."""
    sequence: int
    """Position in the organisation's audit log, from 1 without gaps."""
    createdAt: str
    """When it was created."""
    actor: AuditActor
    keyId: str | None
    """Id of the credential: a key, or the invitation, approval or hook that `actor` names."""
    userId: str | None
    """The person of the key, invitation or approval."""
    operator: str | None
    """Name of the operator's token."""
    reason: str | None
    """The reason that the operator gave."""
    requestId: str | None
    """The `X-Request-Id` of the response."""
    action: AuditAction
    resource: AuditResource
    resourceId: str | None
    """Id of the row; for a member the person's `userId`. Null for a resource without an id."""
    changed: list[str]
    """Names of the changed fields, including fields whose values are not logged."""
    before: dict[str, Any] | None
    """Values before the change: ids, states, roles, limits and times. Texts are not logged."""
    after: dict[str, Any] | None
    """Values after the change, of the same fields."""
    hash: str
    """SHA-256 over the previous entry's hash and this entry, as lower-case hex."""


class AuditEntryList(TypedDict):
    data: list[AuditEntry]
    """Newest first."""
    nextCursor: str | None
    """Pass it as `cursor` to read the next page. Null on the last page."""


class AuditProof(TypedDict):
    entryId: str
    """Id of the audit log entry."""
    previousHash: str
    """`hash` of the previous entry. Before the first one: the SHA-256 of the organisation's id."""
    content: str
    """
    The content of the entry as one text. `hash` is the SHA-256 of the bytes of `previousHash`, then four texts
    with line breaks between them: the organisation's id, `sequence`, `entryId` and `content`.
    """
    leaf: str
    """
    The leaf of the entry in the tree: a line with the format, then the organisation's id, `sequence` and
    `hash`.
    """
    leafIndex: int
    """The place of the leaf in the tree, from 0."""
    treeSize: int
    """The number of leaves of the checkpoint's tree."""
    hashes: list[str]
    """The inclusion proof of RFC 6962, from the leaf to the root: SHA-256 hashes in base64, at most 32."""
    checkpoint: str
    """The signed head of the tree, a signed note, with the signatures of witnesses."""


AuditResource = Literal["organisation", "member", "invitation", "key", "bot", "memory", "run", "approval", "routine", "hook", "webhook", "portal_session", "delivery", "erasure", "restriction", "limit", "audit_log", "service"]
"""What kind of row changed."""


class BatchOperation(TypedDict):
    id: NotRequired[str]
    """An identifier of your choice, returned with the result."""
    method: Literal["GET", "POST", "PATCH", "DELETE"]
    """Upper or lower case."""
    path: str
    """Path below `/api/v1`, with its query, for example `/memories?limit=10`."""
    body: NotRequired[dict[str, Any] | None]
    """JSON body of the operation. Omit it for operations without a body."""
    ifMatch: NotRequired[str]
    """The header `If-Match` of a PATCH: the `etag` of an earlier result, for example."""


class BatchResult(TypedDict):
    id: str | None
    """The identifier from the request."""
    status: int
    """The HTTP status that the operation returns outside a batch."""
    reason: str | None
    """The `X-Botstead-Reason` of the operation."""
    etag: str | None
    """The `ETag` of the operation, if its resource has one."""
    body: dict[str, Any]
    """The body that the operation returns outside a batch."""


class BatchResults(TypedDict):
    results: list[BatchResult]
    """One result per operation, in the same order."""


BillingState = Literal["trial", "active", "none"]
"""Starting runs and adding members require `active`, or a `trial` that has not ended."""


class Bot(TypedDict):
    id: str
    """Unique id."""
    name: str
    """Name, for people."""
    instructions: str
    """What the bot should do, as text for its model."""
    model: str
    """The model that answers, as listed by `GET /models`. `recall` is built in."""
    visibility: BotVisibility
    directConversation: DirectConversation
    ownerId: str
    """The person who owns the bot."""
    createdAt: str
    """When it was created."""


class BotList(TypedDict):
    data: list[Bot]
    """Newest first."""
    nextCursor: str | None
    """Pass it as `cursor` to read the next page. Null on the last page."""


BotVisibility = Literal["team", "personal"]
"""`personal`: visible only to its owner."""


class CreatedOrganisationOwner(TypedDict):
    """The owner who has been a member for the longest time."""
    userId: str
    """Id of the person."""
    email: str
    """E-mail address."""
    displayName: str | None
    """Null also for a person who existed before the organisation and was named elsewhere."""


class CreatedOrganisation(TypedDict):
    id: str
    """Unique id."""
    name: str
    """Name, for people."""
    kind: OrganisationKind
    billingState: BillingState
    trialEndsAt: str | None
    """When the trial ends. Null without a trial."""
    createdAt: str
    """When it was created."""
    owner: CreatedOrganisationOwner | None
    """The owner who has been a member for the longest time."""


class CreatedOrganisationList(TypedDict):
    data: list[CreatedOrganisation]
    """Newest first."""
    nextCursor: str | None
    """Pass it as `cursor` to read the next page. Null on the last page."""


class Deleted(TypedDict):
    """A deleted resource."""
    id: str
    """Unique id."""
    deleted: Literal[True]
    """Always true."""


class Delivery(TypedDict):
    """One event for one endpoint."""
    id: str
    """Unique id."""
    webhookId: str
    """Id of the webhook endpoint."""
    event: EventKind
    state: DeliveryState
    attempts: int
    """Number of attempts that have started."""
    maxAttempts: int
    """Maximum number of attempts. A redelivery adds a round of attempts."""
    lastStatusCode: int | None
    """Status code of the last response. Null if no attempt had a response."""
    lastFailure: DeliveryFailure | None
    """Why the last attempt failed, if no status code explains it. Null otherwise."""
    createdAt: str
    """When it was created."""
    lastAttemptAt: str | None
    """When the last attempt started. Null before the first one."""
    nextAttemptAt: str | None
    """When the next attempt is due. Null unless the delivery is `pending`."""
    deliveredAt: str | None
    """When the endpoint accepted the delivery. Null if it has not."""


DeliveryFailure = Literal["address", "dns", "redirect", "size", "timeout", "transport", "scheme", "secret"]
"""
Why the attempt failed, if no status code explains it. `secret`: the service cannot open the secret. Rotate
it.
"""


class DeliveryInFull(TypedDict):
    id: str
    """Unique id."""
    webhookId: str
    """Id of the webhook endpoint."""
    event: EventKind
    state: DeliveryState
    attempts: int
    """Number of attempts that have started."""
    maxAttempts: int
    """Maximum number of attempts. A redelivery adds a round of attempts."""
    lastStatusCode: int | None
    """Status code of the last response. Null if no attempt had a response."""
    lastFailure: DeliveryFailure | None
    """Why the last attempt failed, if no status code explains it. Null otherwise."""
    createdAt: str
    """When it was created."""
    lastAttemptAt: str | None
    """When the last attempt started. Null before the first one."""
    nextAttemptAt: str | None
    """When the next attempt is due. Null unless the delivery is `pending`."""
    deliveredAt: str | None
    """When the endpoint accepted the delivery. Null if it has not."""
    attemptLog: list[Attempt]
    """Oldest first. Only the status of each response is stored."""
    payload: RunFinishedEvent | ApprovalNeededEvent | WebhookTestEvent | RunStartedEvent | RunBlockedEvent | EndpointDisabledEvent | MemberAddedEvent | MemberRemovedEvent | MemberRoleChangedEvent | InvitationAcceptedEvent | KeyCreatedEvent | KeyRevokedEvent | MemoryCreatedEvent | MemoryUpdatedEvent | MemoryDeletedEvent | OrganisationLimitReachedEvent | KeyExpiringEvent
    """The body that every attempt sends."""


class DeliveryList(TypedDict):
    data: list[Delivery]
    """Newest first."""
    nextCursor: str | None
    """Pass it as `cursor` to read the next page. Null on the last page."""


class DeliveryOfEvent(TypedDict):
    id: str
    """Unique id."""
    webhookId: str
    """Id of the webhook endpoint."""
    state: DeliveryState


DeliveryState = Literal["pending", "delivered", "failed"]
"""`failed`: no attempt is left, or the endpoint was disabled or deleted."""


class DeliveryStats(TypedDict):
    """Deliveries created in the period, by their current state."""
    total: int
    """Number of all."""
    pending: int
    """Deliveries whose outcome is open."""
    delivered: int
    """Deliveries that the endpoint accepted with a 2xx response."""
    failed: int
    """Deliveries that have no attempt left."""
    successShare: float | None
    """Between 0 and 1: delivered / (delivered + failed). Null if there are none."""


DirectConversation = Literal["members", "owner"]
"""Who can talk to the bot, and so start its runs: all members, or only its owner."""


class EndpointDisabledData(TypedDict):
    """What the event is about."""
    webhookId: str
    """Id of the webhook endpoint."""
    reason: Literal["consecutive_failures", "gone", "operator"]
    """Why it was disabled, as `disabledReason` of the endpoint."""


class EndpointDisabled(TypedDict):
    id: str
    """Id of the event. It differs from the ids of its deliveries."""
    event: Literal["endpoint.disabled"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    data: EndpointDisabledData
    """What the event is about."""
    deliveries: list[DeliveryOfEvent]
    """
    The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint
    received the event.
    """


class EndpointDisabledEventData(TypedDict):
    """What the event is about."""
    webhookId: str
    """Id of the webhook endpoint."""
    reason: Literal["consecutive_failures", "gone", "operator"]
    """Why it was disabled, as `disabledReason` of the endpoint."""


class EndpointDisabledEvent(TypedDict):
    id: str
    """Id of the delivery, the same for every attempt. Use it to detect duplicates."""
    event: Literal["endpoint.disabled"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    organisationId: str
    """Id of the organisation."""
    data: EndpointDisabledEventData
    """What the event is about."""


class Erasure(TypedDict):
    """A receipt. It does not contain the subject: store it with the request for erasure."""
    id: str
    """Unique id."""
    erasedAt: str
    """When the memories were erased."""
    memories: int
    """Number of erased memories."""
    history: int
    """Number of erased former versions, including those of memories deleted earlier."""
    proposals: int
    """Number of erased approvals that proposed a memory about the subject, answered or not."""
    answers: int
    """Number of answers of bots that became empty because they cite an erased memory."""
    complete: bool
    """
    False if memories are left, because one call erases a limited number. Call again with a new Idempotency-Key
    until it is true.
    """
    notSearched: list[Literal["messages", "approvals", "bots", "routines", "backups"]]
    """
    Texts that are not searched and may still contain the subject: other messages, questions and messages of
    approvals, names and instructions of bots, names and messages of routines, and backups.
    """


class RunFinishedData(TypedDict):
    """What the event is about."""
    runId: str
    """Id of the run."""
    botId: str
    """Id of the bot."""
    conversationId: str
    """Id of the conversation of the person with the bot."""
    routineId: str | None
    """Id of the routine that started the run. Null if none did."""
    state: Literal["completed", "failed", "cancelled"]
    """How the run ended."""
    trigger: RunTrigger
    steps: int
    """Number of recorded steps."""
    spendMicroCents: int
    """In micro-cents: 1,000,000 micro-cents are one cent."""
    taint: bool
    """Whether the run contains text from outside the organisation."""
    finishedAt: str
    """When the run ended. Null while it has not."""


class RunFinished(TypedDict):
    id: str
    """Id of the event. It differs from the ids of its deliveries."""
    event: Literal["run.finished"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    data: RunFinishedData
    """What the event is about."""
    deliveries: list[DeliveryOfEvent]
    """
    The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint
    received the event.
    """


class WebhookTestData(TypedDict):
    """What the event is about."""
    webhookId: str
    """Id of the webhook endpoint."""


class WebhookTest(TypedDict):
    id: str
    """Id of the event. It differs from the ids of its deliveries."""
    event: Literal["webhook.test"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    data: WebhookTestData
    """What the event is about."""
    deliveries: list[DeliveryOfEvent]
    """
    The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint
    received the event.
    """


class RunStartedData(TypedDict):
    """What the event is about."""
    runId: str
    """Id of the run."""
    botId: str
    """Id of the bot."""
    conversationId: str
    """Id of the conversation of the person with the bot."""
    routineId: str | None
    """Id of the routine that started the run. Null if none did."""
    trigger: RunTrigger
    taint: bool
    """Whether the run contains text from outside the organisation."""
    state: Literal["running"]
    """State of the run."""


class RunStarted(TypedDict):
    id: str
    """Id of the event. It differs from the ids of its deliveries."""
    event: Literal["run.started"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    data: RunStartedData
    """What the event is about."""
    deliveries: list[DeliveryOfEvent]
    """
    The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint
    received the event.
    """


class RunBlockedData(TypedDict):
    """What the event is about."""
    runId: str
    """Id of the run."""
    botId: str
    """Id of the bot."""
    conversationId: str
    """Id of the conversation of the person with the bot."""
    routineId: str | None
    """Id of the routine that started the run. Null if none did."""
    trigger: RunTrigger
    taint: bool
    """Whether the run contains text from outside the organisation."""
    state: Literal["blocked"]
    """State of the run."""
    steps: int
    """Number of recorded steps."""
    spendMicroCents: int
    """Cost in micro-cents: 1,000,000 micro-cents are one cent."""


class RunBlocked(TypedDict):
    id: str
    """Id of the event. It differs from the ids of its deliveries."""
    event: Literal["run.blocked"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    data: RunBlockedData
    """What the event is about."""
    deliveries: list[DeliveryOfEvent]
    """
    The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint
    received the event.
    """


class MemberAddedData(TypedDict):
    """What the event is about."""
    userId: str
    """Id of the person."""
    role: MemberRole


class MemberAdded(TypedDict):
    id: str
    """Id of the event. It differs from the ids of its deliveries."""
    event: Literal["member.added"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    data: MemberAddedData
    """What the event is about."""
    deliveries: list[DeliveryOfEvent]
    """
    The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint
    received the event.
    """


class MemberRemovedData(TypedDict):
    """What the event is about."""
    userId: str
    """Id of the person."""
    role: MemberRole


class MemberRemoved(TypedDict):
    id: str
    """Id of the event. It differs from the ids of its deliveries."""
    event: Literal["member.removed"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    data: MemberRemovedData
    """What the event is about."""
    deliveries: list[DeliveryOfEvent]
    """
    The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint
    received the event.
    """


class MemberRoleChangedData(TypedDict):
    """What the event is about."""
    userId: str
    """Id of the person."""
    role: MemberRole


class MemberRoleChanged(TypedDict):
    id: str
    """Id of the event. It differs from the ids of its deliveries."""
    event: Literal["member.role_changed"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    data: MemberRoleChangedData
    """What the event is about."""
    deliveries: list[DeliveryOfEvent]
    """
    The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint
    received the event.
    """


class InvitationAcceptedData(TypedDict):
    """What the event is about."""
    userId: str
    """Id of the person."""
    role: MemberRole
    invitationId: str
    """Id of the invitation."""


class InvitationAccepted(TypedDict):
    id: str
    """Id of the event. It differs from the ids of its deliveries."""
    event: Literal["invitation.accepted"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    data: InvitationAcceptedData
    """What the event is about."""
    deliveries: list[DeliveryOfEvent]
    """
    The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint
    received the event.
    """


class KeyCreatedData(TypedDict):
    """What the event is about."""
    keyId: str
    """Id of the API key."""
    scope: KeyScope
    userId: str
    """Id of the person whose key it is."""


class KeyCreated(TypedDict):
    id: str
    """Id of the event. It differs from the ids of its deliveries."""
    event: Literal["key.created"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    data: KeyCreatedData
    """What the event is about."""
    deliveries: list[DeliveryOfEvent]
    """
    The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint
    received the event.
    """


class KeyRevokedData(TypedDict):
    """What the event is about."""
    keyId: str
    """Id of the API key."""
    scope: KeyScope
    userId: str
    """Id of the person whose key it is."""


class KeyRevoked(TypedDict):
    id: str
    """Id of the event. It differs from the ids of its deliveries."""
    event: Literal["key.revoked"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    data: KeyRevokedData
    """What the event is about."""
    deliveries: list[DeliveryOfEvent]
    """
    The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint
    received the event.
    """


class MemoryCreatedData(TypedDict):
    """What the event is about."""
    memoryId: str
    """Id of the memory."""
    botId: str | None
    """Id of the bot that the memory belongs to. Null for other scopes."""


class MemoryCreated(TypedDict):
    id: str
    """Id of the event. It differs from the ids of its deliveries."""
    event: Literal["memory.created"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    data: MemoryCreatedData
    """What the event is about."""
    deliveries: list[DeliveryOfEvent]
    """
    The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint
    received the event.
    """


class MemoryUpdatedData(TypedDict):
    """What the event is about."""
    memoryId: str
    """Id of the memory."""
    botId: str | None
    """Id of the bot that the memory belongs to. Null for other scopes."""


class MemoryUpdated(TypedDict):
    id: str
    """Id of the event. It differs from the ids of its deliveries."""
    event: Literal["memory.updated"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    data: MemoryUpdatedData
    """What the event is about."""
    deliveries: list[DeliveryOfEvent]
    """
    The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint
    received the event.
    """


class MemoryDeletedData(TypedDict):
    """What the event is about."""
    memoryId: str
    """Id of the memory."""
    botId: str | None
    """Id of the bot that the memory belongs to. Null for other scopes."""


class MemoryDeleted(TypedDict):
    id: str
    """Id of the event. It differs from the ids of its deliveries."""
    event: Literal["memory.deleted"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    data: MemoryDeletedData
    """What the event is about."""
    deliveries: list[DeliveryOfEvent]
    """
    The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint
    received the event.
    """


class OrganisationLimitReachedData(TypedDict):
    """What the event is about."""
    limit: str
    """Name of the limit in `GET /me`. New limits may be added."""
    maximum: int
    """The maximum of the limit."""
    used: int
    """Present use of the limit."""


class OrganisationLimitReached(TypedDict):
    id: str
    """Id of the event. It differs from the ids of its deliveries."""
    event: Literal["organisation.limit_reached"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    data: OrganisationLimitReachedData
    """What the event is about."""
    deliveries: list[DeliveryOfEvent]
    """
    The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint
    received the event.
    """


class KeyExpiringData(TypedDict):
    """What the event is about."""
    keyId: str
    """Id of the API key."""
    scope: KeyScope
    userId: str
    """Id of the person whose key it is."""
    expiresAt: str
    """When it expires."""


class KeyExpiring(TypedDict):
    id: str
    """Id of the event. It differs from the ids of its deliveries."""
    event: Literal["key.expiring"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    data: KeyExpiringData
    """What the event is about."""
    deliveries: list[DeliveryOfEvent]
    """
    The deliveries of the event, one per endpoint. `id` is the `id` in the posted body. Empty if no endpoint
    received the event.
    """


Event = RunFinished | ApprovalNeeded | WebhookTest | RunStarted | RunBlocked | EndpointDisabled | MemberAdded | MemberRemoved | MemberRoleChanged | InvitationAccepted | KeyCreated | KeyRevoked | MemoryCreated | MemoryUpdated | MemoryDeleted | OrganisationLimitReached | KeyExpiring


class EventFeed(TypedDict):
    data: list[Event]
    """In the order in which the events became readable; with `order=desc` newest first."""
    nextCursor: str | None
    """Pass it as `cursor`. Null on the last page."""
    position: str
    """
    The position after this page, also after the last. Store it and pass it as `after` to read on: later events,
    or earlier ones with `order=desc`.
    """
    hasMore: bool
    """Whether more events can be read at once, even if this page is short."""


EventKind = Literal["run.finished", "approval.needed", "webhook.test", "run.started", "run.blocked", "endpoint.disabled", "member.added", "member.removed", "member.role_changed", "invitation.accepted", "key.created", "key.revoked", "memory.created", "memory.updated", "memory.deleted", "organisation.limit_reached", "key.expiring"]
"""What happened."""


class HighlightSubjectItem(TypedDict):
    text: str
    """Plain text."""
    hit: bool
    """Whether this part matched the search."""


class HighlightValueItem(TypedDict):
    text: str
    """Plain text."""
    hit: bool
    """Whether this part matched the search."""


class Highlight(TypedDict):
    """
    Only with `q`. The parts of the subject and of the value, in order. Joined they are the text; parts with
    `hit` matched. Plain text: escape each part before you show it as HTML.
    """
    subject: list[HighlightSubjectItem]
    """The parts of the subject."""
    value: list[HighlightValueItem]
    """The parts of the value."""


class Hook(TypedDict):
    id: str
    """Unique id."""
    botId: str
    """Id of the bot."""
    name: str
    """Name, for people."""
    path: str
    """Path of the URL to post to, on this server."""
    state: Literal["active", "paused"]
    """`paused`: it starts no runs."""
    pauseReason: PauseReason | None
    """Why the service paused the hook. Null if a person paused it."""
    secretLostSince: str | None
    """
    Time since which the service cannot open the signing secret. Posts are refused with 503 until the secret is
    rotated. Null: it can.
    """
    lastReceivedAt: str | None
    """Time of the last post that started a run."""
    lastRunId: str | None
    """Id of the last run that it started. Null if it never has."""
    createdBy: str
    """The person on whose behalf runs start, in their conversation with the bot."""
    createdAt: str
    """When it was created."""


class HookList(TypedDict):
    data: list[Hook]
    """Newest first."""
    nextCursor: str | None
    """Pass it as `cursor` to read the next page. Null on the last page."""


class HookShownOnce(TypedDict):
    id: str
    """Unique id."""
    botId: str
    """Id of the bot."""
    name: str
    """Name, for people."""
    path: str
    """Path of the URL to post to, on this server."""
    state: Literal["active", "paused"]
    """`paused`: it starts no runs."""
    pauseReason: PauseReason | None
    """Why the service paused the hook. Null if a person paused it."""
    secretLostSince: str | None
    """
    Time since which the service cannot open the signing secret. Posts are refused with 503 until the secret is
    rotated. Null: it can.
    """
    lastReceivedAt: str | None
    """Time of the last post that started a run."""
    lastRunId: str | None
    """Id of the last run that it started. Null if it never has."""
    createdBy: str
    """The person on whose behalf runs start, in their conversation with the bot."""
    createdAt: str
    """When it was created."""
    secret: str
    """The secret that signs posts. Only this response contains it: store it now."""


class Invitation(TypedDict):
    """An invitation. The link is sent by mail only and never returned."""
    id: str
    """Unique id."""
    email: str
    """E-mail address."""
    role: Literal["admin", "member"]
    """Role in the organisation."""
    invitedBy: str
    """`userId` of the member who sent the invitation."""
    createdAt: str
    """When it was created."""
    expiresAt: str
    """When it expires."""
    acceptedAt: str | None
    """When the invitation was accepted. Null if it was not."""
    revokedAt: str | None
    """When it was revoked. Null if it was not."""


class InvitationAcceptedEventData(TypedDict):
    """What the event is about."""
    userId: str
    """Id of the person."""
    role: MemberRole
    invitationId: str
    """Id of the invitation."""


class InvitationAcceptedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for every attempt. Use it to detect duplicates."""
    event: Literal["invitation.accepted"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    organisationId: str
    """Id of the organisation."""
    data: InvitationAcceptedEventData
    """What the event is about."""


class InvitationList(TypedDict):
    data: list[Invitation]
    """Newest first."""
    nextCursor: str | None
    """Pass it as `cursor` to read the next page. Null on the last page."""


class Key(TypedDict):
    """A credential of the organisation."""
    id: str
    """Unique id."""
    name: str
    """Name, for people."""
    prefix: str
    """The first 12 characters of the key."""
    scope: KeyScope
    createdBy: str
    """The person to whom the key is bound. Calls with the key act as this person."""
    createdAt: str
    """When it was created."""
    expiresAt: str
    """When it expires."""
    lastUsedAt: str | None
    """Updated at most once a minute."""
    revokedAt: str | None
    """When it was revoked. Null if it was not."""
    usable: bool
    """
    Whether calls with the key are accepted. False if the key is revoked or expired, or while its person is not
    an owner or admin.
    """
    allowedIps: list[str] | None
    """The blocks of addresses from which the key is accepted, in CIDR notation. Null: any address."""
    ratePerMinute: int | None
    """Requests per minute of this key. Null: 300."""


class KeyCreatedEventData(TypedDict):
    """What the event is about."""
    keyId: str
    """Id of the API key."""
    scope: KeyScope
    userId: str
    """Id of the person whose key it is."""


class KeyCreatedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for every attempt. Use it to detect duplicates."""
    event: Literal["key.created"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    organisationId: str
    """Id of the organisation."""
    data: KeyCreatedEventData
    """What the event is about."""


class KeyExpiringEventData(TypedDict):
    """What the event is about."""
    keyId: str
    """Id of the API key."""
    scope: KeyScope
    userId: str
    """Id of the person whose key it is."""
    expiresAt: str
    """When it expires."""


class KeyExpiringEvent(TypedDict):
    id: str
    """Id of the delivery, the same for every attempt. Use it to detect duplicates."""
    event: Literal["key.expiring"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    organisationId: str
    """Id of the organisation."""
    data: KeyExpiringEventData
    """What the event is about."""


class KeyList(TypedDict):
    data: list[Key]
    """Newest first."""
    nextCursor: str | None
    """Pass it as `cursor` to read the next page. Null on the last page."""


class KeyRevokedEventData(TypedDict):
    """What the event is about."""
    keyId: str
    """Id of the API key."""
    scope: KeyScope
    userId: str
    """Id of the person whose key it is."""


class KeyRevokedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for every attempt. Use it to detect duplicates."""
    event: Literal["key.revoked"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    organisationId: str
    """Id of the organisation."""
    data: KeyRevokedEventData
    """What the event is about."""


KeyScope = Literal["read", "write", "admin"]
"""
`read`: every GET except those of keys, hooks, webhooks, deliveries, `/events` and `/audit`. `write`: also
`/batch` and changes of bots, memories, runs and routines, except `/memories/erase`. `admin`: everything.
"""


class KeyShownOnce(TypedDict):
    id: str
    """Unique id."""
    name: str
    """Name, for people."""
    prefix: str
    """The first 12 characters of the key."""
    scope: KeyScope
    createdBy: str
    """The person to whom the key is bound. Calls with the key act as this person."""
    createdAt: str
    """When it was created."""
    expiresAt: str
    """When it expires."""
    lastUsedAt: str | None
    """Updated at most once a minute."""
    revokedAt: str | None
    """When it was revoked. Null if it was not."""
    usable: bool
    """
    Whether calls with the key are accepted. False if the key is revoked or expired, or while its person is not
    an owner or admin.
    """
    allowedIps: list[str] | None
    """The blocks of addresses from which the key is accepted, in CIDR notation. Null: any address."""
    ratePerMinute: int | None
    """Requests per minute of this key. Null: 300."""
    key: str
    """The key. Only this response contains it: store it now."""


KeyState = Literal["live", "expired", "revoked"]
"""`live`: neither revoked nor expired. `expired`: expired without being revoked."""


class KeyUsageDaysItem(TypedDict):
    day: str
    """The day in UTC, by the time of the response."""
    requests: int
    """Requests with the key. A batch is one."""
    refusals: int
    """Requests of these that were refused: status 400 to 499."""


class KeyUsage(TypedDict):
    """Requests of a key per day."""
    keyId: str
    """Id of the key."""
    days: list[KeyUsageDaysItem]
    """The last 90 days, newest first. Days without requests are missing."""


Language = Literal["simple", "danish", "dutch", "english", "finnish", "french", "german", "hungarian", "italian", "nepali", "norwegian", "portuguese", "russian", "spanish", "swedish", "turkish"]
"""Language of memory search: determines stemming and stop words. `simple` uses neither."""


LawfulBasis = Literal["consent", "contract", "legal_obligation", "vital_interests", "public_task", "legitimate_interests"]
"""The lawful basis for storing the memory: article 6 of the GDPR."""


class ListedMemory(TypedDict):
    """A memory in a list. In a search it has a `highlight`."""
    id: str
    """Unique id."""
    scope: Literal["organisation", "bot", "member"]
    """To whom the memory belongs: all members, members who see the bot, or one member."""
    botId: str | None
    """The bot to which the memory belongs. Null unless `scope` is `bot`."""
    kind: str
    """What the memory is, as one word of the organisation, such as `policy`."""
    subject: str
    """Whom or what the memory is about."""
    subjectKind: SubjectKind
    value: str
    """The statement."""
    confidence: float
    """How certain the statement is, from 0 to 1. Search ranks certain memories higher."""
    validTo: str | None
    """When the statement ends to be true. Null: no end is known."""
    provenance: Provenance
    createdAt: str
    """When it was created."""
    lawfulBasis: LawfulBasis
    highlight: NotRequired[Highlight]


class ListedMemoryList(TypedDict):
    data: list[ListedMemory]
    """Newest first."""
    nextCursor: str | None
    """Pass it as `cursor` to read the next page. Null on the last page."""


class MePerson(TypedDict):
    """The person of the key."""
    userId: str
    """Id of the person."""
    email: str
    """E-mail address."""
    displayName: str | None
    """Name of the person. Null if it is unknown."""
    role: MemberRole


class MeLimits(TypedDict):
    """Limits of the organisation with their present use."""
    liveKeys: Use
    liveWebhooks: Use
    openInvitations: Use
    invitationsPerHour: Use
    """Invitation mails in the last hour. The limit defaults to that of `seats`."""
    invitationsPerAddressPerDay: Use
    """Invitation mails to one address in the last 24 hours. `used` is the count of the address with the most."""
    seats: Use
    """Members plus open invitations."""
    runStartsPerHour: Use
    """Runs started by people and scripts in the last hour."""
    routineStartsPerHour: Use
    """Runs started by routines in the last hour."""
    webhookStartsPerHour: Use
    """Runs started by hooks in the last hour."""
    liveRoutines: Use
    liveHooks: Use
    monthlySpendMicroCents: Use


class Me(TypedDict):
    key: Key
    person: MePerson
    """The person of the key."""
    organisation: Organisation
    limits: MeLimits
    """Limits of the organisation with their present use."""


class Member(TypedDict):
    userId: str
    """Id of the person."""
    email: str
    """E-mail address."""
    displayName: str | None
    """Name of the person. Null if it is unknown."""
    role: MemberRole
    createdAt: str
    """Time at which the person became a member."""


class MemberAddedEventData(TypedDict):
    """What the event is about."""
    userId: str
    """Id of the person."""
    role: MemberRole


class MemberAddedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for every attempt. Use it to detect duplicates."""
    event: Literal["member.added"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    organisationId: str
    """Id of the organisation."""
    data: MemberAddedEventData
    """What the event is about."""


class MemberList(TypedDict):
    data: list[Member]
    """Newest first."""
    nextCursor: str | None
    """Pass it as `cursor` to read the next page. Null on the last page."""


class MemberRemovedEventData(TypedDict):
    """What the event is about."""
    userId: str
    """Id of the person."""
    role: MemberRole


class MemberRemovedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for every attempt. Use it to detect duplicates."""
    event: Literal["member.removed"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    organisationId: str
    """Id of the organisation."""
    data: MemberRemovedEventData
    """What the event is about."""


MemberRole = Literal["owner", "admin", "member"]
"""`owner` and `admin` manage the organisation and hold its keys. An organisation always has an owner."""


class MemberRoleChangedEventData(TypedDict):
    """What the event is about."""
    userId: str
    """Id of the person."""
    role: MemberRole


class MemberRoleChangedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for every attempt. Use it to detect duplicates."""
    event: Literal["member.role_changed"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    organisationId: str
    """Id of the organisation."""
    data: MemberRoleChangedEventData
    """What the event is about."""


class Memory(TypedDict):
    """A statement that bots can use in answers."""
    id: str
    """Unique id."""
    scope: Literal["organisation", "bot", "member"]
    """To whom the memory belongs: all members, members who see the bot, or one member."""
    botId: str | None
    """The bot to which the memory belongs. Null unless `scope` is `bot`."""
    kind: str
    """What the memory is, as one word of the organisation, such as `policy`."""
    subject: str
    """Whom or what the memory is about."""
    subjectKind: SubjectKind
    value: str
    """The statement."""
    confidence: float
    """How certain the statement is, from 0 to 1. Search ranks certain memories higher."""
    validTo: str | None
    """When the statement ends to be true. Null: no end is known."""
    provenance: Provenance
    createdAt: str
    """When it was created."""
    lawfulBasis: LawfulBasis


class MemoryChange(TypedDict):
    """A memory before one change."""
    id: str
    """Unique id."""
    changedAt: str
    """When the memory was changed or deleted."""
    changedBy: str | None
    """The person who made the change. Null if no key made it."""
    value: str
    """The statement."""
    confidence: float
    """How certain the statement is, from 0 to 1. Search ranks certain memories higher."""
    validTo: str | None
    """When the statement ends to be true. Null: no end is known."""
    provenance: Provenance
    lawfulBasis: LawfulBasis


class MemoryChangeList(TypedDict):
    data: list[MemoryChange]
    """Newest first."""
    nextCursor: str | None
    """Pass it as `cursor` to read the next page. Null on the last page."""


class MemoryCreatedEventData(TypedDict):
    """What the event is about."""
    memoryId: str
    """Id of the memory."""
    botId: str | None
    """Id of the bot that the memory belongs to. Null for other scopes."""


class MemoryCreatedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for every attempt. Use it to detect duplicates."""
    event: Literal["memory.created"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    organisationId: str
    """Id of the organisation."""
    data: MemoryCreatedEventData
    """What the event is about."""


class MemoryDeletedEventData(TypedDict):
    """What the event is about."""
    memoryId: str
    """Id of the memory."""
    botId: str | None
    """Id of the bot that the memory belongs to. Null for other scopes."""


class MemoryDeletedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for every attempt. Use it to detect duplicates."""
    event: Literal["memory.deleted"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    organisationId: str
    """Id of the organisation."""
    data: MemoryDeletedEventData
    """What the event is about."""


MemoryList = ListedMemoryList


class MemoryUpdatedEventData(TypedDict):
    """What the event is about."""
    memoryId: str
    """Id of the memory."""
    botId: str | None
    """Id of the bot that the memory belongs to. Null for other scopes."""


class MemoryUpdatedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for every attempt. Use it to detect duplicates."""
    event: Literal["memory.updated"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    organisationId: str
    """Id of the organisation."""
    data: MemoryUpdatedEventData
    """What the event is about."""


class Message(TypedDict):
    """One message of the conversation."""
    id: str
    """Unique id."""
    runId: str
    """Id of the run."""
    conversationId: str
    """Id of the conversation of the person with the bot."""
    author: Literal["person", "bot"]
    """Who wrote the message."""
    text: str
    """Plain text."""
    memoryIds: list[str]
    """The memories that the answer cites, best first."""
    createdAt: str
    """When it was created."""
    erasedAt: str | None
    """
    Time at which the answer was emptied because a memory that it cites was erased: `text` and `memoryIds` are
    then empty. Null otherwise.
    """


class MessageList(TypedDict):
    data: list[Message]
    """Newest first."""
    nextCursor: str | None
    """Pass it as `cursor` to read the next page. Null on the last page."""


class Model(TypedDict):
    id: str
    """Name of the model, as in `model` of a bot."""
    available: bool
    """Whether an executor served the model within the last minute. If false, `POST /runs` returns `unavailable`."""


class ModelList(TypedDict):
    data: list[Model]
    """Sorted by name, at most 2,001."""
    nextCursor: str | None
    """Always null: the list has one page."""


class Organisation(TypedDict):
    """One customer of the service."""
    id: str
    """Unique id."""
    name: str
    """Name, for people."""
    kind: OrganisationKind
    billingState: BillingState
    trialEndsAt: str | None
    """When the trial ends. Null without a trial."""
    createdAt: str
    """When it was created."""


OrganisationKind = Literal["team", "personal"]
"""`personal`: belongs to one person and has no members to manage."""


class OrganisationLimitReachedEventData(TypedDict):
    """What the event is about."""
    limit: str
    """Name of the limit in `GET /me`. New limits may be added."""
    maximum: int
    """The maximum of the limit."""
    used: int
    """Present use of the limit."""


class OrganisationLimitReachedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for every attempt. Use it to detect duplicates."""
    event: Literal["organisation.limit_reached"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    organisationId: str
    """Id of the organisation."""
    data: OrganisationLimitReachedEventData
    """What the event is about."""


class OwnOrganisationSeats(TypedDict):
    """Use of the organisation's seats."""
    limit: int
    """Maximum of members plus open invitations."""
    bought: int | None
    """Number of seats paid for. Null if seats are not counted."""
    members: int
    """Number of members."""
    openInvitations: int
    """Number of invitations that are neither accepted, revoked nor expired. Each reserves a seat."""


class OwnOrganisationUsage(TypedDict):
    """Cost of the runs of the current month (UTC)."""
    month: str
    """Calendar month in UTC, as `2026-11`."""
    spendMicroCents: int
    """Cost in micro-cents: 1,000,000 micro-cents are one cent."""
    limitMicroCents: int | None
    """The spending limit of the month in micro-cents. Null: no limit."""


class OwnOrganisation(TypedDict):
    id: str
    """Unique id."""
    name: str
    """Name, for people."""
    kind: OrganisationKind
    billingState: BillingState
    trialEndsAt: str | None
    """When the trial ends. Null without a trial."""
    createdAt: str
    """When it was created."""
    language: Language
    seats: OwnOrganisationSeats
    """Use of the organisation's seats."""
    usage: OwnOrganisationUsage
    """Cost of the runs of the current month (UTC)."""


PauseReason = Literal["creator_not_admin", "bot_not_visible", "schedule_ended"]
"""
`creator_not_admin`: the creator is no longer an owner or admin. `bot_not_visible`: the creator can no
longer see the bot or talk to it. `schedule_ended`: the schedule has no next time.
"""


PortalSection = Literal["overview", "endpoints", "events", "keys", "runs", "approvals", "bots", "memories", "routines", "hooks", "members", "audit"]
"""A section of the portal."""


class PortalSession(TypedDict):
    """A session of a member in the portal."""
    id: str
    """Unique id."""
    personId: str
    """`userId` of the member as whom the session acts."""
    createdBy: str | None
    """`userId` of the member whose key created the session. Null: an operator of the service."""
    sections: list[PortalSection] | None
    """The sections that the session reaches. Null: all that the member's role reaches."""
    readOnly: bool
    """Whether the session can only read."""
    returnUrl: str | None
    """Where the portal's way back leads."""
    createdAt: str
    """When it was created."""
    openedAt: str | None
    """When the link was used."""
    expiresAt: str
    """When it expires."""
    revokedAt: str | None
    """When the session was revoked, the person logged out, or its creator lost the role."""


class PortalSessionList(TypedDict):
    data: list[PortalSession]
    """Newest first."""
    nextCursor: str | None
    """Pass it as `cursor` to read the next page. Null on the last page."""


class PortalSessionShownOnce(TypedDict):
    id: str
    """Unique id."""
    personId: str
    """`userId` of the member as whom the session acts."""
    createdBy: str | None
    """`userId` of the member whose key created the session. Null: an operator of the service."""
    sections: list[PortalSection] | None
    """The sections that the session reaches. Null: all that the member's role reaches."""
    readOnly: bool
    """Whether the session can only read."""
    returnUrl: str | None
    """Where the portal's way back leads."""
    createdAt: str
    """When it was created."""
    openedAt: str | None
    """When the link was used."""
    expiresAt: str
    """When it expires."""
    revokedAt: str | None
    """When the session was revoked, the person logged out, or its creator lost the role."""
    url: str
    """
    The link to the portal, for the person's browser. It works once and within 5 minutes. Only this response
    contains it.
    """


class ProposedMemory(TypedDict):
    """The memory that approval stores: of the organisation, the run's bot, or the run's person."""
    scope: Literal["organisation", "bot", "member"]
    """To whom the memory belongs: all members, members who see the bot, or one member."""
    kind: str
    """What the memory is, as one word of the organisation, such as `policy`."""
    subject: str
    """Whom or what the memory is about."""
    subjectKind: SubjectKind
    value: str
    """The statement."""
    confidence: float
    """How certain the statement is, from 0 to 1. Search ranks certain memories higher."""
    validTo: str | None
    """When the statement ends to be true. Null: no end is known."""
    lawfulBasis: LawfulBasis


class ProposedRun(TypedDict):
    """The run that approval starts. It is tainted like the run that proposed it."""
    botId: str
    """Id of the bot."""
    message: str
    """Message to the bot."""


Provenance = Literal["member", "run", "import", "run-tainted"]
"""
How the memory was created: `member` by a person or script, `run` by a run, `run-tainted` by a tainted run,
`import` with a template. It never changes.
"""


class Received(TypedDict):
    runId: str
    """Id of the run."""


RecoverWhat = Literal["failed", "missing"]
"""
`failed`: failed deliveries created in the period. `missing`: events of the period that the endpoint
subscribes to now, but has no delivery of, because it was paused, disabled or not yet created.
"""


class Recovery(TypedDict):
    webhookId: str
    """Id of the webhook endpoint."""
    include: RecoverWhat
    recovered: int
    """Number of deliveries that became pending by this call."""
    hasMore: bool
    """Whether part of the period is left."""
    nextSince: str | None
    """The `since` of the next call, with the same `until`. Null if nothing is left."""


class Routine(TypedDict):
    id: str
    """Unique id."""
    botId: str
    """Id of the bot."""
    name: str
    """Name, for people."""
    schedule: str
    """When the routine starts a run: a cron expression of five fields."""
    timeZone: str
    """The IANA time zone of `schedule`."""
    message: str
    """Message to the bot."""
    state: Literal["active", "paused"]
    """`paused`: it starts no runs."""
    pauseReason: PauseReason | None
    """Why the service paused the routine. Null if a person paused it."""
    nextFiringAt: str | None
    """Null while paused, and briefly after a change."""
    lastFiredAt: str | None
    """When the routine last started a run. Null if it never has."""
    lastRunId: str | None
    """Id of the last run that it started. Null if it never has."""
    lastSkippedAt: str | None
    """Time of the last firing that could not start a run."""
    lastSkipReason: Literal["payment_required", "quota_exceeded", "unavailable"] | None
    """The refusal of that firing, as of `POST /runs`."""
    createdBy: str
    """The person on whose behalf runs start, in their conversation with the bot."""
    createdAt: str
    """When it was created."""


class RoutineList(TypedDict):
    data: list[Routine]
    """Newest first."""
    nextCursor: str | None
    """Pass it as `cursor` to read the next page. Null on the last page."""


class RunError(TypedDict):
    """Why the run failed. Null unless it is `failed`."""
    code: RunErrorCode
    message: str
    """A fixed sentence for people."""


class Run(TypedDict):
    """One request to a bot, from the message that starts it to its end."""
    id: str
    """Unique id."""
    botId: str
    """Id of the bot."""
    conversationId: str
    """Id of the conversation of the person with the bot."""
    routineId: str | None
    """Id of the routine that started the run. Null if none did."""
    state: RunState
    trigger: RunTrigger
    taint: bool
    """Whether the run contains text from outside the organisation."""
    steps: int
    """Number of recorded steps."""
    spendMicroCents: int
    """In micro-cents: 1,000,000 micro-cents are one cent."""
    error: RunError | None
    """Why the run failed. Null unless it is `failed`."""
    createdAt: str
    """When it was created."""
    finishedAt: str | None
    """When the run ended. Null while it has not."""
    message: NotRequired[str | None]
    """
    The first 200 characters of the message that started the run. Null if another person sent it. Only in lists
    with `include=message`.
    """


class RunApprovalEventData(TypedDict):
    """What the event is about."""
    approvalId: str
    """Id of the approval."""
    runId: str
    """Id of the run."""
    botId: str
    """Id of the bot."""
    conversationId: str
    """Id of the conversation of the person with the bot."""
    kind: str
    """Kind of approval. New kinds may be added."""
    state: str
    """State of the approval. New states may be added."""
    createdAt: str
    """When it was created."""
    expiresAt: str
    """When it expires."""


class RunApprovalEvent(TypedDict):
    """
    The run needs an approval, as in the webhook event `approval.needed`. Sent only to the person of the
    conversation.
    """
    id: int
    """Number of the event, from 1. Send it as `Last-Event-ID` to continue after this event."""
    event: Literal["approval"]
    """Kind of the event."""
    data: RunApprovalEventData
    """What the event is about."""


class RunBlockedEventData(TypedDict):
    """What the event is about."""
    runId: str
    """Id of the run."""
    botId: str
    """Id of the bot."""
    conversationId: str
    """Id of the conversation of the person with the bot."""
    routineId: str | None
    """Id of the routine that started the run. Null if none did."""
    trigger: RunTrigger
    taint: bool
    """Whether the run contains text from outside the organisation."""
    state: Literal["blocked"]
    """State of the run."""
    steps: int
    """Number of recorded steps."""
    spendMicroCents: int
    """Cost in micro-cents: 1,000,000 micro-cents are one cent."""


class RunBlockedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for every attempt. Use it to detect duplicates."""
    event: Literal["run.blocked"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    organisationId: str
    """Id of the organisation."""
    data: RunBlockedEventData
    """What the event is about."""


class RunEndEvent(TypedDict):
    """The run has ended. The last event."""
    id: int
    """Number of the event, from 1. Send it as `Last-Event-ID` to continue after this event."""
    event: Literal["end"]
    """Kind of the event."""
    data: Run


RunErrorCode = Literal["budget_steps", "budget_spend", "budget_time", "executor_failed", "executor_lost", "refused", "internal"]
"""Why the run failed. `budget_…`: it used all of its steps, money or time."""


class RunStateEvent(TypedDict):
    """The state changed. `data` is the run at that time."""
    id: int
    """Number of the event, from 1. Send it as `Last-Event-ID` to continue after this event."""
    event: Literal["state"]
    """Kind of the event."""
    data: Run


class RunStepEvent(TypedDict):
    """The executor recorded a step."""
    id: int
    """Number of the event, from 1. Send it as `Last-Event-ID` to continue after this event."""
    event: Literal["step"]
    """Kind of the event."""
    data: Step


class RunMessageEvent(TypedDict):
    """The bot wrote a message. Sent only to the person of the conversation."""
    id: int
    """Number of the event, from 1. Send it as `Last-Event-ID` to continue after this event."""
    event: Literal["message"]
    """Kind of the event."""
    data: Message


RunEvent = RunStateEvent | RunStepEvent | RunMessageEvent | RunApprovalEvent | RunEndEvent
"""Fields of one server-sent event. `data` is JSON on one line."""


class RunFinishedEventData(TypedDict):
    """What the event is about."""
    runId: str
    """Id of the run."""
    botId: str
    """Id of the bot."""
    conversationId: str
    """Id of the conversation of the person with the bot."""
    routineId: str | None
    """Id of the routine that started the run. Null if none did."""
    state: Literal["completed", "failed", "cancelled"]
    """How the run ended."""
    trigger: RunTrigger
    steps: int
    """Number of recorded steps."""
    spendMicroCents: int
    """In micro-cents: 1,000,000 micro-cents are one cent."""
    taint: bool
    """Whether the run contains text from outside the organisation."""
    finishedAt: str
    """When the run ended. Null while it has not."""


class RunFinishedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for every attempt. Use it to detect duplicates."""
    event: Literal["run.finished"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    organisationId: str
    """Id of the organisation."""
    data: RunFinishedEventData
    """What the event is about."""


class RunList(TypedDict):
    data: list[Run]
    """Newest first."""
    nextCursor: str | None
    """Pass it as `cursor` to read the next page. Null on the last page."""


class RunStartedEventData(TypedDict):
    """What the event is about."""
    runId: str
    """Id of the run."""
    botId: str
    """Id of the bot."""
    conversationId: str
    """Id of the conversation of the person with the bot."""
    routineId: str | None
    """Id of the routine that started the run. Null if none did."""
    trigger: RunTrigger
    taint: bool
    """Whether the run contains text from outside the organisation."""
    state: Literal["running"]
    """State of the run."""


class RunStartedEvent(TypedDict):
    id: str
    """Id of the delivery, the same for every attempt. Use it to detect duplicates."""
    event: Literal["run.started"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    organisationId: str
    """Id of the organisation."""
    data: RunStartedEventData
    """What the event is about."""


RunState = Literal["queued", "running", "waiting_approval", "blocked", "paused_limit", "completed", "failed", "cancelled"]
"""
`queued`: waits for an executor or for another run of its conversation. `waiting_approval`: waits for a
person's answer. `blocked`: the bot stopped, and the person has to resume the run. `paused_limit`: the
spending limit is reached; the run continues in the next month. Ends: `completed`, `failed`, `cancelled`.
"""


RunTrigger = Literal["api", "message", "routine", "webhook"]
"""What started the run. Runs started through this API have `api`."""


class Step(TypedDict):
    """One recorded action of a run, with its tokens and cost."""
    runId: str
    """Id of the run."""
    number: int
    """From 1, in the order of recording."""
    kind: str
    """The executor's name for the step, for example `recall` or `answer`."""
    inputTokens: int
    """Number of tokens that the model read."""
    outputTokens: int
    """Number of tokens that the model wrote."""
    spendMicroCents: int
    """In micro-cents: 1,000,000 micro-cents are one cent."""
    createdAt: str
    """When it was created."""


class StepList(TypedDict):
    data: list[Step]
    """Newest first."""
    nextCursor: str | None
    """Pass it as `cursor` to read the next page. Null on the last page."""


SubjectKind = Literal["organisation", "member", "third_party"]
"""
Whom or what the memory is about. A third party is not a member; memories of some kinds must not be stored
about third parties.
"""


SubscribableEvent = Literal["run.finished", "approval.needed", "run.started", "run.blocked", "endpoint.disabled", "member.added", "member.removed", "member.role_changed", "invitation.accepted", "key.created", "key.revoked", "memory.created", "memory.updated", "memory.deleted", "organisation.limit_reached", "key.expiring"]
"""Webhook events are described under `webhooks` in this document."""


class Use(TypedDict):
    """A limit and its current use."""
    limit: int | None
    """Null if there is no limit."""
    used: int
    """Present use of the limit."""


class Webhook(TypedDict):
    id: str
    """Unique id."""
    url: str
    """Address that receives the deliveries."""
    description: str | None
    """Text for people who look after the endpoint. Not sent to it."""
    events: list[SubscribableEvent]
    """Kinds of events that are sent to the endpoint."""
    botIds: list[str] | None
    """Only events of these bots are sent, and events that concern no bot. Null: events of all bots are sent."""
    runStates: list[Literal["running", "blocked", "completed", "failed", "cancelled"]] | None
    """
    Only events `run.started`, `run.blocked` and `run.finished` with one of these states are sent. Other kinds
    are sent in any case. Null: all are sent.
    """
    orderPerRun: bool
    """
    Whether a delivery waits until every earlier delivery of its run to this endpoint was delivered or has
    failed. Applies to events after the change.
    """
    state: WebhookState
    consecutiveFailures: int
    """Failed deliveries in a row; 10 disable the endpoint. A successful delivery resets the number."""
    failingSince: str | None
    """Time since which attempts fail. Null if the last attempt succeeded, and before the first."""
    secretLostSince: str | None
    """
    Time since which the service cannot open the signing secret. Deliveries wait until the secret is rotated.
    Null: it can.
    """
    disabledReason: Literal["consecutive_failures", "gone", "operator"] | None
    """
    Why the endpoint was disabled: too many failed deliveries in a row, a response with status 410, or an
    operator. Null unless it is `disabled`.
    """
    disabledAt: str | None
    """When the endpoint was disabled. Null unless it is `disabled`."""
    createdAt: str
    """When it was created."""
    lastDeliveryAt: str | None
    """Time of the last 2xx response."""


class WebhookList(TypedDict):
    data: list[Webhook]
    """Newest first."""
    nextCursor: str | None
    """Pass it as `cursor` to read the next page. Null on the last page."""


class WebhookShownOnce(TypedDict):
    id: str
    """Unique id."""
    url: str
    """Address that receives the deliveries."""
    description: str | None
    """Text for people who look after the endpoint. Not sent to it."""
    events: list[SubscribableEvent]
    """Kinds of events that are sent to the endpoint."""
    botIds: list[str] | None
    """Only events of these bots are sent, and events that concern no bot. Null: events of all bots are sent."""
    runStates: list[Literal["running", "blocked", "completed", "failed", "cancelled"]] | None
    """
    Only events `run.started`, `run.blocked` and `run.finished` with one of these states are sent. Other kinds
    are sent in any case. Null: all are sent.
    """
    orderPerRun: bool
    """
    Whether a delivery waits until every earlier delivery of its run to this endpoint was delivered or has
    failed. Applies to events after the change.
    """
    state: WebhookState
    consecutiveFailures: int
    """Failed deliveries in a row; 10 disable the endpoint. A successful delivery resets the number."""
    failingSince: str | None
    """Time since which attempts fail. Null if the last attempt succeeded, and before the first."""
    secretLostSince: str | None
    """
    Time since which the service cannot open the signing secret. Deliveries wait until the secret is rotated.
    Null: it can.
    """
    disabledReason: Literal["consecutive_failures", "gone", "operator"] | None
    """
    Why the endpoint was disabled: too many failed deliveries in a row, a response with status 410, or an
    operator. Null unless it is `disabled`.
    """
    disabledAt: str | None
    """When the endpoint was disabled. Null unless it is `disabled`."""
    createdAt: str
    """When it was created."""
    lastDeliveryAt: str | None
    """Time of the last 2xx response."""
    secret: str
    """The secret that signs deliveries. Only this response contains it: store it now."""


WebhookState = Literal["active", "paused", "disabled"]
"""`paused`: deliveries wait. `disabled`: deliveries fail without an attempt."""


class WebhookStatsTotals(TypedDict):
    """Numbers of the whole period."""
    deliveries: DeliveryStats
    attempts: AttemptStats


class WebhookStatsHoursItem(TypedDict):
    hour: str
    """Start of the hour."""
    deliveries: DeliveryStats
    attempts: AttemptStats


class WebhookStats(TypedDict):
    webhookId: str
    """Id of the webhook endpoint."""
    since: str
    """Start of the first hour."""
    until: str
    """End of the last hour."""
    totals: WebhookStatsTotals
    """Numbers of the whole period."""
    hours: list[WebhookStatsHoursItem]
    """Oldest first. Hours without activity are included with zeros."""


class WebhookTestEventData(TypedDict):
    """What the event is about."""
    webhookId: str
    """Id of the webhook endpoint."""


class WebhookTestEvent(TypedDict):
    id: str
    """Id of the delivery, the same for every attempt. Use it to detect duplicates."""
    event: Literal["webhook.test"]
    """Kind of the event."""
    createdAt: str
    """When it was created."""
    organisationId: str
    """Id of the organisation."""
    data: WebhookTestEventData
    """What the event is about."""


class RefusalDetailsItem(TypedDict):
    path: str
    """For example `body.name`, `query.limit` or `headers.idempotency-key`."""
    message: str
    """What the field has to be."""


class Refusal(TypedDict):
    """A refusal. Decide by `code`; `message` is a fixed sentence per code."""
    code: Literal["invalid_request", "unauthenticated", "payment_required", "forbidden", "not_found", "not_supported", "conflict", "idempotency_in_progress", "payload_too_large", "idempotency_mismatch", "quota_exceeded", "rate_limited", "internal", "unavailable"]
    """`not_supported`: the path does not have the method. The header Allow lists its methods."""
    message: str
    """The same sentence for every refusal with this code."""
    requestId: str
    """The value of the header X-Request-Id."""
    details: NotRequired[list[RefusalDetailsItem]]
    """Only with `invalid_request`: up to 100 invalid fields. Submitted values are not included."""


DeliveryEvent = RunFinishedEvent | ApprovalNeededEvent | WebhookTestEvent | RunStartedEvent | RunBlockedEvent | EndpointDisabledEvent | MemberAddedEvent | MemberRemovedEvent | MemberRoleChangedEvent | InvitationAcceptedEvent | KeyCreatedEvent | KeyRevokedEvent | MemoryCreatedEvent | MemoryUpdatedEvent | MemoryDeletedEvent | OrganisationLimitReachedEvent | KeyExpiringEvent
"""A webhook event. Later versions may add kinds."""


class OrganisationChanges(TypedDict):
    name: NotRequired[str]
    """Name, for people."""
    language: NotRequired[Language]


class NewKey(TypedDict):
    name: str
    """Name, for people."""
    scope: NotRequired[KeyScope]
    expiresInDays: NotRequired[int]
    """Lifetime of the key in days."""
    allowedIps: NotRequired[list[str] | None]
    """
    The key is accepted from these addresses only: single ones, or blocks in CIDR notation such as
    `192.0.2.0/24`. Elsewhere it is refused as an unknown key is. Null: any address. An empty list is refused.
    """
    ratePerMinute: NotRequired[int | None]
    """Requests per minute of this key, at most the 300 of any key. Null: 300. A change applies within a minute."""


class KeyChanges(TypedDict):
    name: NotRequired[str]
    """Name, for people."""
    allowedIps: NotRequired[list[str] | None]
    """
    The key is accepted from these addresses only: single ones, or blocks in CIDR notation such as
    `192.0.2.0/24`. Elsewhere it is refused as an unknown key is. Null: any address. An empty list is refused.
    """
    ratePerMinute: NotRequired[int | None]
    """Requests per minute of this key, at most the 300 of any key. Null: 300. A change applies within a minute."""


class KeyRotation(TypedDict):
    overlapHours: NotRequired[int]
    """Hours for which both keys work. The old key never lives longer than before."""


class NewBot(TypedDict):
    name: str
    """Name, for people."""
    instructions: NotRequired[str]
    """What the bot should do, as text for its model."""
    model: NotRequired[str]
    """A model listed by `GET /models`."""
    visibility: NotRequired[BotVisibility]
    directConversation: NotRequired[DirectConversation]


class BotChanges(TypedDict):
    name: NotRequired[str]
    """Name, for people."""
    instructions: NotRequired[str]
    """What the bot should do, as text for its model."""
    model: NotRequired[str]
    """A model listed by `GET /models`."""
    visibility: NotRequired[BotVisibility]
    directConversation: NotRequired[DirectConversation]


class NewMemory(TypedDict):
    """`botId` is required with scope `bot`, and must be omitted with scope `organisation`."""
    scope: Literal["organisation", "bot"]
    """To whom the memory belongs: all members, members who see the bot, or one member."""
    botId: NotRequired[str | None]
    """Id of the bot."""
    kind: str
    """What the memory is, as one word of the organisation, such as `policy`."""
    subject: str
    """Whom or what the memory is about."""
    subjectKind: NotRequired[SubjectKind]
    value: str
    """The statement."""
    confidence: NotRequired[float]
    """How certain the statement is, from 0 to 1. Search ranks certain memories higher."""
    validTo: NotRequired[str | None]
    """When the statement ends to be true. Null: no end is known."""
    lawfulBasis: NotRequired[LawfulBasis]


class MemoryChanges(TypedDict):
    value: NotRequired[str]
    """The statement."""
    confidence: NotRequired[float]
    """How certain the statement is, from 0 to 1. Search ranks certain memories higher."""
    validTo: NotRequired[str | None]
    """When the statement ends to be true. Null: no end is known."""
    lawfulBasis: NotRequired[LawfulBasis]


class Subject(TypedDict):
    subjectKind: SubjectKind
    subject: str
    """Whom or what the memory is about."""


class NewRun(TypedDict):
    botId: str
    """Id of the bot."""
    message: str
    """Message to the bot."""
    untrusted: NotRequired[bool]
    """Set to true if the text comes from outside the organisation: the run is tainted and has fewer capabilities."""


class ResumedRun(TypedDict):
    message: NotRequired[str]
    """A message to the bot. Optional."""
    untrusted: NotRequired[bool]
    """Set to true if the text comes from outside the organisation: the run becomes tainted."""


class NewRoutine(TypedDict):
    botId: str
    """Id of the bot."""
    name: str
    """Name, for people."""
    schedule: str
    """
    A cron expression of five fields: minute, hour, day of month, month, day of week. A field is `*`, a number,
    a range, a list or a step (`*/15`, `9-17/2`). Months and weekdays can be names (`MON-FRI`); Sunday is 0 or
    7. If both day fields are restricted, either one suffices. A step such as `*/2` restricts; `*` and `*/1` do
    not.

    With fixed hours, a time skipped by daylight saving fires at the change, and a repeated time fires once.
    With `*` or `*/2` as the hour, firings follow elapsed time.
    """
    timeZone: NotRequired[str]
    """IANA time zone, for example `Europe/Berlin`."""
    message: str
    """Message to the bot."""


class RoutineChanges(TypedDict):
    name: NotRequired[str]
    """Name, for people."""
    schedule: NotRequired[str]
    """
    A cron expression of five fields: minute, hour, day of month, month, day of week. A field is `*`, a number,
    a range, a list or a step (`*/15`, `9-17/2`). Months and weekdays can be names (`MON-FRI`); Sunday is 0 or
    7. If both day fields are restricted, either one suffices. A step such as `*/2` restricts; `*` and `*/1` do
    not.

    With fixed hours, a time skipped by daylight saving fires at the change, and a repeated time fires once.
    With `*` or `*/2` as the hour, firings follow elapsed time.
    """
    timeZone: NotRequired[str]
    """IANA time zone, for example `Europe/Berlin`."""
    message: NotRequired[str]
    """Message to the bot."""
    state: NotRequired[Literal["active", "paused"]]
    """`paused`: it starts no runs."""


class NewHook(TypedDict):
    botId: str
    """Id of the bot."""
    name: str
    """Name, for people."""


class HookChanges(TypedDict):
    name: NotRequired[str]
    """Name, for people."""
    state: NotRequired[Literal["active", "paused"]]
    """`paused`: it starts no runs."""


class NewWebhook(TypedDict):
    url: str
    """
    An `https` URL with a public host name or public address. User names, fragments, backslashes and port 0 are
    not allowed.
    """
    description: NotRequired[str | None]
    """Text for people who look after the endpoint. Not sent to it."""
    events: list[SubscribableEvent]
    """Kinds of events that are sent to the endpoint."""
    botIds: NotRequired[list[str] | None]
    """Only events of these bots are sent, and events that concern no bot. Null: events of all bots are sent."""
    runStates: NotRequired[list[Literal["running", "blocked", "completed", "failed", "cancelled"]] | None]
    """
    Only events `run.started`, `run.blocked` and `run.finished` with one of these states are sent. Other kinds
    are sent in any case. Null: all are sent.
    """
    orderPerRun: NotRequired[bool]
    """
    Whether a delivery waits until every earlier delivery of its run to this endpoint was delivered or has
    failed. Applies to events after the change.
    """


class WebhookChanges(TypedDict):
    url: NotRequired[str]
    """
    An `https` URL with a public host name or public address. User names, fragments, backslashes and port 0 are
    not allowed.
    """
    description: NotRequired[str | None]
    """Text for people who look after the endpoint. Not sent to it."""
    events: NotRequired[list[SubscribableEvent]]
    """Kinds of events that are sent to the endpoint."""
    botIds: NotRequired[list[str] | None]
    """Only events of these bots are sent, and events that concern no bot. Null: events of all bots are sent."""
    runStates: NotRequired[list[Literal["running", "blocked", "completed", "failed", "cancelled"]] | None]
    """
    Only events `run.started`, `run.blocked` and `run.finished` with one of these states are sent. Other kinds
    are sent in any case. Null: all are sent.
    """
    orderPerRun: NotRequired[bool]
    """
    Whether a delivery waits until every earlier delivery of its run to this endpoint was delivered or has
    failed. Applies to events after the change.
    """
    state: NotRequired[Literal["active", "paused"]]
    """`paused`: deliveries wait. `active` also enables a disabled endpoint."""


class RecoveryRequest(TypedDict):
    since: str
    """Start of the period, inclusive. Cannot be in the future, or earlier than deliveries are stored."""
    until: NotRequired[str]
    """End of the period, exclusive. Defaults to the current time."""
    include: RecoverWhat


class MemberChanges(TypedDict):
    role: MemberRole


class NewInvitation(TypedDict):
    email: str
    """E-mail address."""
    role: NotRequired[Literal["admin", "member"]]
    """Role in the organisation."""


class NewPortalSession(TypedDict):
    personId: NotRequired[str]
    """`userId` of a member. Default: the person of the key."""
    userId: NotRequired[str]
    """The same as `personId`, by the name that members have."""
    sections: NotRequired[list[PortalSection]]
    """The sections that the session reaches. Default: all that the member's role reaches."""
    returnUrl: NotRequired[str]
    """Where the portal's way back leads."""
    expiresInMinutes: NotRequired[int]
    """Minutes until the session ends, from the creation of the link."""


class Batch(TypedDict):
    atomic: NotRequired[bool]
    """If true, the first refusal undoes all operations, and the others return `conflict`."""
    operations: list[BatchOperation]
    """The operations, in the order of their execution."""


class NewOrganisationOwner(TypedDict):
    """The person who becomes the owner."""
    email: str
    """E-mail address."""
    displayName: NotRequired[str | None]
    """Name of the person. Null if it is unknown."""


class NewOrganisation(TypedDict):
    name: str
    """Name, for people."""
    kind: NotRequired[OrganisationKind]
    owner: NewOrganisationOwner
    """The person who becomes the owner."""


class NewOwnerKey(TypedDict):
    name: NotRequired[str]
    """Name, for people."""
    expiresInDays: NotRequired[int]
    """Lifetime of the key in days."""
