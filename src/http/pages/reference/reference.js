/** Browser script: shows the forms and sends them to this server. A key stays in its field and is not stored. */
const key = document.getElementById("key");

key.form.hidden = false;
key.form.addEventListener("submit", (event) => event.preventDefault());

for (const form of document.querySelectorAll("form.try")) {
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    await send(form);
  });
}

// Opens the section of the linked operation.
addEventListener("hashchange", reveal);
reveal();

function reveal() {
  const link = [...document.querySelectorAll("nav li a")].find(({ hash }) => hash === location.hash);
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
  for (const input of form.querySelectorAll("input[data-in]")) {
    if (input.dataset.in === "path") filled = filled.replace(`{${input.name}}`, encodeURIComponent(input.value.trim()));
    else if (input.value !== "") query.set(input.name, input.value);
  }
  const body = form.querySelector("textarea")?.value;
  const headers = {};
  if (key.value !== "") headers.authorization = `Bearer ${key.value.trim()}`;
  if (method === "POST") headers["idempotency-key"] = randomName();
  if (body !== undefined) headers["content-type"] = "application/json";
  return [`/api/v1${filled}${query.size > 0 ? `?${query}` : ""}`, { method, headers, body, credentials: "omit" }];
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
