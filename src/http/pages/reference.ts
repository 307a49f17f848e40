/**
 * The reference page: every operation with what it takes and what it answers, made once from the document. It needs no
 * script and nothing from elsewhere.
 */
import type { OpenApi, OperationObject } from "../openapi.ts";

const style = `
  :root { color-scheme: light dark; --line: #8884; --soft: #8882; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
  code, pre { font: 0.9em ui-monospace, monospace; }
  pre { background: var(--soft); padding: 0.75rem; overflow: auto; border-radius: 6px; }
  details { border: 1px solid var(--line); border-radius: 6px; margin: 0.5rem 0; padding: 0.5rem 0.75rem; }
  summary { cursor: pointer; }
  summary code { font-weight: 600; }
  td, th { text-align: left; vertical-align: top; padding: 0.2rem 1rem 0.2rem 0; }
`;

export function referencePage(document: OpenApi): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => section(method.toUpperCase(), path, operation)),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${asHtml(document.info.title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${asHtml(document.info.title)}</h1>
<p>${asHtml(document.info.description)} Version ${asHtml(document.info.version)}.</p>
<p>All paths are below <code>${asHtml(document.servers[0]?.url ?? "")}</code>. Send <code>authorization: Bearer &lt;key&gt;</code>
with every request, and an <code>idempotency-key</code> with every POST. The same contract for programs:
<a href="/api/v1/openapi.json">openapi.json</a>.</p>
${operations.join("\n")}
</body>
</html>`;
}

function section(method: string, path: string, operation: OperationObject): string {
  const rows = Object.entries(operation.responses)
    .map(([status, { description }]) => `<tr><th>${status}</th><td>${asHtml(description)}</td></tr>`)
    .join("");
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  const answer = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1];
  return `<details id="${asHtml(operation.operationId)}">
<summary><code>${method} ${asHtml(path)}</code> ${asHtml(operation.summary)}</summary>
<p>${asHtml(operation.description)}</p>
${query.length > 0 ? `<h4>Query</h4>${json(Object.fromEntries(query.map((each) => [each.name, each.schema])))}` : ""}
${operation.requestBody ? `<h4>Body</h4>${json(schemaIn(operation.requestBody))}` : ""}
<h4>Answer</h4>${json(schemaIn(answer))}
<table>${rows}</table>
</details>`;
}

function schemaIn(part: unknown): unknown {
  return (part as { content?: Record<string, { schema: unknown }> }).content?.["application/json"]?.schema;
}

function json(value: unknown): string {
  return `<pre>${asHtml(JSON.stringify(value, null, 2))}</pre>`;
}

function asHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
