import { resolve } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { leanIcons, leanModules, leanStyles } from "./scripts/ui/vite-plugins.ts";

/** The browsers that Tailwind asks for anyway; for them no colour has to be written twice. */
export const cssTarget = ["chrome111", "firefox128", "safari16.4"];

export default defineConfig({
  root: resolve(import.meta.dirname, "src/ui"),
  plugins: [leanModules(), leanIcons(), react(), tailwindcss(), leanStyles()],
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
        moduleSideEffects: (id) => !/\/src\/(api\/contract|ui\/plugin-host)\//.test(id),
      },
      output: {
        // Every chunk names those that it imports, so a file's name is paid for many times; a hash does not compress.
        chunkFileNames: ({ name }) => `assets/${name.split("~")[0]}-[hash:7].js`,
        // What many pages share lies together: each small file of its own costs more than what is in it.
        codeSplitting: {
          groups: [
            // React changes seldom: in a file of its own it stays in the readers' caches.
            {
              name: "react",
              test: /^\0lean-(react|jsx|store)|node_modules\/(react|react-dom|scheduler|wouter|regexparam|zustand)\//,
              priority: 5,
            },
            // Whatever every page needs.
            { name: "app", tags: ["$initial"], priority: 4 },
            // What the landing page needs, too, apart from what only forms and lists do. Icons that several pages draw are
            // here as well: a page that finds one in another page's file has to load that file with all it needs.
            {
              name: "look",
              test: /lucide-react|lean-icon|\/ui\/(components\/ui\/(alert|badge|button|card|spinner)|lib\/moments)\./,
              minShareCount: 2,
              priority: 3,
            },
            // What forms and lists of the public pages share with the admin area, and its pages with each other: each page
            // that loads some of it needs most. A group takes all that its files import along, so this comes before theirs.
            {
              name: "desk",
              test: /\/src\/(ui\/(features\/admin\/([^/]+$|users\/|plugins\/plugin-status)|components|lib|plugin-host)|api\/contract)/,
              minShareCount: 2,
              priority: 2.5,
            },
            // Whoever meets one of these pages often meets the next, and each is too small for a file of its own.
            // The admin area in two: who works in it goes from page to page, and apart they would be a fifth larger.
            {
              name: "admin",
              test: /\/ui\/features\/admin\/(users|messages|activity|backups|tokens|[^/]+$)/,
              priority: 2.1,
            },
            { name: "plugins", test: /\/ui\/features\/admin\/(plugins|settings)\//, priority: 2 },
            // What is fetched together when it is first wanted.
            {
              name: "frontends",
              test: /\/ui\/plugin-host\/(plugin-frontend|shared-modules|sidebar-plugins)\./,
              priority: 2,
            },
            { name: "menu", test: /\/ui\/components\/(logout-dialog|user-menu-open)\./, priority: 2 },
            { name: "site", test: /\/ui\/features\/site\/(about-page|not-found-page|texts)\./, priority: 2 },
            { name: "legal", test: /\/ui\/features\/site\/legal\//, priority: 2 },
            // Forms for everybody, and pages of whoever is signed in: small ones beside the others of their kind.
            { name: "forms", test: /\/ui\/features\/(auth|contact)\//, priority: 2 },
            { name: "member", test: /\/ui\/features\/(account|switch-test)\//, priority: 2 },
            // The rest of what some pages share: a page loads no more than it needs, but for parts below 250 bytes,
            // which lie with their neighbours.
            {
              name: "shared",
              test: /\/src\/(ui|api\/contract)\/|lucide-react/,
              minShareCount: 2,
              entriesAware: true,
              entriesAwareMergeThreshold: 900,
              priority: 1,
            },
          ],
        },
      },
    },
  },
});
