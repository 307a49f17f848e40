/** The build of the programs for browsers. src/web/front/build.ts runs it and src/web/front/programs.ts serves its output. */
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "/front/",
  logLevel: "warn",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    manifest: "manifest.json",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the content security policy allows no data: URLs
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { input: { portal: "portal/main.tsx", console: "console/main.tsx" } },
  },
});
