/** Ctrl+K or ⌘K opens a list of commands that narrows while one types. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";
import { partTexts } from "./texts.ts";

/** Without a list attribute the implied role of an input is textbox. */
const combobox = (isExpanded: boolean) => ({ role: "combobox", list: undefined, "aria-expanded": isExpanded }) as const;
const keys = /Mac|iPhone|iPad/.test(navigator.platform) ? partTexts.palette.keys.mac : partTexts.palette.keys.others;

const events = new EventTarget();

/** Opens the palette of the page by a click. */
export function PaletteButton({ children }: { children: ComponentChildren }) {
  return (
    <button type="button" class="palette-button" onClick={() => events.dispatchEvent(new Event("open"))}>
      {children} <kbd>{keys}</kbd>
    </button>
  );
}

/** A command is found by words of its title and kind, and by its id. */
export type Command = { title: string; kind?: string; id?: string; run: () => void };

type PaletteProps = {
  commands: Command[];
  /** Of the dialog, its field and its list, for screen readers. */
  label?: string;
  placeholder?: string;
  /** Shown when no command matches. */
  none?: string;
  /** Called when the palette opens, and when it closes. */
  onToggle?: (isOpen: boolean) => void;
  /** Called with the text that one types. */
  onText?: (text: string) => void;
};

export function CommandPalette(props: PaletteProps) {
  const {
    commands,
    label = partTexts.palette.dialog,
    placeholder = partTexts.palette.placeholder,
    none = partTexts.palette.none,
    onToggle = () => {},
    onText = () => {},
  } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const id = useId();
  useEffect(() => {
    const open = () => {
      setText("");
      onText("");
      setChosen(0);
      onToggle(true);
      if (!dialog.current?.open) dialog.current?.showModal();
    };
    const openByKey = (event: KeyboardEvent) => {
      if (event.key !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      const shown = document.querySelector("dialog[open]");
      if (!shown || shown === dialog.current) open(); // not over another dialog: a change of page would lose what it has
    };
    addEventListener("keydown", openByKey);
    events.addEventListener("open", open);
    return () => {
      removeEventListener("keydown", openByKey);
      events.removeEventListener("open", open);
    };
  }, []);
  const words = text.toLowerCase().split(/\s+/);
  // At once: the event "close" comes later, when another key may have opened the dialog again.
  const close = () => {
    dialog.current?.close();
    onToggle(false);
  };
  const cancel = (event: Event) => {
    event.preventDefault();
    close();
  };
  // A browser closes a dialog at a second Escape without asking.
  const closed = () => {
    if (!dialog.current?.open) onToggle(false);
  };
  const found = commands
    .filter(({ title, kind = "", id: commandId = "" }) => {
      const searched = `${title} ${kind} ${commandId}`.toLowerCase();
      return words.every((word) => searched.includes(word));
    })
    .slice(0, 12);
  const run = (command: Command | undefined) => {
    if (!command) return;
    close();
    command.run();
  };
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") run(found[chosen]);
    else if (step && found.length > 0) setChosen((chosen + step + found.length) % found.length);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label={label} onCancel={cancel} onClose={closed}>
      <input
        {...combobox(found.length > 0)}
        aria-label={label}
        aria-controls={id}
        aria-activedescendant={found[chosen] ? `${id}-${chosen}` : undefined}
        placeholder={placeholder}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
          onText(event.currentTarget.value);
        }}
        onKeyDown={move}
      />
      <p class="empty" role="status">
        {found.length === 0 && none}
      </p>
      <div id={id} role="listbox" aria-label={label} hidden={found.length === 0}>
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above has the keys
          <div
            key={command.id ?? command.title}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => run(command)}
          >
            {command.title} {command.kind && <span class="quiet">{command.kind}</span>}
          </div>
        ))}
      </div>
    </dialog>
  );
}
