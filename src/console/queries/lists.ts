/** Queries of lists that the database sorts, filters and pages. They differ in the list and in the fields of its rows. */

const delivery =
  "id event state attempts maxAttempts lastStatusCode lastFailure createdAt lastAttemptAt nextAttemptAt deliveredAt";
const mail = "id kind recipient createdAt sentAt state";
const operatorAction = "id operator action subjectId arguments reason createdAt";
const ofOrganisation = "organisation { id name }";

/** The field of the list, the GraphQL type of its rows, and the fields of a row. */
type List = [list: string, type: string, row: string];

const listsOfOrganisation: List[] = [
  ["members", "Member", "id personId email displayName role createdAt"],
  [
    "keys",
    "ApiKey",
    "id name prefix scope createdAt expiresAt rotatedAt lastUsedAt revokedAt state creator { id email }",
  ],
  ["bots", "Bot", "id name model visibility directConversation createdAt state owner { id email }"],
  ["invitations", "Invitation", "id email role state createdAt expiresAt acceptedAt revokedAt inviter { id email }"],
  [
    "endpoints",
    "WebhookEndpoint",
    `id host path description events state status consecutiveFailures degradedSince disabledReason disabledAt
     lastDeliveryAt createdAt deletedAt`,
  ],
  ["deliveries", "Delivery", `${delivery} endpoint { id host path description }`],
  ["runs", "Run", "id state trigger taint steps spendMicroCents error createdAt finishedAt bot { id name }"],
  ["events", "Event", "id kind runId approvalId createdAt"],
  ["approvals", "Approval", "id kind state mailed createdAt expiresAt answeredAt runId person { id email }"],
  [
    "routines",
    "Routine",
    `id name schedule timeZone status pauseReason nextFiringAt lastFiredAt lastRunId lastSkippedAt lastSkipReason
     createdAt bot { id name }`,
  ],
  ["hooks", "Hook", "id name status pauseReason lastReceivedAt lastRunId createdAt bot { id name }"],
  ["mails", "Mail", mail],
  ["erasures", "Erasure", "id subjectKind memories history proposals answers complete erasedBy keyId erasedAt"],
  ["restrictionChanges", "ThirdPartyRestrictionChange", "id kind change reason changedAt"],
  [
    "auditLog",
    "AuditEntry",
    `id createdAt actor keyId operator reason requestId action resource resourceId changed before after
     person { id email }`,
  ],
  ["operatorActions", "OperatorAction", operatorAction],
];

const lists: List[] = [
  ["organisations", "Organisation", "id name kind billingState state trialEndsAt createdAt"],
  ["mails", "Mail", `${mail} ${ofOrganisation}`],
  ["operatorActions", "OperatorAction", `${operatorAction} ${ofOrganisation}`],
];

/** @param order without `orderBy` */
const variables = (type: string, order?: string): string =>
  `$first: Int = 50, $after: Cursor, $condition: ${type}Condition, $orderBy: [${type}OrderBy!]${order ? ` = [${order}]` : ""}`;

const rowsOf = ([list, , row]: List): string =>
  `${list}(first: $first, after: $after, condition: $condition, orderBy: $orderBy) {
    nodes { ${row} } pageInfo { hasNextPage endCursor }
  }`;

const inKebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const waitingMails: List = [
  "waitingMails",
  "WaitingMail",
  `id kind recipient attempts createdAt nextAttemptAt ${ofOrganisation}`,
];
const endpointDeliveries: List = ["deliveries", "Delivery", delivery];

/** By name, as the files of this folder. */
export const listQueries: Record<string, string> = {
  ...Object.fromEntries(
    listsOfOrganisation.map((list) => [
      `organisation-${inKebabCase(list[0])}`,
      `query ($organisation: UUID!, ${variables(list[1])}) { organisation(id: $organisation) { id name ${rowsOf(list)} } }`,
    ]),
  ),
  ...Object.fromEntries(
    lists.map((list) => [inKebabCase(list[0]), `query (${variables(list[1])}) { ${rowsOf(list)} }`]),
  ),
  "waiting-mails": `query (${variables(waitingMails[1], "PRIMARY_KEY_ASC")}) { ${rowsOf(waitingMails)} }`,
  "endpoint-deliveries": `query ($endpoint: UUID!, ${variables(endpointDeliveries[1])}) {
    webhookEndpoint(id: $endpoint) { id host ${rowsOf(endpointDeliveries)} }
  }`,
};
