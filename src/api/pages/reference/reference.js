/** Browser script: shows the forms and sends them to this server. The browser keeps the key as long as the tab. */
import "./fields.js";
import "./find.js";
import { copy, fillExamples } from "./examples.js";

const key = document.getElementById("key");
const filled = document.getElementById("filled");

key.form.hidden = false;
key.form.addEventListener("submit", (event) => event.preventDefault());
key.value = sessionStorage.getItem("key") ?? "";
key.addEventListener("change", useKey);
if (key.value !== "") useKey();

async function useKey() {
  const text = key.value.trim();
  if (text === "") {
    sessionStorage.removeItem("key");
    filled.textContent = "";
    return;
  }
  sessionStorage.setItem("key", text);
  const count = await fillExamples(text);
  filled.textContent =
    count === 0 ? "This key reads no rows for the examples." : `The examples have ${count} ids of your rows.`;
}

for (const form of document.querySelectorAll("form.try")) {
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await send(form);
  });
  const button = form.querySelector(".curl");
  button.addEventListener("click", () => copy(button, curlOf(form), () => blockIn(form.querySelector("output"))));
}

// Opens the section of the linked operation.
addEventListener("hashchange", reveal);
reveal();

function reveal() {
  const link = [...document.querySelectorAll("nav .group li a")].find(({ hash }) => hash === location.hash);
  link?.closest("details").setAttribute("open", "");
}

async function send(form) {
  const button = form.querySelector("button");
  const output = form.querySelector("output");
  button.disabled = true;
  output.textContent = "…";
  try {
    const response = await fetch(...requestOf(form));
    // Shown in parts, because a stream can last minutes.
    let text = "";
    show(output, response, text);
    for (const reader = response.body.pipeThrough(new TextDecoderStream()).getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
      show(output, response, text);
    }
  } catch (error) {
    output.textContent = `No response: ${error.message}`;
  } finally {
    button.disabled = false;
  }
}

function requestOf(form) {
  const { method, path } = form.dataset;
  const query = new URLSearchParams();
  let filled = path;
  for (const input of form.querySelectorAll("[data-in]")) {
    if (input.dataset.in === "path") filled = filled.replace(`{${input.name}}`, encodeURIComponent(input.value.trim()));
    else if (input.value !== "") query.set(input.name, input.value);
  }
  const body = form.querySelector('textarea[name="body"]')?.value;
  const headers = {};
  if (key.value !== "") headers.authorization = `Bearer ${key.value.trim()}`;
  if (method === "POST") headers["idempotency-key"] = randomName();
  if (body !== undefined) headers["content-type"] = "application/json";
  return [`/api/v1${filled}${query.size > 0 ? `?${query}` : ""}`, { method, headers, body, credentials: "omit" }];
}

/** The request of the form for a shell. The key is a variable, so that no history and no clipboard has it. */
function curlOf(form) {
  const [path, { method, headers, body }] = requestOf(form);
  const named = {
    ...headers,
    authorization: "Bearer $BOTSTEAD_KEY",
    ...(headers["idempotency-key"] && { "idempotency-key": "$(openssl rand -hex 16)" }),
  };
  return [
    `curl -sS -X ${method} ${quoted(new URL(path, location.href).href)}`,
    ...Object.entries(named).map(([name, value]) => `-H "${name}: ${value}"`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ].join(" \\\n  ");
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

function blockIn(output) {
  const block = document.createElement("pre");
  output.replaceChildren(block);
  return block;
}

/** crypto.randomUUID is missing without TLS. */
function randomName() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function show(output, response, text) {
  const status = document.createElement("strong");
  status.textContent = `${response.status} ${response.statusText}`;
  const headers = document.createElement("pre");
  headers.textContent = [...response.headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  const body = document.createElement("pre");
  body.textContent = pretty(text);
  output.replaceChildren(status, headers, body);
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
