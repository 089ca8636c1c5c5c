import * as React from "react";
import type { Plugin } from "vite";

const jsxModule = "\0lean-jsx";
const reactModule = "\0lean-react";
const storeModule = "\0lean-store";
const legalModule = "/site/legal/read-legal-document.ts";
const preloadModule = "\0vite/preload-helper.js";

/**
 * Modules that the bundle is smaller with. React is CommonJS, so every use of it would be a member of an object that each
 * chunk makes anew; here its parts are exports of their own, and `jsx` and `jsxs`, the same in production, are one. React
 * has had `useSyncExternalStore` since version 18, so the shim for older ones stays out. Vite's helper that asks for what a
 * page imports together with the page itself knows of styles, nonces and browsers that this application has not. The legal
 * texts are fetched by whoever goes to one of them, instead of being code of all.
 */
export const leanModules = (): Plugin => ({
  name: "lean-modules",
  apply: "build",
  enforce: "pre",
  resolveId: (source, importer = "\0") => {
    if (source.startsWith("use-sync-external-store/shim")) return storeModule;
    // The modules here want the originals, and packages bring their own ways of importing them.
    if (importer.startsWith("\0") || importer.includes("/node_modules/")) return null;
    if (source === "react/jsx-runtime") return jsxModule;
    return source === "react" ? reactModule : null;
  },
  load: (id) => {
    if (id === jsxModule) return jsxCode;
    if (id === preloadModule) return preloadCode;
    if (id.endsWith(legalModule)) return legalCode;
    if (id === storeModule) return 'export { useSyncExternalStore } from "react";';
    return id === reactModule ? reactCode() : null;
  },
});

const jsxCode = `
import runtime from "react/jsx-runtime";
const { jsx, Fragment } = runtime;
export { jsx, jsx as jsxs, Fragment };`;

const legalCode = `
export const readLegalDocument = async (path) => {
  const answer = await fetch("/texts" + path + ".json");
  if (!answer.ok) throw new Error("answered with " + answer.status);
  return answer.json();
};`;

// The browser itself loads nothing twice that a page has asked for before.
const preloadCode = `
const asked = new Set();
export const __vitePreload = (load, files = []) => {
  for (const file of files) {
    // The one stylesheet is there before the application is.
    if (asked.has(file) || file.endsWith(".css")) continue;
    asked.add(file);
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = "/" + file;
    document.head.append(link);
  }
  return load();
};`;

const reactCode = (): string => {
  const names = Object.keys(React).filter((name) => name !== "default");
  return [
    'import React from "react";',
    "export default React;",
    ...names.map((name) => `export const ${name} = React.${name};`),
  ].join("\n");
};
