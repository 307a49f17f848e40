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
