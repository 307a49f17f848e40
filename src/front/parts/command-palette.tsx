/** Ctrl+K or ⌘K opens a list of commands that narrows while one types. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

/** Without a list attribute the implied role of an input is textbox. */
const combobox = { role: "combobox", list: undefined, "aria-expanded": "true" } as const;

const events = new EventTarget();

/** Opens the palette of the page by a click. */
export function PaletteButton({ children }: { children: ComponentChildren }) {
  return (
    <button type="button" class="palette-button" onClick={() => events.dispatchEvent(new Event("open"))}>
      {children} <kbd>Ctrl K</kbd>
    </button>
  );
}

export type Command = { title: string; run: () => void };

export function CommandPalette({ commands }: { commands: Command[] }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const id = useId();
  useEffect(() => {
    const open = () => {
      setText("");
      setChosen(0);
      if (!dialog.current?.open) dialog.current?.showModal();
    };
    const openByKey = (event: KeyboardEvent) => {
      if (event.key !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    addEventListener("keydown", openByKey);
    events.addEventListener("open", open);
    return () => {
      removeEventListener("keydown", openByKey);
      events.removeEventListener("open", open);
    };
  }, []);
  const words = text.toLowerCase().split(/\s+/);
  const found = commands.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word))).slice(0, 12);
  const run = (command: Command | undefined) => {
    if (!command) return;
    dialog.current?.close();
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
    <dialog ref={dialog} class="palette" aria-label="Commands">
      <input
        {...combobox}
        aria-label="Command"
        aria-controls={id}
        aria-activedescendant={found[chosen] ? `${id}-${chosen}` : undefined}
        placeholder="Type a command or a page"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={move}
      />
      <div id={id} role="listbox" aria-label="Commands">
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above has the keys
          <div
            key={command.title}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => run(command)}
          >
            {command.title}
          </div>
        ))}
      </div>
    </dialog>
  );
}
