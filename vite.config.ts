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
        // React changes seldom: in a file of its own it stays in the readers' caches.
        codeSplitting: {
          groups: [
            { name: "react", test: /node_modules\/(react|react-dom|scheduler|wouter|regexparam|zustand)\// },
          ],
        },
      },
    },
  },
});
