/** Browser script: a field of a body changes the JSON, and the JSON shows in the fields. */
for (const form of document.querySelectorAll("form.try")) {
  const body = form.querySelector('textarea[name="body"]');
  if (!body) continue;
  const fields = form.querySelectorAll("[data-field]");
  for (const field of fields) field.addEventListener("input", () => write(body, field));
  const showAll = () => {
    for (const field of fields) show(body, field);
  };
  body.addEventListener("input", showAll);
  showAll();
}

function write(body, field) {
  const whole = read(body);
  if (!whole) return show(body, field); // nothing can be changed in what is no JSON
  const [name, inner] = field.dataset.field.split(".");
  if (inner) {
    const object = isObject(whole[name]) ? whole[name] : {};
    set(object, inner, readField(field));
    set(whole, name, Object.keys(object).length > 0 ? object : undefined);
  } else set(whole, name, readField(field));
  body.value = JSON.stringify(whole, null, 2);
  if (isTexts(field)) keepOneEmpty(field);
}

function set(object, name, value) {
  if (value === undefined) delete object[name];
  else object[name] = value;
}

/** Undefined for an empty field, which is not sent. */
function readField(field) {
  if (field.localName === "fieldset") {
    const list = isTexts(field)
      ? textsOf(field).filter((text) => text !== "")
      : [...field.querySelectorAll(":checked")].map(({ value }) => JSON.parse(value));
    return list.length > 0 ? list : undefined;
  }
  if (field.value === "") return undefined;
  if (field.localName === "select") return JSON.parse(field.value);
  const isNumber = "number" in field.dataset && Number.isFinite(Number(field.value));
  return isNumber ? Number(field.value) : field.value; // the service refuses a text in place of a number
}

function show(body, field) {
  const [name, inner] = field.dataset.field.split(".");
  const outer = read(body)?.[name];
  const value = inner ? outer?.[inner] : outer;
  if (field.localName === "fieldset") showList(field, Array.isArray(value) ? value : []);
  else if (field.localName === "select") field.value = value === undefined ? "" : JSON.stringify(value);
  else if (value === null || typeof value !== "object") field.value = value ?? "";
}

function showList(field, list) {
  if (isTexts(field)) return keepOneEmpty(field, list);
  for (const box of field.querySelectorAll("input")) box.checked = list.includes(JSON.parse(box.value));
}

/** A list of any texts has no checkboxes. */
function isTexts(field) {
  return field.localName === "fieldset" && !field.querySelector('[type="checkbox"]');
}

function textsOf(field) {
  return [...field.querySelectorAll("input")].map(({ value }) => value);
}

/** Fills in the texts. The last input is empty, so that a text can be added. Inputs stay where they are, with the focus. */
function keepOneEmpty(field, texts = textsOf(field)) {
  const inputs = [...field.querySelectorAll("input")];
  const wanted = texts.at(-1) === "" ? texts : [...texts, ""];
  for (const extra of inputs.slice(wanted.length)) extra.remove();
  for (const [index, text] of wanted.entries()) {
    const input = inputs[index] ?? field.appendChild(document.createElement("input"));
    input.setAttribute("aria-label", `${field.dataset.name} ${index + 1}`);
    if (input.value !== text) input.value = text;
  }
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function read(body) {
  try {
    const fields = JSON.parse(body.value);
    return isObject(fields) ? fields : undefined;
  } catch {
    return undefined;
  }
}
