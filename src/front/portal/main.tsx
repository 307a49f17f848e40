/** The portal: an organisation's own pages, opened by a link of `POST /portal-sessions`. */
import "../styles/all.ts";
import { type ComponentChildren, render } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, endBy, type SessionEnd } from "../parts/api.ts";
import { Failure } from "../parts/failure.tsx";
import { Loading, Page } from "../parts/page.tsx";
import { applyScheme } from "../parts/scheme.tsx";
import { Toasts } from "../parts/toast.tsx";
import { Frame } from "./frame.tsx";
import { enterSession, isChanged, readSession, type Session } from "./session.ts";
import { Changed, Ended } from "./session-end.tsx";
import { frameTexts as texts } from "./texts/frame.ts";
import { type Unsaved, unsavedTexts } from "./unsaved.ts";

type State =
  | { step: "loading" }
  /** lost: unsaved texts of the page that a change of role has closed. */
  | { step: "open"; session: Session; lost?: Unsaved[] }
  | { step: "none" }
  /** left: the person logged out. */
  | { step: SessionEnd | "left"; returnUrl: string | null; unsaved: Unsaved[] }
  | { step: "failed"; error: Error };

function Portal() {
  const [state, set] = useState<State>({ step: "loading" });
  // Reads the unsaved text before the page is removed.
  const end = (step: SessionEnd | "left") =>
    set((last) => (last.step === "open" ? { step, returnUrl: last.session.returnUrl, unsaved: unsavedTexts() } : last));
  const isReading = useRef(false);
  /** Starts the page again with what the person may see now. */
  const refused = () => {
    if (isReading.current) return;
    isReading.current = true;
    readSession()
      .then((session) =>
        set((last) =>
          last.step === "open" && isChanged(last.session, session)
            ? { step: "open", session, lost: unsavedTexts() }
            : last,
        ),
      )
      .catch(() => {}) // the refused call has its own message
      .finally(() => {
        isReading.current = false;
      });
  };
  const enter = () => {
    set({ step: "loading" });
    enterSession({ ended: end, refused }).then(
      (session) => set(session ? { step: "open", session } : { step: "none" }),
      (error: Error) => {
        const step = error instanceof ApiError && endBy(error);
        set(step ? { step, returnUrl: null, unsaved: [] } : { step: "failed", error });
      },
    );
  };
  useEffect(enter, []);
  if (state.step === "open") {
    const { session, lost } = state;
    return (
      <Frame key={JSON.stringify(session.operations)} session={session} left={() => end("left")}>
        {lost && <Changed role={session.role} lost={lost} />}
      </Frame>
    );
  }
  if (state.step === "loading") return <Loading />;
  if (state.step === "failed") {
    return (
      <Notice title={texts.failed}>
        <Failure error={state.error} retry={enter} />
      </Notice>
    );
  }
  if (state.step === "none") return <Notice {...texts.noSession} />;
  return (
    <Notice {...texts[state.step]}>
      <Ended {...state} />
    </Notice>
  );
}

function Notice({ title, text, children }: { title: string; text?: string; children?: ComponentChildren }) {
  return (
    <main class="notice-page">
      <Page title={title}>
        {text && <p>{text}</p>}
        {children}
      </Page>
    </main>
  );
}

applyScheme();
const root = document.querySelector("#program");
if (root) {
  render(
    <>
      <Portal />
      <Toasts />
    </>,
    root,
  );
}
