import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AtRule, type ChildNode, type Container, parse, type Root, type Rule } from "postcss";
import type { Plugin } from "vite";

/**
 * Takes from Tailwind's stylesheet what no browser of the build's `cssTarget` reads: the colors for those without
 * `color-mix()`, the list of initial values for those without `@property`, and fallbacks for the theme's own
 * values, which are there.
 */
export const leanStyles = (): Plugin => ({
  name: "lean-styles",
  apply: "build",
  enforce: "pre",
  transform: { filter: { id: /\/styles\/app\.css$/ }, handler: (css) => leanCss(css) },
});

/** Has Tailwind look for classes in the features whose pages are listed in `own-pages.ts`, too; all are in the folder `plugins`. */
export const ownStyles = (plugins: string): Plugin => ({
  name: "own-styles",
  enforce: "pre",
  transform: {
    filter: { id: /\/styles\/app\.css$/ },
    handler: (css) => {
      const listed = readFileSync(join(plugins, "own-pages.ts"), "utf8");
      const names = [...listed.matchAll(/from "\.\/([a-z0-9-]+)\//g)].map(([, name]) => name);
      return [css, ...names.map((name) => `@source "../../plugins/${name}/**/*.{ts,tsx}";`)].join("\n");
    },
  },
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

/** Removes fallbacks of values that the theme sets, such as fonts. */
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
