import { resolve } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { leanStyles, ownStyles } from "./scripts/ui/vite-plugins.ts";

/** The browsers that Tailwind asks for anyway; for them no color has to be written twice. */
export const cssTarget = ["chrome111", "firefox128", "safari16.4"];

export default defineConfig({
  root: resolve(import.meta.dirname, "src/ui"),
  // For features that are packages: package.json of the root says the same of all others.
  resolve: { tsconfigPaths: true },
  plugins: [react(), ownStyles(resolve(import.meta.dirname, "src/plugins")), tailwindcss(), leanStyles()],
  build: {
    target: "es2023",
    cssTarget,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: resolve(import.meta.dirname, "src/ui/main.tsx"),
      // On a busy machine it would say which plugin waited.
      checks: { bundlerTimings: false },
      // Modules that do nothing by being loaded stay out where nothing of them is used.
      // Reading a property does nothing either.
      treeshake: {
        propertyReadSideEffects: false,
        moduleSideEffects: (id) => !/\/src\/(api\/contract\/|ui\/(plugin-host\/|app-sdk\.))/.test(id),
      },
      output: {
        codeSplitting: {
          groups: [
            // React changes seldom: in a file of its own it stays in the readers' caches.
            {
              name: "react",
              test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam|zustand|use-sync-external-store)\//,
              priority: 4,
            },
            // What every page needs.
            { name: "app", tags: ["$initial"], priority: 3 },
            // What public pages without forms share with others, icons included.
            {
              name: "look",
              test: /lucide-react|\/ui\/(components\/ui\/(alert|badge|button|card|spinner)|lib\/moments)\./,
              minShareCount: 2,
              priority: 2,
            },
            // What forms and lists share, but for lists by the page, which half of the pages have. Everything else is a file
            // for each page.
            {
              name: "shared",
              test: /\/src\/(ui\/(features\/(admin\/(?!paged-list)[^/]+$|auth\/)|components|lib|plugin-host)|api\/contract)/,
              minShareCount: 5,
              priority: 1,
            },
          ],
        },
      },
    },
  },
});
