/** Who is asking. (decisions: section 3, `GET /me`.) */
import { z } from "zod";
import { uuid } from "./fields.ts";
import { Key } from "./keys.ts";
import { operation } from "./operation.ts";
import { Organisation } from "./platform.ts";

const use = z.object({ limit: z.int().nullable(), used: z.int() });

const Me = z.object({
  key: Key,
  person: z.object({
    userId: uuid,
    email: z.string(),
    displayName: z.string().nullable(),
    role: z.enum(["owner", "admin", "member"]),
  }),
  organisation: Organisation,
  limits: z.object({ liveKeys: use, liveWebhooks: use, runStartsPerHour: use, monthlySpendMicroCents: use }),
});

export const me = [
  operation({
    name: "get_me",
    method: "get",
    path: "/me",
    scope: "read",
    status: 200,
    summary: "Read the key, its person, their organisation, and what is used of its limits",
    pointRead: true,
    reply: Me,
  }),
];
