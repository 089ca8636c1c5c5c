/**
 * Markdown that admins wrote, as markup for a page: paragraphs, headings below the page's own, lists, quotes, code, tables, emphasis
 * and links to `https:`, `http:`, `mailto:` and paths of this site. HTML in it, and pictures, stay text.
 */
export const ownTextMarkup = (markdown: string): string =>
  rewriter.transform(Bun.markdown.html(markdown, options));

const options = { noHtmlBlocks: true, noHtmlSpans: true, autolinks: true, tasklists: false } as const;

/** The elements that stay, with their classes. All of these are in the interface's style sheet already. */
const looks: Readonly<Record<string, string>> = {
  p: "mt-3 text-base text-foreground/85 leading-7",
  h2: "mt-10 font-semibold text-xl tracking-tight",
  h3: "mt-6 font-semibold text-base tracking-tight",
  h4: "mt-6 font-medium text-base",
  ul: "mt-3 grid list-disc gap-2 pl-5 text-base text-foreground/85 leading-7 marker:text-muted-foreground",
  ol: "mt-3 grid list-decimal gap-2 pl-5 text-base text-foreground/85 leading-7 marker:text-muted-foreground",
  li: "pl-1",
  blockquote: "mt-4 border-border border-l pl-4 text-muted-foreground",
  pre: "mt-4 overflow-x-auto rounded-lg border border-border bg-card px-4 py-3.5 text-sm",
  code: "font-mono text-sm",
  table: "wrap-break-word text-sm",
  th: "border border-border px-3 py-2 text-left font-medium",
  td: "border border-border px-3 py-2",
  a: "underline underline-offset-4 hover:text-primary",
  hr: "mt-10 border-border border-t",
  ...{ thead: "", tbody: "", tr: "", em: "", strong: "", del: "", br: "" },
};

/** A table that is wider than the page scrolls in itself, with the keyboard too. */
const tableFrame = '<div class="mt-4 overflow-x-auto" tabindex="0">';

const headings: Readonly<Record<string, string>> = { h1: "h2", h5: "h4", h6: "h4" };
const target = /^(?:https?:\/\/|mailto:|#|\/(?![/\\]))/i;

const rewriter = new HTMLRewriter().on("*", {
  element(element) {
    const { tagName } = element;
    const href = tagName === "a" ? element.getAttribute("href") : null;
    const alt = tagName === "img" ? element.getAttribute("alt") : null;
    for (const [name] of [...element.attributes]) element.removeAttribute(name);
    const name = headings[tagName] ?? tagName;
    const look = Object.hasOwn(looks, name) ? looks[name] : undefined;
    if (alt !== null) element.replace(alt, { html: true });
    else if (look === undefined || (name === "a" && !target.test(href ?? ""))) element.removeAndKeepContent();
    else {
      element.tagName = name;
      if (href !== null) element.setAttribute("href", href);
      if (look !== "") element.setAttribute("class", look);
      if (name === "table") element.before(tableFrame, { html: true }).after("</div>", { html: true });
    }
  },
});

const boxes = {
  list: "mt-10 grid gap-4 md:grid-cols-2 lg:grid-cols-3",
  box: "min-w-0 rounded-xl border border-border bg-card p-6",
  title: "font-semibold text-base tracking-tight",
};

/** The same in boxes: the text before the first heading of the second level, then each with what follows it. */
export const boxesMarkup = (markdown: string): string => {
  const [lead = "", ...rest] = ownTextMarkup(markdown).split(/<h2 class="[^"]*">/);
  const all = rest.map(
    (text) => `<section class="${boxes.box}"><h2 class="${boxes.title}">${text}</section>`,
  );
  const list = all.length === 0 ? "" : `<div class="${boxes.list}">${all.join("")}</div>`;
  return `<div class="max-w-[40rem]">${lead}</div>${list}`;
};

/** One of each element that a text can have, for a style sheet with all of their classes. */
export const everyOwnElement =
  boxesMarkup("## Box") +
  Object.entries(looks)
    .map(([name, look]) => `<${name} class="${look}">`)
    .join("");
