import type { Plugin } from "vite";

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
