/** Browser script: search over operations and events, and the fold of the navigation on a phone. */
const form = document.querySelector("form.find");
const input = document.getElementById("find");
const found = document.getElementById("found");
const results = document.getElementById("results");
const menu = document.querySelector("nav details.menu");
form.hidden = false;

const groups = [...document.querySelectorAll("nav details.group")];
const items = groups.flatMap((group) => [...group.querySelectorAll("li")]);
/** What each link leads to, in lower case: its title, its names and other words, and its text. Made at the first search. */
let texts;

const wordsOf = () => input.value.toLowerCase().split(/\s+/).filter(Boolean);

function search() {
  texts ??= new Map(items.map((item) => [item, textsOf(item)]));
  const words = wordsOf();
  const ranked = items.map((item) => ({ item, rank: rankOf(texts.get(item), words) })).filter(({ rank }) => rank >= 0);
  ranked.sort((one, other) => one.rank - other.rank);
  const isSearch = words.length > 0;
  results.replaceChildren(...(isSearch ? ranked.map(({ item }) => item.cloneNode(true)) : []));
  for (const group of groups) group.hidden = isSearch;
  found.textContent = !isSearch ? "" : ranked.length === 1 ? "1 result" : `${ranked.length} results`;
}

/** Lower for each word that the title has, and then for each that the names have; -1 if a word is nowhere. */
function rankOf([title, names, text], words) {
  const missing = (part) => words.filter((word) => !part.includes(word)).length;
  if (missing(`${title} ${names} ${text}`) > 0) return -1;
  return missing(title) * 1_000 + missing(names) * 2 + (title.startsWith(words.join(" ")) ? 0 : 1);
}

/** Without samples and headers of events, which all have the same words. */
function textsOf(item) {
  const link = item.querySelector("a");
  const id = link.hash.slice(1);
  const article = document.getElementById(id).cloneNode(true);
  for (const each of article.querySelectorAll("form, .sample, .statuses, .headers")) each.remove();
  const names = `${id} ${article.querySelector(".route")?.textContent ?? ""} ${article.dataset.terms ?? ""}`;
  return [link.textContent, names, article.textContent].map((text) => text.toLowerCase());
}

input.addEventListener("input", search);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  results.querySelector("a")?.click();
});
addEventListener("keydown", (event) => {
  if (event.key === "/" && !event.target.closest("input, textarea, select")) {
    event.preventDefault();
    menu.open = true;
    input.focus();
  } else if (event.key === "Escape" && event.target === input) {
    input.value = "";
    search();
  }
});

const narrow = matchMedia("(max-width: 59.99rem)");
const fold = () => {
  menu.open = !narrow.matches;
};
narrow.addEventListener("change", fold);
fold();
menu.addEventListener("click", (event) => {
  if (narrow.matches && event.target.closest("a")) menu.open = false;
});
