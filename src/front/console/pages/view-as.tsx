/**
 * Read-only view of the API as a person: the API's responses under that person's policies. Each view is logged with
 * its reason, so this page never polls.
 */
import { useState } from "preact/hooks";
import { mutationOf } from "../actions/action.ts";
import { viewAs } from "../actions/things.tsx";
import { type Failure, run } from "../graphql.ts";
import { failureText } from "../labels.ts";
import { useLive } from "../live.ts";
import { apiResponse } from "../parts/api-response.tsx";
import { Heading } from "../parts/heading.tsx";
import { notFound } from "../parts/rows.tsx";
import { section } from "../parts/section.tsx";
import { shown } from "../parts/states.tsx";
import type { PageProps } from "../place.ts";
import { canPerformActions } from "../session.ts";

type Membership = { role: string; organisation: { id: string; name: string } };
type Data = { person: { id: string; email: string; memberships: { nodes: Membership[] } } | null };
type View = { path: string; result?: unknown; failure?: Failure };

/** Suggested paths; the API's other GET paths can be typed. */
const suggestedPaths = [
  "/me",
  "/organisation",
  "/bots",
  "/memories",
  "/runs",
  "/members",
  "/invitations",
  "/keys",
  "/webhooks",
];

export function ViewAsPage({ params }: PageProps) {
  const answer = useLive<Data>("person", { id: params.person });
  const [view, set] = useState<View | "loading" | undefined>(undefined);
  const submit = async (event: Event) => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const path = String(form.get("path")).trim();
    const reason = String(form.get("reason")).trim();
    set("loading");
    const { organisation, person } = params;
    const reply = await run<{ viewAs: { result: unknown } }>(mutationOf(viewAs), {
      input: { organisation, person, path, reason },
    });
    set(reply.failure ? { path, failure: reply.failure } : { path, result: reply.data.viewAs.result });
  };
  return shown(answer, ({ person }) => {
    const membership = person?.memberships.nodes.find(({ organisation }) => organisation.id === params.organisation);
    if (!person || !membership) return notFound("member", params.person);
    const { organisation, role } = membership;
    return (
      <>
        <Heading kind="View as a person" title={person.email}>
          <div class="under">
            <span>
              {role} of <a href={`/organisations/${organisation.id}`}>{organisation.name}</a>
            </span>
          </div>
        </Heading>
        <div class="notice">You see what this person sees, read-only. Each view is logged with its reason.</div>
        <form class="panel view-as" onSubmit={submit}>
          <label>
            API path
            <input
              name="path"
              list="suggested-paths"
              defaultValue="/me"
              required
              pattern="/.*"
              spellcheck={false}
              autoComplete="off"
            />
            <datalist id="suggested-paths">
              {suggestedPaths.map((path) => (
                <option key={path} value={path} />
              ))}
            </datalist>
          </label>
          <label>
            Reason <input name="reason" required maxLength={500} autoComplete="off" />
          </label>
          <button type="submit" class="main" disabled={!canPerformActions() || view === "loading"}>
            View
          </button>
          {!canPerformActions() && <p class="quiet">Not permitted: your token can view only.</p>}
        </form>
        {view &&
          view !== "loading" &&
          section(
            `GET ${view.path}`,
            view.failure ? (
              <div class="notice bad" role="alert">
                {failureText(view.failure)}
              </div>
            ) : (
              <div role="status">{apiResponse(view.result)}</div>
            ),
          )}
      </>
    );
  });
}
