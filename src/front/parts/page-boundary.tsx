/** An exception in a page replaces only the page, until another page is opened. The navigation keeps working. */
import type { ComponentChildren } from "preact";
import { useEffect, useErrorBoundary } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Failure } from "./failure.tsx";
import { Page } from "./page.tsx";
import { partTexts } from "./texts.ts";

export function PageBoundary({ children }: { children: ComponentChildren }) {
  const [fault, reset] = useErrorBoundary((error) => console.error(error));
  const { path } = useLocation();
  useEffect(() => {
    if (fault) reset();
  }, [path]);
  if (!fault) return <>{children}</>;
  return (
    <Page title={partTexts.failures.broken}>
      <Failure error={new Error(partTexts.failures.bug)} retry={reset} />
    </Page>
  );
}
