/** The portal: an organisation's own pages, opened by a link of `POST /portal-sessions`. */
import "../styles/all.ts";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Loading } from "../parts/page.tsx";
import { applyScheme } from "../parts/scheme.tsx";
import { Toasts } from "../parts/toast.tsx";
import { Frame } from "./frame.tsx";
import { enterSession, type Session } from "./session.ts";
import { texts } from "./texts.ts";

type State =
  | { step: "loading" }
  | { step: "open"; session: Session }
  | { step: "none" | "ended" }
  | { step: "failed"; message: string };

function Portal() {
  const [state, set] = useState<State>({ step: "loading" });
  useEffect(() => {
    enterSession(() => set({ step: "ended" })).then(
      (session) => set(session ? { step: "open", session } : { step: "none" }),
      (error: Error) => set({ step: "failed", message: error.message }),
    );
  }, []);
  if (state.step === "open") return <Frame session={state.session} ended={() => set({ step: "ended" })} />;
  if (state.step === "loading") return <Loading />;
  if (state.step === "failed") return <Notice title={texts.noSession.title} text={state.message} />;
  return state.step === "none" ? <Notice {...texts.noSession} /> : <Notice {...texts.ended} />;
}

function Notice({ title, text }: { title: string; text: string }) {
  return (
    <main class="notice-page">
      <h1>{title}</h1>
      <p>{text}</p>
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
