/** Resources: the contract, its reference, and the pages for users of the API. (docs/mcp.md) */
import { existsSync, readFileSync } from "node:fs";
import type { Resource, ResourceTemplate } from "@modelcontextprotocol/sdk/types.js";
import type { OpenApi } from "../api/openapi/document.ts";
import { markdownPage } from "../api/pages/reference/markdown-page.ts";
import { described, type OperationTool } from "./tools.ts";

export type Resources = {
  list: Resource[];
  templates: ResourceTemplate[];
  /** Returns undefined if there is no such resource. */
  read(uri: string): { uri: string; mimeType: string; text: string } | undefined;
};

const folder = new URL("../../docs/", import.meta.url);
const pages = [
  ...["guide", "receiving-webhooks", "models", "portal", "integrators", "client", "mcp"],
  ...["versioning", "glossary", "specification/README", "specification/conventions", "specification/service"],
  ...["specification/organisation-and-me", "specification/keys", "specification/members", "specification/invitations"],
  ...["specification/bots", "specification/memories", "specification/runs", "specification/approvals"],
  ...["specification/routines", "specification/hooks", "specification/models", "specification/webhooks"],
  ...["specification/deliveries", "specification/events", "specification/audit-log", "specification/batch"],
  "specification/portal",
].map((name) => `${name}.md`);

const [json, markdown] = ["application/json", "text/markdown"];
const ofOperation = "botstead://operations/";

const templates = [
  {
    uriTemplate: `${ofOperation}{name}`,
    name: "operation",
    title: "An operation",
    description: "What describe_operation returns for the operation with this name.",
    mimeType: json,
  },
];

/** Texts are made when they are read, so that they take no memory. */
type Source = { name: string; title: string; description: string; mimeType: string; uri: string; text: () => string };

export function makeResources(document: OpenApi, tools: ReadonlyMap<string, OperationTool>): Resources {
  const sources = new Map([...contractSources(document), ...pageSources()].map((source) => [source.uri, source]));
  const list = [...sources.values()].map(({ text, ...source }) => ({ ...source, size: Buffer.byteLength(text()) }));
  return {
    list,
    templates,
    read(uri) {
      const tool = uri.startsWith(ofOperation) ? tools.get(uri.slice(ofOperation.length)) : undefined;
      if (tool) return { uri, mimeType: json, text: JSON.stringify(described(tool)) };
      const source = sources.get(uri);
      return source && { uri, mimeType: source.mimeType, text: source.text() };
    },
  };
}

function contractSources(document: OpenApi): Source[] {
  const description = "All operations, events and schemas. Long: describe_operation has one operation.";
  return [
    {
      ...{ uri: "botstead://openapi.json", name: "openapi.json", title: "Contract, as OpenAPI 3.1" },
      ...{ description, mimeType: json, text: () => JSON.stringify(document) },
    },
    {
      ...{ uri: "botstead://docs.md", name: "docs.md", title: "Reference of the contract" },
      ...{ description, mimeType: markdown, text: () => markdownPage(document) },
    },
  ];
}

/** An installation can lack the folder. */
function pageSources(): Source[] {
  return pages
    .filter((page) => existsSync(new URL(page, folder)))
    .map((page) => {
      const text = () => readFileSync(new URL(page, folder), "utf8");
      const [title = page, first = ""] = text()
        .split("\n\n")
        .map((part) => part.replace(/^# /, "").replaceAll(/\s*\n\s*/g, " "));
      const description = first.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1"); // links as their text
      return { uri: `botstead://docs/${page}`, name: page, title, description, mimeType: markdown, text };
    });
}
