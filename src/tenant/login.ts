/**
 * The login of the command line: the address of the API and a key. The key is stored in the keyring of the operating system,
 * through `secret-tool` or `security`. Without a keyring it is stored in a file that only its owner can read. BOTSTEAD_URL
 * and BOTSTEAD_KEY have priority.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

export type Login = { url: string; key: string };

/** No login is stored, or the API refused the key. */
export class NotLoggedIn extends Error {}

export const isHttp = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

export type Environment = Record<string, string | undefined>;

type Keyring = {
  store: (login: Login) => boolean;
  read: (url: string) => string | undefined;
  remove: (url: string) => void;
};

/** A file of this command line in the user's configuration. */
export const fileOf = (env: Environment, name = "login.json"): string =>
  join(env.XDG_CONFIG_HOME || join(homedir(), ".config"), "botstead", name);

/** Passes secrets by standard input, so that no list of processes shows them. */
function call(command: string, args: string[], input = ""): string | undefined {
  const { status, stdout } = spawnSync(command, args, { input, encoding: "utf8", timeout: 10_000 });
  return status === 0 ? stdout.trim() : undefined;
}

const secretService: Keyring = {
  store: ({ url, key }) =>
    call("secret-tool", ["store", "--label=Botstead", "service", "botstead", "url", url], key) !== undefined,
  read: (url) => call("secret-tool", ["lookup", "service", "botstead", "url", url]) || undefined,
  remove: (url) => void call("secret-tool", ["clear", "service", "botstead", "url", url]),
};

const keychain: Keyring = {
  store: ({ url, key }) =>
    call("security", ["-i"], `add-generic-password -U -s botstead -a "${url}" -w "${key}"\n`) !== undefined,
  read: (url) => call("security", ["find-generic-password", "-s", "botstead", "-a", url, "-w"]) || undefined,
  remove: (url) => void call("security", ["delete-generic-password", "-s", "botstead", "-a", url]),
};

const keyring = process.platform === "darwin" ? keychain : secretService;

/** @returns where the key is stored now */
export function storeLogin(login: Login, env: Environment): string {
  const inKeyring = keyring.store(login) && keyring.read(login.url) === login.key;
  const file = fileOf(env);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  rmSync(file, { force: true }); // so that the mode below applies
  writeFileSync(file, JSON.stringify(inKeyring ? { url: login.url } : login), { mode: 0o600 });
  return inKeyring ? "the keyring" : file;
}

/** @throws NotLoggedIn */
export function readLogin(env: Environment): Login {
  if (env.BOTSTEAD_URL && env.BOTSTEAD_KEY) return { url: env.BOTSTEAD_URL, key: env.BOTSTEAD_KEY };
  const stored = storedLogin(env);
  const url = env.BOTSTEAD_URL || stored?.url;
  const key = env.BOTSTEAD_KEY || (url && url === stored?.url ? (stored.key ?? keyring.read(url)) : undefined);
  if (url && key) return { url, key };
  const cause =
    stored && url === stored.url ? `The keyring does not return the key for ${url}.` : "No login is stored.";
  throw new NotLoggedIn(`${cause} Run botstead login, or set BOTSTEAD_URL and BOTSTEAD_KEY.`);
}

export function removeLogin(env: Environment): void {
  const stored = storedLogin(env);
  if (stored && stored.key === undefined) keyring.remove(stored.url);
  rmSync(fileOf(env), { force: true });
}

function storedLogin(env: Environment): (Partial<Login> & { url: string }) | undefined {
  try {
    return JSON.parse(readFileSync(fileOf(env), "utf8"));
  } catch {
    return undefined;
  }
}
