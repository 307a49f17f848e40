/**
 * Three members of PostgreSQL under Debian's Patroni with etcd, and HAProxy in front, by the files of ops/. A member's
 * addresses lead through TCP proxies, so that a test can cut it off from etcd, the other members and HAProxy.
 */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Account, accountFor } from "../../src/database/embedded/account.ts";
import { findBinaries } from "../../src/database/embedded/binaries.ts";
import { freePort } from "../../src/database/embedded/port.ts";
import { readPostmaster } from "../../src/database/embedded/postmaster.ts";
import { closing } from "../support/closing.ts";
import { commandFor } from "../support/postgres-client.ts";
import { processTree, signalAll } from "../support/process-tree.ts";
import { type SlowNetwork, slowNetworkTo } from "../support/slow-network.ts";
import { eventually } from "../support/worker.ts";
import { type Daemon, daemon } from "./daemon.ts";
import { opsFile } from "./ops.ts";
import { configure, passwords } from "./patroni-file.ts";

export type Member = {
  name: string;
  /** URL of PostgreSQL itself, which `cutOff` leaves open, as for a client on the same side of the cut. */
  url: string;
  /** Sends the signal to Patroni and all processes of PostgreSQL. */
  signal(signal: NodeJS.Signals): void;
  start(): Promise<void>;
  /** Resets the connections to etcd, other members and HAProxy. New ones get no answer. */
  cutOff(isCut: boolean): void;
  /** Status of a health check of Patroni's REST API; 0 without an answer. */
  check(path: "primary" | "replica"): Promise<number>;
  /** All members, as this one sees them; none without an answer. */
  cluster(): Promise<Seen[]>;
};

type Seen = { role: string; state: string; timeline: number };

export type Patroni = {
  /** URL of the leader through HAProxy, as superuser. */
  url: string;
  members: Member[];
  /** Waits until exactly one member says that it leads. */
  leader(): Promise<Member>;
  /** Waits until one member leads, another is its synchronous replica and the third replicates. */
  untilWhole(): Promise<void>;
};

/** Closed after the tests of the file, even if the set-up fails. */
export async function startPatroni(): Promise<Patroni> {
  const folder = mkdtempSync(join(tmpdir(), "botstead-patroni-"));
  const account = accountFor(join(folder, "none"));
  closing(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const etcd = await startEtcd(folder);
  const programs = linkPrograms(folder, account);
  const shared = { folder, account, etcd, programs };
  const made = await Promise.all(["db1", "db2", "db3"].map((name) => makeMember(name, shared)));
  const members = made.map(({ member }) => member);
  const url = await startBalancer(folder, made);
  await Promise.all(members.map((member) => member.start()));
  const patroni: Patroni = {
    url,
    members,
    async leader() {
      let leaders: Member[] = [];
      await eventually(async () => {
        const checked = await Promise.all(members.map((member) => member.check("primary")));
        leaders = members.filter((_, place) => checked[place] === 200);
        return leaders.length === 1;
      });
      return leaders[0] as Member;
    },
    async untilWhole() {
      await eventually(async () => {
        const listed = await Promise.all(members.map(({ cluster }) => cluster()));
        const [timeline] = listed
          .flatMap((all) => all.filter(({ role }) => role === "leader"))
          .map((one) => one.timeline);
        return listed.every(
          (all) =>
            all.length === 3 &&
            all.some(({ role }) => role === "sync_standby") &&
            all.every((one) => ["running", "streaming"].includes(one.state) && one.timeline === timeline),
        );
      });
    },
  };
  await patroni.untilWhole();
  return patroni;
}

async function startEtcd(folder: string): Promise<number> {
  const [port, peers] = [await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peers}`];
  const args = Object.entries({
    ...{ name: "etcd1", "data-dir": join(folder, "etcd"), "log-level": "error", "enable-v2": "true" },
    ...{ "listen-client-urls": client, "advertise-client-urls": client },
    ...{ "listen-peer-urls": peer, "initial-advertise-peer-urls": peer, "initial-cluster": `etcd1=${peer}` },
  }).map(([name, value]) => `--${name}=${value}`);
  const etcd = daemon({ program: "etcd", args, port, cwd: folder, account: undefined });
  closing(() => etcd.kill());
  await etcd.start();
  return port;
}

/** One folder with PostgreSQL's programs: the embedded server, and what its distribution lacks. */
function linkPrograms(folder: string, account: Account | undefined): string {
  const programs = join(folder, "bin");
  mkdirSync(programs);
  const embedded = dirname(findBinaries(account).postgres);
  for (const name of ["postgres", "initdb", "pg_ctl"]) symlinkSync(join(embedded, name), join(programs, name));
  for (const name of ["pg_basebackup", "pg_controldata", "pg_isready"]) {
    writeFileSync(join(programs, name), `#!/bin/sh\nexec ${commandFor(name).join(" ")} "$@"\n`, { mode: 0o755 });
  }
  return programs;
}

