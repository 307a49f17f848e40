/** The files of the Python package that are made from docs/openapi.json. */
import type { Document } from "./document.ts";
import { methodsOf } from "./methods.ts";
import { docstring, indent } from "./text.ts";
import { PythonTypes } from "./types.ts";

const head = (purpose: string) => `${docstring(purpose)}

from __future__ import annotations
`;

/** @returns the texts of the files, by their names in the package */
export function pythonPackage(document: Document): Record<string, string> {
  const types = new PythonTypes(document.components.schemas);
  const events = Object.entries(document.webhooks).map(([name, { post }]) =>
    types.of(post.requestBody.content["application/json"]?.schema ?? {}, name),
  );
  types.alias("DeliveryEvent", [...new Set(events)].join(" | "), "A webhook event. Later versions may add kinds.");
  const methods = methodsOf(document, types);
  const used = types.names.filter((name) => new RegExp(`\\b${name}\\b`).test(methods));
  return {
    "types.py": `${head("Bodies of requests and responses.")}
from typing import Any, Literal, NotRequired, TypedDict


${types.text}`,
    "_operations.py": `${head("The operations of the API as methods.")}
from collections.abc import Iterator
from typing import Literal, cast

from ._calls import Calls
from ._listing import Listing
from .types import (
${indent(used.join(",\n"))},
)


class Operations(Calls):
${indent(docstring("One method for each operation that takes a key. Each also takes a time-out and a number of retries."))}

${methods}`,
    "_version.py": `${docstring("The version of the API's document.")}\n\n__version__ = ${JSON.stringify(document.info.version)}\n`,
  };
}
