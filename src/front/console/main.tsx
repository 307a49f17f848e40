/** Entry point of the page. */
import "../styles/all.ts";
import "./console.css";
import { render } from "preact";
import { applyScheme } from "../parts/scheme.tsx";
import { App } from "./app.tsx";

applyScheme();
const root = document.getElementById("program");
if (root) render(<App />, root);
