/** A query of every field of the console's schema. Introspection finds them, so new fields are included. */
import type { Asker } from "./saved-queries.ts";

type Type = { kind: string; name: string | null; ofType?: Type };
type Field = { name: string; type: Type; args: { name: string; type: Type }[] };

const introspection = `{
  __schema { types { kind name fields { name args { name type { kind name } } type {
    kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } }
}`;

const named = (type: Type): Type => (type.ofType ? named(type.ofType) : type);

/** @param ids of an organisation, by the names of test/sql/rows.ts; each row is queried by the id of its type */
export async function everything(
  asker: Asker,
  ids: Record<string, string>,
): Promise<{ fields: string[]; shown: string }> {
  const { data } = await asker.ask(introspection);
  const types = new Map<string, Field[]>(
    data.__schema.types.map(({ name, fields }: { name: string; fields: Field[] | null }) => [name, fields ?? []]),
  );
  const fields = new Set<string>();
  const idOf: Record<string, string | undefined> = {
    ...ids,
    person: ids.owner,
    apiKey: ids.admin_key,
    platformKey: ids.platform_key,
    webhookEndpoint: ids.endpoint,
    thirdPartyRestrictionChange: ids.restriction_change,
    delivery: ids.test_delivery,
  };
  const values: Record<string, string> = {
    query: '"guest@example.test"',
    since: JSON.stringify(new Date(Date.now() - 3_600_000).toISOString()),
    until: JSON.stringify(new Date(Date.now() + 60_000).toISOString()),
    minutes: "60",
    first: "20",
  };

  /** Fields of a type, and of related types to a small depth. */
  function selection(typeName: string, steps: number): string {
    const parts = (types.get(typeName) ?? []).flatMap(({ name, type, args }) => {
      const { kind, name: of } = named(type);
      fields.add(`${typeName}.${name}`);
      if (kind !== "OBJECT") return [name];
      const passing = /(Connection|Edge)$/.test(of ?? "") || of === "PageInfo";
      if (!passing && steps === 0) return [];
      if (name === "edges") return [];
      const inner = selection(of ?? "", passing ? steps : steps - 1);
      return inner === "" ? [] : [`${name}${given(name, args)} { ${inner} }`];
    });
    return parts.join(" ");
  }

  function given(name: string, args: Field["args"]): string {
    const shown = args.flatMap(({ name: arg }) => {
      if (arg === "id") return [`id: "${idOf[name] ?? ids.organisation}"`];
      return values[arg] ? [`${arg}: ${values[arg]}`] : [];
    });
    return shown.length > 0 ? `(${shown.join(", ")})` : "";
  }

  let shown = "";
  for (const { name, type, args } of types.get("Query") ?? []) {
    const inner = selection(named(type).name ?? "", 1);
    const { data: answer, errors } = await asker.ask(`{ ${name}${given(name, args)} ${inner && `{ ${inner} }`} }`);
    if (errors.length > 0) throw new Error(`${name}: ${errors}`);
    shown += JSON.stringify(answer);
  }
  return { fields: [...fields], shown };
}
