/**
 * Words that people use for an operation, for the searches of agents and of `/docs`. An operation has words of its own. Words of
 * its thing and words of its verb are written here once.
 */
import type { Operation } from "./operation.ts";

/** Words for a thing, by the first part of the path. */
const things: Record<string, string> = {
  approvals: "decision, human in the loop, confirmation, permission, review, approve, sign off, waiting",
  bots: "assistant, chatbot, agent, AI, helper, robot, persona, prompt, instructions",
  deliveries: "webhook, callback, notification, message, sent, arrived",
  exports: "download, backup, leave, our data, data portability, archive, take out",
  hooks: "inbound webhook, incoming, integration, trigger, external system, connected app, alerts",
  invitations: "invite, join, e-mail, new colleague, newcomer, sign up",
  keys: "API key, token, credential, access, script, program, device, password",
  members: "user, person, people, colleague, employee, staff, team",
  memories: "knowledge, fact, note, information, remember, know, believe, learned, policy, rule",
  organisation: "company, account, workspace, tenant",
  "portal-sessions": "login, dashboard, link, customer, guest, visitor, web page, screen",
  routines:
    "schedule, cron job, scheduled task, timer, recurring, periodic, reminder, automation, alarm, calendar, daily, " +
    "nightly, weekly, report",
  runs: "conversation, chat, job, task, question, answer",
  webhooks: "outbound webhook, callback, notification, subscription, receiver, listener, URL, our server",
};

const unneeded = "no longer needed, never again, for good, not any more, clean up, stop using";

/** Words for what is done, by the first word of the name. */
const verbs: Record<string, string> = {
  list: "all, show, find, browse, overview, which",
  get: "show, view, details, look up, look at, check",
  create: "new, add, make, set up, another, second, want",
  update: "change, edit, modify, adjust, different, instead",
  rename: "change, edit, modify, update",
  change: "edit, modify, set, update, make",
  delete: `remove, get rid of, throw away, scrap, drop, ${unneeded}`,
  remove: `delete, get rid of, throw away, ${unneeded}`,
  revoke: "end, cancel, withdraw, invalidate, disable, deactivate, block, lock out, stop working, no longer valid",
  rotate: "renew, regenerate, replace, exchange, new secret, leaked, compromised, stolen, exposed, lost, published",
  resend: "again, once more, remind, reminder, lost, not received, never arrived, did not get the mail, spam, inbox",
};

/** What an update does with a thing that has a switch. */
const switched =
  "stop, pause, suspend, disable, turn off, switch off, mute, quiet, for now, for a while, holidays, " +
  "resume, start again, reactivate, enable, turn on, switch on, back on";
const withSwitch = new Set(["update_hook", "update_routine", "update_webhook"]);

export function searchTermsOf({ name, path, searchTerms }: Pick<Operation, "name" | "path" | "searchTerms">): string {
  const thing = things[path.split("/")[1] ?? ""];
  const verb = verbs[name.slice(0, name.indexOf("_"))];
  return [searchTerms, thing, verb, withSwitch.has(name) ? switched : ""].filter(Boolean).join(", ");
}
