/**
 * Values that all examples of the document share: one small organisation. A test sends each request example to the API,
 * with these ids replaced by ids of real rows.
 */
export const ids = {
  organisation: "019aa0e4-5b00-7a00-8000-000000000001",
  owner: "019aa0e4-5b00-7a00-8000-000000000002",
  member: "019aa0e4-5b00-7a00-8000-000000000003",
  key: "019aa0e4-5b00-7a00-8000-000000000004",
  bot: "019aa0e4-5b00-7a00-8000-000000000005",
  memory: "019aa0e4-5b00-7a00-8000-000000000006",
  conversation: "019aa0e4-5b00-7a00-8000-000000000007",
  run: "019aa0e4-5b00-7a00-8000-000000000008",
  message: "019aa0e4-5b00-7a00-8000-000000000009",
  webhook: "019aa0e4-5b00-7a00-8000-00000000000a",
  delivery: "019aa0e4-5b00-7a00-8000-00000000000b",
  invitation: "019aa0e4-5b00-7a00-8000-00000000000c",
  approval: "019aa0e4-5b00-7a00-8000-00000000000d",
  request: "019aa0e4-5b00-7a00-8000-00000000000e",
  deleted: "019aa0e4-5b00-7a00-8000-00000000000f",
  event: "019aa0e4-5b00-7a00-8000-000000000010",
  memoryChange: "019aa0e4-5b00-7a00-8000-000000000011",
  erasure: "019aa0e4-5b00-7a00-8000-000000000012",
  routine: "019aa0e4-5b00-7a00-8000-000000000013",
  hook: "019aa0e4-5b00-7a00-8000-000000000014",
  auditEntry: "019aa0e4-5b00-7a00-8000-000000000015",
  portalSession: "019aa0e4-5b00-7a00-8000-000000000016",
  auditStream: "019aa0e4-5b00-7a00-8000-000000000017",
  export: "019aa0e4-5b00-7a00-8000-000000000018",
} as const;

export const times = {
  organisationCreated: "2026-11-02T09:00:00.000Z",
  outage: "2026-11-20T11:00:00.000Z",
  created: "2026-11-20T14:30:00.000Z",
  finished: "2026-11-20T14:30:02.150Z",
  inAnHour: "2026-11-20T15:30:00.000Z",
  inADay: "2026-11-21T14:30:00.000Z",
  inAWeek: "2026-11-27T14:30:00.000Z",
  inDays90: "2027-02-18T14:30:00.000Z",
} as const;

/** Well-formed values without any use: the checksum of the key is wrong. */
export const secrets = {
  key: `bsk_${"ExampleKey".repeat(4)}123456789`,
  signing: `whsec_${"ExampleSecret".repeat(3)}1234=`,
} as const;