type Shared = { folder: string; account: Account | undefined; etcd: number; programs: string };
type Made = { member: Member; postgres: SlowNetwork; rest: SlowNetwork };

async function makeMember(name: string, { folder, account, etcd, programs }: Shared): Promise<Made> {
  const home = join(folder, name);
  mkdirSync(home, { mode: 0o700 });
  const [port, restPort] = [await freePort(), await freePort()];
  const [toEtcd, postgres, rest] = [
    await slowNetworkTo(etcd),
    await slowNetworkTo(port),
    await slowNetworkTo(restPort),
  ];
  const network = [toEtcd, postgres, rest];
  for (const each of network) closing(() => each.close());
  const cluster = join(home, "cluster");
  const file = join(home, "patroni.yml");
  writeFileSync(
    file,
    configure(name, { port, restPort, cluster, home, programs, relays: [toEtcd.port, postgres.port, rest.port] }),
  );
  if (account) for (const path of [file, home]) chownSync(path, account.uid, account.gid);
  const patroni: Daemon = daemon({ program: "patroni", args: [file], port: restPort, cwd: home, account });
  const signal = (sent: NodeJS.Signals) => {
    patroni.signal(sent);
    signalAll(processTree(readPostmaster(cluster)?.pid ?? 0), sent);
  };
  closing(async () => {
    signal("SIGKILL");
    await patroni.kill();
  });
  const ask = (path: string) => fetch(`http://127.0.0.1:${rest.port}/${path}`, { signal: AbortSignal.timeout(2_000) });
  const member: Member = {
    name,
    url: `postgres://postgres:${passwords.superuser}@127.0.0.1:${port}/postgres`,
    signal,
    start: () => patroni.start(),
    cutOff(isCut) {
      for (const each of network) {
        each.stall(isCut);
        each.cut();
      }
    },
    check: (path) =>
      ask(path).then(
        ({ status }) => status,
        () => 0,
      ),
    cluster: () =>
      ask("cluster")
        .then(async (answer) => ((await answer.json()) as { members: Seen[] }).members)
        .catch(() => []),
  };
  return { member, postgres, rest };
}

async function startBalancer(folder: string, members: Made[]): Promise<string> {
  const port = await freePort();
  const file = join(folder, "haproxy.cfg");
  const servers = members.map(({ postgres, rest }, place) => [
    `10.0.0.${place + 1}:5432 port 8008`,
    `127.0.0.1:${postgres.port} port ${rest.port}`,
  ]);
  const replaced = { "bind 127.0.0.1:5432": `bind 127.0.0.1:${port}`, ...Object.fromEntries(servers) };
  writeFileSync(file, opsFile("haproxy/patroni.cfg", replaced));
  const haproxy = daemon({ program: "haproxy", args: ["-db", "-f", file], port, cwd: folder, account: undefined });
  closing(() => haproxy.kill());
  await haproxy.start();
  return `postgres://postgres:${passwords.superuser}@127.0.0.1:${port}/postgres`;
}
