/** The configuration of a Patroni member of a test, from ops/patroni/patroni.yml. */
import { join } from "node:path";
import { opsFile } from "./ops.ts";

export const passwords = { superuser: "superuser-of-tests", replication: "replication-of-tests" };

type Places = {
  port: number;
  restPort: number;
  cluster: string;
  home: string;
  programs: string;
  /** Ports that lead to etcd, PostgreSQL and the REST API. */
  relays: [number, number, number];
};

export function configure(
  name: string,
  { port, restPort, cluster, home, programs, relays: [etcd, postgres, rest] }: Places,
): string {
  return opsFile("patroni/patroni.yml", {
    "name: db1": `name: ${name}`,
    "listen: 10.0.0.1:8008": `listen: 127.0.0.1:${restPort}`,
    "connect_address: 10.0.0.1:8008": `connect_address: 127.0.0.1:${rest}`,
    "hosts: [10.0.0.1:2379, 10.0.0.2:2379, 10.0.0.3:2379]": `hosts: [127.0.0.1:${etcd}]\n  use_proxies: true`,
    "listen: 10.0.0.1:5432": `listen: 127.0.0.1:${port}`,
    "connect_address: 10.0.0.1:5432": `connect_address: 127.0.0.1:${postgres}`,
    "/var/lib/postgresql/18/botstead": cluster,
    "/usr/lib/postgresql/18/bin": programs,
    "/var/lib/postgresql/.pgpass-patroni": join(home, "pgpass"),
    "choose-one": passwords.superuser,
    "choose-another": passwords.replication,
    "mode: automatic": "mode: off",
  }).replace("postgresql:\n  listen", `postgresql:\n  parameters: {unix_socket_directories: "${home}"}\n  listen`);
}
