/** A fault to build into a database, and how it is found. */
export type Fault = {
  plant: string;
  /** As audit.findings names it. */
  object: string;
  /** What puts it right, where the remedy that the finding tells is not a statement by itself; none: it is undone. */
  cure?: string | null;
};

/** By the rule that must find them, and by what is wrong. */
export type Faults = Record<string, Record<string, Fault>>;

/** A login as botstead executor mint makes them, before it is given anything. */
export const executor = "create role executor_careless login; comment on role executor_careless is 'Botstead executor'";
