/** Browser script: a choice for a field of a body changes the JSON, and the JSON shows the choice. */
for (const form of document.querySelectorAll("form.try")) {
  const body = form.querySelector("textarea");
  const selects = form.querySelectorAll("select[data-field]");
  for (const select of selects) select.addEventListener("change", () => write(body, select));
  body?.addEventListener("input", () => {
    for (const select of selects) show(body, select);
  });
}

function write(body, select) {
  const fields = read(body);
  if (!fields) return show(body, select); // nothing can be changed in what is no JSON
  const { field } = select.dataset;
  if (select.value === "") delete fields[field];
  else fields[field] = JSON.parse(select.value);
  body.value = JSON.stringify(fields, null, 2);
}

function show(body, select) {
  const value = read(body)?.[select.dataset.field];
  select.value = value === undefined ? "" : JSON.stringify(value);
}

function read(body) {
  try {
    const fields = JSON.parse(body.value);
    return typeof fields === "object" && fields !== null ? fields : undefined;
  } catch {
    return undefined;
  }
}
