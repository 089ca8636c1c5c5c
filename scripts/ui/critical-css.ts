import { type AtRule, type ChildNode, type Container, type Declaration, parse, type Rule } from "postcss";

// Set on the root element by script, so never found in the markup.
const stateClasses = new Set(["dark"]);

/**
 * The part of a stylesheet that a page's markup can use: rules whose classes and elements all occur in it, and of the
 * custom properties and animations those that the rest refers to. Selectors with pseudo-classes stay, so that the page
 * answers to pointer and keyboard before the whole stylesheet is there.
 */
export const criticalCss = (css: string, html: string): string => {
  const root = parse(css);
  const used = { classes: classesIn(html), elements: elementsIn(html) };
  root.walkRules((rule) => {
    if (isKeyframe(rule)) return;
    const selectors = rule.selectors.filter((selector) => canMatch(selector, used));
    if (selectors.length === 0) rule.remove();
    else rule.selectors = selectors;
  });
  removeUnusedProperties(root);
  removeUnusedNames(root);
  removeEmpty(root);
  return root.toString();
};

type Used = { classes: ReadonlySet<string>; elements: ReadonlySet<string> };

const classesIn = (html: string): Set<string> => {
  const names = [...html.matchAll(/\sclass="([^"]*)"/g)].flatMap(([, list = ""]) =>
    decode(list).split(/\s+/),
  );
  return new Set([...names, ...stateClasses]);
};

const decode = (text: string): string =>
  text
    .replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

const elementsIn = (html: string): Set<string> => {
  const names = [...html.matchAll(/<([a-z][a-z0-9-]*)/g)].map(([, name = ""]) => name);
  return new Set([...names, "html", "body", "head"]);
};

/** Whether an element of the page can match: all its classes are there, and every element that it names. */
const canMatch = (selector: string, { classes, elements }: Used): boolean => {
  const wanted = wantedBy(selector);
  return (
    wanted.classes.every((name) => classes.has(name)) && wanted.elements.every((name) => elements.has(name))
  );
};

type Wanted = { classes: readonly string[]; elements: readonly string[] };

/** What a selector names. Each is taken apart once, for all pages. */
const wantedBy = (selector: string): Wanted => {
  const known = wantedBySelector.get(selector);
  if (known !== undefined) return known;
  // What :not() excludes need not be there; alternatives in :is() and :where() are kept as a whole.
  const required = hideEscapes(selector).replace(/:(?:not|is|where|has)\((?:[^()]|\([^()]*\))*\)/g, "");
  const bare = required.replace(/\[[^\]]*\]/g, "");
  const named = bare.replace(classPattern, "").replace(/::?[\w-]+(?:\([^)]*\))?/g, "");
  const wanted = {
    classes: [...bare.matchAll(classPattern)].map(([, name = ""]) => showEscapes(name)),
    elements: [...named.matchAll(/[a-z][a-z0-9-]*/g)].map(([name]) => name),
  };
  wantedBySelector.set(selector, wanted);
  return wanted;
};

const wantedBySelector = new Map<string, Wanted>();

const classPattern = /\.([\w\u00a0-\uffff-]+)/g;

// Escaped characters are moved to the private use area while a selector is parsed, where nothing mistakes them for
// syntax: `.w-\[50\%\]` is one class.
const privateUse = 0xe000;

const hideEscapes = (selector: string): string =>
  selector.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_, hex: string | undefined, sign: string | undefined) =>
    String.fromCharCode(
      privateUse + (hex === undefined ? (sign ?? "").charCodeAt(0) : Number.parseInt(hex, 16)),
    ),
  );

const showEscapes = (name: string): string =>
  name.replace(/[\ue000-\ue0ff]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - privateUse));

const isKeyframe = ({ parent }: Rule): boolean => isAtRule(parent) && parent.name.endsWith("keyframes");

const isAtRule = (node: unknown): node is AtRule =>
  typeof node === "object" && node !== null && "type" in node && node.type === "atrule";

/** Removes custom properties that nothing reads, again and again, because one may be read by another alone. */
const removeUnusedProperties = (root: Container<ChildNode>): void => {
  for (let removed = 1; removed > 0; ) {
    removed = 0;
    const read = new Set<string>();
    root.walkDecls(({ value }) => {
      for (const [, name = ""] of value.matchAll(/var\((--[\w-]+)/g)) read.add(name);
    });
    const drop = (node: Declaration | AtRule) => {
      removed += 1;
      node.remove();
    };
    root.walkDecls(/^--/, (declaration) => {
      if (!read.has(declaration.prop)) drop(declaration);
    });
    root.walkAtRules("property", (rule) => {
      if (!read.has(rule.params)) drop(rule);
    });
  }
};

/** Removes animations and places to try that no rule names. */
const removeUnusedNames = (root: Container<ChildNode>): void => {
  let values = "";
  root.walkDecls(/^(?:animation|--animate|position-try)/, ({ value }) => {
    values += ` ${value}`;
  });
  const names = new Set(values.split(/[\s,]+/));
  root.walkAtRules(/^(?:keyframes|position-try)$/, (rule) => {
    if (!names.has(rule.params)) rule.remove();
  });
};

const removeEmpty = (container: Container<ChildNode>): void => {
  for (const node of [...(container.nodes ?? [])]) {
    if (node.type !== "rule" && node.type !== "atrule") continue;
    // A statement such as `@layer base, utilities;` has no block at all, and its order counts.
    if (node.nodes === undefined) continue;
    removeEmpty(node);
    if (node.nodes.length === 0) node.remove();
  }
};
