/** A fault to plant in a database, and how it is found. */
export type Fault = {
  plant: string;
  /** The object's name in audit.findings. */
  object: string;
  /** SQL that repairs the fault, if the finding's remedy is not a statement. */
  cure?: string;
  /** Other objects that the rule also finds. */
  others?: string[];
};

/** Faults by rule and by description. */
export type Faults = Record<string, Record<string, Fault>>;

/** A login as `botstead executor mint` creates it, without privileges. */
export const executor = `create role executor_careless login; comment on role executor_careless is 'Botstead executor';
  insert into app.operator_commands (operator, action, arguments) values ('Tests', 'mint_executor', '{"name": "careless"}')`;

/** A statement of the current database, `%I`. */
export const inDatabase = (statement: string) =>
  `do $$ begin execute format('${statement}', current_database()); end $$`;
