/** Resources that tests of several files use. */
import type { Json } from "./api.ts";
import type { ApiOfFile, Member } from "./callers.ts";
import { makeEvents } from "./events.ts";

/** A request body of create_webhook. */
export const newEndpoint = { url: "https://receiver.example/hook", events: ["run.finished"] };

export type MissedEvents = {
  ada: Member;
  organisationId: string;
  endpointId: string;
  eventId: string;
  eventIds: string[];
};

/** An owner, an endpoint, and events from before the endpoint existed, which therefore have no delivery. */
export async function anEndpointWithMissedEvents(here: ApiOfFile, ago: string, count = 1): Promise<MissedEvents> {
  const ada = await here.owner();
  const organisationId = ada.organisation.id;
  const eventIds = await makeEvents(here.db, { organisationId }, { ago, count });
  const endpointId = (await ada.post("/webhooks", newEndpoint)).body.id;
  return { ada, organisationId, endpointId, eventId: eventIds[0] ?? "", eventIds };
}

/** An owner of a new organisation, and the id of a bot in it. */
export async function anOwnerWithBot(
  here: ApiOfFile,
  { scope, ...bot }: Json & { scope?: "write" } = {},
): Promise<[Member, string]> {
  const ada = await here.owner(scope);
  return [ada, (await ada.post("/bots", { name: "Guide", ...bot })).body.id];
}

let addresses = 0;

/** An e-mail address that no other test uses. */
export const anEmailAddress = (): string => `guest${++addresses}.${process.pid}@example.test`;

/** @param assignments of columns of app.organisations, as `seats_bought = 3` */
export const setOrganisation = (
  db: ApiOfFile["db"],
  { organisation }: Pick<Member, "organisation">,
  assignments: string,
) => db.sql(`update app.organisations set ${assignments} where id = $1`, [organisation.id]);

export const expireInvitation = (db: ApiOfFile["db"], id: string) =>
  db.sql("update app.invitations set expires_at = now() - interval '1 minute' where id = $1", [id]);
