import { type AtRule, type ChildNode, type Container, parse, type Root, type Rule } from "postcss";
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

const iconModule = "\0lean-icon";

/**
 * Lucide's icons without the machinery that builds them: a drawing is a string of markup, where the package has lists of
 * attributes, keys for React and options that nothing here sets. Whatever the pages' own code passes on stays possible.
 */
export const leanIcons = (): Plugin => ({
  name: "lean-icons",
  apply: "build",
  enforce: "pre",
  resolveId: (source) => (source === iconModule ? iconModule : null),
  load: (id) => (id === iconModule ? iconCode : null),
  transform: {
    filter: { id: /\/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/ },
    handler: (code, id) => leanIcon(code, id),
  },
});

/** One of Lucide's modules, rewritten. One that only passes on another under a second name is left as it is. */
export const leanIcon = (code: string, id: string): string | null => {
  if (!code.includes("createLucideIcon")) return null;
  const nodes = [...code.matchAll(/\[\s*"([a-z]+)",\s*\{([^}]*)\}\s*\]/g)];
  if (nodes.length === 0) throw new Error(`${id} has no drawing`);
  const markup = nodes.map(([, tag, attributes = ""]) => `<${tag}${markupOf(attributes)}/>`).join("");
  return [
    `import { icon } from ${JSON.stringify(iconModule)};`,
    `export default /* @__PURE__ */ icon(${JSON.stringify(markup)});`,
  ].join("\n");
};

const markupOf = (attributes: string): string =>
  [...attributes.matchAll(/"?([\w-]+)"?:\s*"([^"]*)"/g)]
    .filter(([, name]) => name !== "key")
    .map(([, name, value]) => ` ${name}="${value}"`)
    .join("");

// An icon beside words is hidden from those who hear the page, as Lucide's own is; with words of its own it is not.
const iconCode = `
import runtime from "react/jsx-runtime";
const { jsx } = runtime;
export const icon = (__html) => (props) => jsx("svg", {
  xmlns: "http://www.w3.org/2000/svg",
  width: 24,
  height: 24,
  viewBox: "0 0 24 24",
  fill: "none",
  stroke: "currentColor",
  strokeWidth: 2,
  strokeLinecap: "round",
  strokeLinejoin: "round",
  "aria-hidden": !(props["aria-label"] || props["aria-labelledby"] || props.role || props.title) || undefined,
  ...props,
  dangerouslySetInnerHTML: { __html },
});`;

/**
 * Takes from Tailwind's stylesheet what no browser of the build's `cssTarget` reads: the colours for those without
 * `color-mix()`, the list of initial values for those without `@property`, and what would stand in for the theme's own
 * values, which are there.
 */
export const leanStyles = (): Plugin => ({
  name: "lean-styles",
  apply: "build",
  enforce: "pre",
  transform: { filter: { id: /\/styles\/app\.css$/ }, handler: (css) => leanCss(css) },
});

/** The stylesheet for browsers that know `color-mix()` and `@property`. */
export const leanCss = (css: string): string => {
  const root = parse(css);
  root.walkAtRules("layer", (layer) => {
    if (layer.params === "properties" && layer.nodes?.every(isForOldBrowsers)) layer.remove();
  });
  root.walkAtRules("supports", (supports) => {
    if (!/^\(color: ?color-mix\(/.test(supports.params)) return;
    for (const node of supports.nodes ?? []) if (node.type === "rule") removeOverridden(supports, node);
    supports.replaceWith(supports.nodes ?? []);
  });
  useTheme(root);
  return root.toString();
};

const isForOldBrowsers = (node: ChildNode): boolean =>
  node.type === "atrule" && node.name === "supports" && node.params.includes("-webkit-hyphens");

/** Takes what stands in for values that the theme sets, such as fonts. */
const useTheme = (root: Root) => {
  const set = new Set<string>();
  root.walkAtRules("layer", (layer) => {
    if (layer.params === "theme") layer.walkDecls(/^--/, ({ prop }) => void set.add(prop));
  });
  root.walkDecls((decl) => {
    decl.value = decl.value.replace(/var\((--[\w-]+),[^()]*\)/g, (whole, name: string) =>
      set.has(name) ? `var(${name})` : whole,
    );
  });
};

/** Of the rule right before, with the same selector, removes what the new one sets again. */
const removeOverridden = (supports: AtRule, { selector, nodes }: Rule) => {
  const before = supports.prev();
  if (before?.type !== "rule" || before.selector !== selector) return;
  const set = new Set(nodes.map((node) => (node.type === "decl" ? node.prop : "")));
  before.each((node) => {
    if (node.type === "decl" && set.has(node.prop)) node.remove();
  });
  const left: Container = before;
  if (left.nodes?.length === 0) before.remove();
};
