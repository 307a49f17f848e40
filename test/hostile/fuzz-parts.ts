/** Hostile values for paths, queries and headers. */
import { absent } from "../support/requests.ts";
import { canaries } from "./fuzz-values.ts";

const { text, number, id } = canaries;

/** Replaces an id in a path. */
export const segments = [
  ...[absent, id, text, number, `${id}0`, "0", "-", "~", "*", ":id", "{id}", "null", "undefined", "__proto__"],
  ...[
    "%00",
    "%",
    "%zz",
    "%2e%2e%2f",
    "..%5c",
    "%ed%a0%80",
    "%F0%9D%92%B3",
    "%20",
    `${text}%0d%0a`,
    `%27%20or%20${number}=${number}--`,
  ],
  ...["a".repeat(200), "a".repeat(201), "%61".repeat(60)],
];

/** Replaces the value of a query parameter. */
export const parameters = [
  ...[
    text,
    number,
    "",
    "0",
    "1",
    "200",
    "201",
    "050",
    "-1",
    "+1",
    "1e2",
    "0x10",
    "1.0",
    "９",
    "NaN",
    "Infinity",
    "true",
    "TRUE",
  ],
  ...[
    id,
    "\0",
    `${text}\0`,
    "\ufeff1",
    "a".repeat(4_000),
    "0".repeat(40),
    "f".repeat(40),
    `${text}=&?#`,
    "' or 1=1 --",
    "[]",
    "{}",
  ],
].map(encodeURIComponent);

/** Replaces the query string. */
export const queries = [
  ...[
    "",
    "?",
    "&",
    "=",
    "%",
    "%zz=%zz",
    "%00=%00",
    "__proto__=1&constructor=2",
    `${text}=${text}`,
    "limit",
    "limit=&limit=",
  ],
  ...[
    `organisationId=${id}`,
    "limit=1&limit=2",
    "limit%5B%5D=1",
    "limit[$gt]=1",
    "cursor=%ed%a0%80",
    `a=${"b".repeat(8_000)}`,
  ],
  "&".repeat(3_000),
];

/** Replaces the usual headers; null omits one. */
export const rareHeaders: Record<string, string | null>[] = [
  ...[{ "idempotency-key": null }, { "idempotency-key": "" }, { "idempotency-key": `käse ${text}` }],
  ...[{ "idempotency-key": text.repeat(30) }, { "idempotency-key": `again and again ${text}` }],
  ...[
    { "content-type": `text/${text}` },
    { "content-type": `application/json; charset=${text}` },
    { "content-type": "" },
  ],
  ...[
    { "content-encoding": text },
    { "content-encoding": "gzip" },
    { authorization: text },
    { authorization: "Bearer" },
  ],
  ...[
    { authorization: `Bearer bsk_${text}` },
    { authorization: `Bearer ${"a".repeat(8_000)}` },
    { authorization: `Basic ${text}` },
  ],
  ...[{ "last-event-id": text }, { "last-event-id": "-1" }, { "last-event-id": "1" }, { "last-event-id": "999999999" }],
  ...[{ "x-request-id": text, "x-forwarded-for": text, "x-http-method-override": "DELETE", cookie: text }],
];
