/** What can be wrong, and the kinds that it is looked at by. */
export type Trouble = {
  id: string;
  severity: "critical" | "warning";
  matter: string;
  since: string | null;
  what: string;
  todo: string;
  subject: string;
  page: string;
  subjectId: string | null;
  organisationId: string | null;
  organisationName: string | null;
};

export type Matter = { name: string; words: string; of: string[] };

export const matters: Matter[] = [
  { name: "endpoints", words: "Endpoints", of: ["failing_endpoint"] },
  { name: "queues", words: "Queues", of: ["stuck_queue", "late_deliveries"] },
  { name: "executors", words: "Executors", of: ["silent_executor"] },
  { name: "ceilings", words: "Ceilings", of: ["ceiling"] },
  { name: "mails", words: "Mails", of: ["failing_mail"] },
  { name: "cards", words: "Cards", of: ["expired_card"] },
];

/** Whatever is of no other lamp is the service's own: it must not be missed because nobody thought of a lamp for it. */
const service: Matter = { name: "service", words: "Service", of: [] };
matters.push(service);

export const isOf = ({ matter }: Trouble, lamp: Matter): boolean =>
  lamp === service ? !matters.some(({ of }) => of.includes(matter)) : lamp.of.includes(matter);
