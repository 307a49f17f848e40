/** Element templates. Interpolated strings are text, never markup. */
import htm from "htm";
import { type ComponentChildren, h, type VNode } from "preact";

export type Shown = ComponentChildren;

export const html = htm.bind(h) as (parts: TemplateStringsArray, ...values: unknown[]) => VNode;
