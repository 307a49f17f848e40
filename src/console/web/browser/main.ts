/** Entry point of the page. */
import { render } from "preact";
import { App } from "./app.ts";
import { html } from "./html.ts";
import { followLinks } from "./place.ts";
import { applyScheme } from "./scheme.ts";

applyScheme();
followLinks();
const root = document.getElementById("program");
if (root) render(html`<${App} />`, root);
