/** Pages whose programs are loaded when they are first opened. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { lazy } from "preact-iso";
import { Failure } from "./failure.tsx";
import { Page } from "./page.tsx";
import { partTexts } from "./texts.ts";

/** A failed load shows a page with "Try again". Opening it again tries again too. */
export function lazyPage<Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) {
  let Loaded: ComponentType<Props> | undefined;
  let failed: Error | undefined;
  let isFirst = true;
  /** @param isAsked whether the person asked for it. A browser may keep a failed program until it reloads */
  const attempt = (isAsked: boolean) =>
    load().then(
      (module) => {
        Loaded = module.default;
      },
      async () => {
        const served = await servedProgram();
        if (served && (isAsked || isNew(served))) return reload();
        failed = new Error(served ? partTexts.failures.load : partTexts.failures.unreachable);
      },
    );
  function LazyPage(props: Props) {
    const [, update] = useState(0);
    const retry = (isAsked: boolean) => {
      attempt(isAsked).then(() => update((last) => last + 1));
    };
    useEffect(() => {
      if (!Loaded && !isFirst) retry(false);
      isFirst = false;
    }, []);
    if (Loaded) return <Loaded {...props} />;
    return (
      <Page title={partTexts.failures.page}>
        <Failure error={failed} retry={() => retry(true)} />
      </Page>
    );
  }
  return lazy(() => attempt(false).then(() => LazyPage));
}

const ownProgram = () => document.querySelector<HTMLScriptElement>("script[type=module]")?.getAttribute("src") ?? "";

/** The address of the program in the document that the server sends now. undefined: the server cannot be reached. */
async function servedProgram(): Promise<string | undefined> {
  const response = await fetch(location.pathname, { cache: "no-store" }).catch(() => undefined);
  if (!response?.ok) return undefined;
  return /<script type="module" src="([^"]*)"/.exec(await response.text())?.[1];
}

/** A build that this tab has not been reloaded for. Addresses of programs contain a hash of their content. */
function isNew(program: string): boolean {
  const mark = `reloaded:${program}`;
  if (program === ownProgram() || sessionStorage.getItem(mark)) return false;
  sessionStorage.setItem(mark, "yes");
  return true;
}

/** Never settles: the page goes away. */
function reload(): Promise<never> {
  location.reload();
  return new Promise(() => {});
}
