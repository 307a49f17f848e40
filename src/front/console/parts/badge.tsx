/** A state as a coloured word. */
import { Badge, State, type Tone } from "../../parts/badge.tsx";

export const badge = (state: string, tone?: Tone) =>
  tone ? <Badge kind={tone}>{state.replaceAll("_", " ")}</Badge> : <State state={state} />;
