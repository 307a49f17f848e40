/** Browser script: replaces ids of examples with ids of rows that the caller's key reads, and copies samples. */
const { examples } = document.getElementById("content").dataset;
/** From the id of an example to the id that is shown now. */
const shown = new Map(JSON.parse(examples).map(([id]) => [id, id]));

/** @returns the number of ids that are replaced */
export async function fillExamples(key) {
  const answers = new Map();
  const own = (await read("/api/v1/me", key))?.key.id;
  for (const [example, path, field = "id"] of JSON.parse(examples)) {
    const url = `/api/v1${withShown(path)}?limit=1`;
    if (!answers.has(url)) answers.set(url, await read(url, key));
    const id = answers.get(url)?.data?.[0]?.[field];
    if (id) replace(example, id, id === own ? reads : () => true);
  }
  return [...shown].filter(([example, id]) => example !== id).length;
}

const withShown = (text) => [...shown].reduce((filled, [example, id]) => filled.replaceAll(example, id), text);

async function read(url, key) {
  if ([...shown.keys()].some((example) => url.includes(example))) return; // there is no such row
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(url, { headers, credentials: "omit" }).catch(() => {});
  return response?.ok ? response.json() : undefined;
}

/** Whether the operation changes nothing. The caller's own key is an example only there: a change could lock the caller out. */
const reads = (element) => element.closest("article").querySelector('form[data-method="GET"]') !== null;

/** @param fits whether an element gets the id; the others keep the example */
function replace(example, id, fits) {
  const former = shown.get(example);
  shown.set(example, id);
  const filled = (element, text) => text.replaceAll(former, example).replaceAll(example, fits(element) ? id : example);
  for (const each of document.querySelectorAll(".sample pre")) each.textContent = filled(each, each.textContent);
  for (const each of document.querySelectorAll('form.try textarea[name="body"]')) {
    each.value = filled(each, each.value);
    each.dispatchEvent(new Event("input")); // shows it in the fields
  }
  // A form that deletes is left to its user.
  for (const each of document.querySelectorAll('form.try:not([data-method="DELETE"]) input[data-in="path"]')) {
    // A field that has the focus is being written.
    const isOurs = each !== document.activeElement && (each.value === "" || each.value === former);
    if (each.placeholder === example && isOurs) each.value = fits(each) ? id : "";
  }
}

/** Copies a text. Without TLS browsers have no clipboard for scripts: then the text is shown and selected. */
export async function copy(button, text, output) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = label;
    }, 2_000);
  } catch {
    const block = output();
    block.textContent = text;
    getSelection().selectAllChildren(block);
  }
}

for (const figure of document.querySelectorAll(".sample")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "other copy";
  button.textContent = "Copy";
  button.setAttribute("aria-label", `Copy: ${figure.querySelector("figcaption").textContent}`);
  const block = figure.querySelector("pre");
  button.addEventListener("click", () => copy(button, block.textContent, () => block));
  figure.querySelector("figcaption").append(button);
}
