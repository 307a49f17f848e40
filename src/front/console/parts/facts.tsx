/** Properties of one item as a list of names and values. */
import { type Fact, Facts } from "../../parts/page.tsx";

export function facts(all: (Fact | false | undefined | null | "")[]) {
  return (
    <Facts items={all.filter((fact): fact is Fact => Boolean(fact)).map(([name, value]) => [name, value ?? "–"])} />
  );
}
