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
  /** How many there are of this matter and severity, of which some are told; 100 stands for more. */
  inAll: number;
};

/** How many there are, told or not. */
export function howMany(troubles: Trouble[]): number {
  const kinds = new Map(troubles.map(({ matter, severity, inAll }) => [`${matter} ${severity}`, inAll]));
  return [...kinds.values()].reduce((sum, inAll) => sum + inAll, 0);
}

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
