/** Browser script: search over operations and events. */
const form = document.querySelector("form.find");
const input = document.getElementById("find");
const found = document.getElementById("found");
form.hidden = false;

const groups = [...document.querySelectorAll("nav details")];
const items = groups.flatMap((group) => [...group.querySelectorAll("li")]);
/** What each link leads to, in lower case. Made at the first search. */
let texts;

const wordsOf = () => input.value.toLowerCase().split(/\s+/).filter(Boolean);

function search() {
  texts ??= new Map(items.map((item) => [item, textOf(item.querySelector("a").hash.slice(1))]));
  const words = wordsOf();
  for (const item of items) item.hidden = !words.every((word) => texts.get(item).includes(word));
  for (const group of groups) {
    group.hidden = [...group.querySelectorAll("li")].every((item) => item.hidden);
    group.open = words.length > 0 && !group.hidden;
  }
  const count = items.filter((item) => !item.hidden).length;
  found.textContent = words.length === 0 ? "" : count === 1 ? "1 result" : `${count} results`;
}

/** Without samples and headers of events, which all have the same words. */
function textOf(id) {
  const article = document.getElementById(id).cloneNode(true);
  for (const each of article.querySelectorAll("form, .sample, .statuses, .headers")) each.remove();
  return `${id} ${article.dataset.terms ?? ""} ${article.textContent}`.toLowerCase();
}

input.addEventListener("input", search);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const visible = items.filter((item) => !item.hidden);
  const isTitled = (item) => wordsOf().every((word) => item.textContent.toLowerCase().includes(word));
  (visible.find(isTitled) ?? visible[0])?.querySelector("a").click();
});
addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.closest("input, textarea")) {
    event.preventDefault();
    input.focus();
  } else if (event.key === "Escape" && event.target === input) {
    input.value = "";
    search();
  }
});
