import { resolve } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: resolve(import.meta.dirname, "src/ui"),
  plugins: [react(), tailwindcss()],
  build: {
    manifest: true,
    target: "es2023",
    // The browsers that Tailwind asks for anyway; for them no colour has to be written twice.
    cssTarget: ["chrome111", "firefox128", "safari16.4"],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: resolve(import.meta.dirname, "src/ui/main.tsx"),
      output: {
        // What many pages share lies together: each small file of its own costs more than what is in it.
        codeSplitting: {
          groups: [
            // React changes seldom: in a file of its own it stays in the readers' caches.
            {
              name: "react",
              test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam|zustand)\//,
              priority: 5,
            },
            // Whatever every page needs.
            { name: "app", tags: ["$initial"], priority: 4 },
            // What the landing page needs, too, apart from what only forms and lists do.
            { name: "look", test: /\/ui\/components\/ui\/(alert|button|card|spinner)\./, priority: 3 },
            {
              name: "controls",
              test: /\/src\/(ui\/(components|lib)|api\/contract)\//,
              minShareCount: 6,
              priority: 2,
            },
            { name: "sign-in", test: /\/ui\/features\/auth\//, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
});
