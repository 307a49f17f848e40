/** The names of the commands for integrators, apart so that no other command loads them. */
const names = ["login", "logout", "listen", "trigger", "events", "runs", "api", "export", "completion"];

/** Whether these arguments are for this command line: `api` alone is a process of the service. */
export const isTenantCommand = ([command = "", word]: string[]): boolean =>
  names.includes(command) && (command !== "api" || word !== undefined);
