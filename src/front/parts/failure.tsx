/** A failure of a page or of a part of it. */
import { keepFocus } from "./keep-focus.ts";
import { partTexts } from "./texts.ts";

type Props = {
  error: Error | undefined;
  /** Reads again. null in a dialog, whose own button does. */
  retry: (() => void) | null;
};

export function Failure({ error, retry }: Props) {
  if (!error) return null;
  const again = (event: { currentTarget: HTMLElement }) => {
    keepFocus(event.currentTarget);
    retry?.();
  };
  return (
    <div class="notice bad" role="alert">
      <p>{error.message}</p>
      {retry && (
        <button type="button" onClick={again}>
          {partTexts.failures.retry}
        </button>
      )}
    </div>
  );
}
