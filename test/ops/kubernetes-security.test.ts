/** The manifests of ops/kubernetes: secrets, rights of containers and network policies. */
import { readFileSync } from "node:fs";
import { addressClasses } from "../../src/delivery/address.ts";
import { keyOf } from "../../src/secrets/master-key.ts";
import { keyOfPart, type Part, secretsOf } from "../../src/secrets/part-secrets.ts";
import type { Json } from "../support/api.ts";
import { manifests, named, selected, settings, workloads } from "../support/kubernetes.ts";

const master = keyOf(Buffer.alloc(32).toString("base64"));

test("each part gets only its own secrets, only migrate the master key, and no manifest contains a secret", () => {
  for (const { container } of workloads()) {
    const part: Part | "migrate" = container.args[0];
    const names = container.env.map(({ name }: { name: string }) => name);
    const own = part === "migrate" ? ["MASTER_KEY", "DATABASE_URL"] : Object.keys(secretsOf(part, master));
    expect([part, names]).toEqual([part, part === "worker" ? [...own, "SMTP_URL"] : own]);
    const from = new Set(container.env.map(({ valueFrom }: Json) => valueFrom.secretKeyRef.name));
    expect(from).toEqual(new Set([part === "migrate" ? "botstead-administrator" : `botstead-${part}`]));
    if (part !== "migrate") expect(() => keyOfPart(part, secretsOf(part, master))).not.toThrow();
  }
  expect(manifests().filter(({ kind }) => kind === "Secret")).toEqual([]);
  expect(Object.keys(settings()).filter((name) => /KEY|URL$|TOKEN|PASSWORD/.test(name))).toEqual([
    "DATABASE_URL",
    "BASE_URL",
  ]);
  expect(new URL(settings().DATABASE_URL ?? "")).toMatchObject({ username: "", password: "" });
});

test("no container runs as root, can gain privileges, writes to its image, or has a token of the cluster", () => {
  expect(workloads().map(({ name }) => name)).toEqual([
    "botstead-api",
    "botstead-console",
    "botstead-migrate",
    "botstead-worker",
  ]);
  for (const { pod, container } of workloads()) {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
    });
    expect(pod.containers).toHaveLength(1);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)).toEqual([
      "/data",
      "/tmp",
      "/app/node_modules/.cache",
    ]);
  }
});

test("the pod of the command line, which deploying.md starts, is as restricted as the pods of the manifests", () => {
  const page = readFileSync(new URL("../../docs/deploying.md", import.meta.url), "utf8");
  const [, file = ""] = /kubectl --namespace botstead run .*--overrides="\$\(cat (.*?)\)"\n/s.exec(page) ?? [];
  const { spec } = JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"));
  const { pod, container } = workloads().find(({ name }) => name === "botstead-migrate") ?? {};
  for (const name of ["securityContext", "automountServiceAccountToken", "enableServiceLinks", "volumes"]) {
    expect([name, spec[name]]).toEqual([name, pod[name]]);
  }
  expect(spec.containers[0].securityContext).toEqual(container.securityContext);
  expect(spec.containers[0].volumeMounts).toEqual(container.volumeMounts);
});

test("the policy of outbound requests names every setting with an address that a worker calls", () => {
  const text = readFileSync(new URL("../../ops/kubernetes/network.yaml", import.meta.url), "utf8");
  const [, comment = ""] = /# Workers connect to (.*?)\napiVersion/s.exec(text) ?? [];
  for (const name of [
    "WEBHOOK_ALLOW_RANGES",
    "WEBHOOK_PROXY",
    "SMTP_URL",
    "MODEL_BASE_URL",
    "AUDIT_WITNESSES",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
  ]) {
    expect(comment).toContain(name);
  }
});

test("network policies allow only the ingress to the API, Prometheus to metrics, and nothing to the console", () => {
  expect(named("NetworkPolicy", "botstead-nothing-else").spec).toEqual({
    podSelector: {},
    policyTypes: ["Ingress", "Egress"],
  });
  const doors = manifests()
    .filter(({ kind, body }) => kind === "NetworkPolicy" && body.spec.ingress)
    .flatMap(({ body }) =>
      selected(body.spec.podSelector.matchLabels ?? {}).flatMap(({ container }) =>
        body.spec.ingress.flatMap(({ from, ports }: Json) =>
          ports
            .filter(({ port }: Json) => container.ports?.some((open: Json) => open.name === port))
            .map(({ port }: Json) => [
              container.name,
              port,
              from.map((peer: Json) => peer.namespaceSelector.matchLabels["kubernetes.io/metadata.name"]).join(),
            ]),
        ),
      ),
    );
  expect(doors).toEqual([
    ["api", "http", "ingress-nginx"],
    ["api", "metrics", "monitoring"],
    ["console", "metrics", "monitoring"],
    ["worker", "metrics", "monitoring"],
  ]);
});

test("API and worker may connect to every allowed delivery address and to no other", () => {
  const { podSelector, egress } = named("NetworkPolicy", "botstead-outbound").spec;
  expect(selected(podSelector.matchLabels).map(({ name }) => name)).toEqual(["botstead-api", "botstead-worker"]);
  const refused = addressClasses.filter(([, verdict]) => verdict !== "reachable").map(([range]) => range);
  const isPublic = (range: string) => (range.includes(":") ? /^[23]/.test(range) : true);
  expect(egress).toHaveLength(1);
  expect(egress[0].to.map(({ ipBlock }: Json) => ipBlock)).toEqual([
    { cidr: "0.0.0.0/0", except: refused.filter((range) => !range.includes(":")) },
    { cidr: "2000::/3", except: refused.filter((range) => range.includes(":") && isPublic(range)) },
  ]);
});
