import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { Marked, type RendererObject, type Tokens } from "marked";
import { docsTexts as texts } from "#ui/docs-site/texts.ts";
import { projectRoot } from "../project-root.ts";
import { escaped } from "../ui/page-document.ts";
import type { ReadChapter } from "./chapters.ts";

type RenderJob = {
  /** The document that links are relative to. */
  source: string;
  chapter: ReadChapter;
  targets: LinkTargets;
  /** Takes what is wrong with the text, a sentence each. */
  complain: (problem: string) => void;
};

/** The markup of a chapter below its title. */
export const renderChapter = ({ source, chapter, targets, complain }: RenderJob): string => {
  const headings = [...chapter.headings];
  let section = chapter.title;
  const renderer: RendererObject = {
    heading({ tokens, depth }) {
      const { id, text } = headings.shift() ?? { id: "", text: "" };
      if (tokens.some(({ type }) => type === "link"))
        complain(`${source}: the heading "${text}" contains a link`);
      if (depth < 2 || depth > 3) complain(`${source}: the heading "${text}" has level ${depth}`);
      section = text;
      return `<h${depth} id="${id}"><a href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>`;
    },
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens);
      const link = resolveLink(source, href, targets);
      if ("problem" in link) {
        complain(link.problem);
        return words;
      }
      return link.href === null ? words : `<a href="${escaped(link.href)}">${words}</a>`;
    },
    codespan({ text }) {
      const page = targets.pages.get(text);
      if (page) return `<a href="${page.path}">${escaped(page.title)}</a>`;
      // Readers of the site have nothing at such a path.
      if (/^docs\/[\w/.-]+\.md$/.test(text)) complain(`${source}: ${text} is not a page of the site`);
      return `<code>${escaped(text)}</code>`;
    },
    code({ text, lang = "" }) {
      const [language = "", file] = lang.split(" ");
      const name = file === undefined ? "" : `<figcaption>${escaped(file)}</figcaption>`;
      return `<figure class="code">${name}<pre tabindex="0"><code>${colourCode(text, language)}</code></pre></figure>`;
    },
    table({ header, rows }) {
      const cell = (name: "th" | "td") => (entry: Tokens.TableCell) =>
        `<${name}>${this.parser.parseInline(entry.tokens)}</${name}>`;
      const body = rows.map((row) => `<tr>${row.map(cell("td")).join("")}</tr>`).join("");
      const head = `<thead><tr>${header.map(cell("th")).join("")}</tr></thead>`;
      const label = escaped(`${texts.table}: ${section}`);
      return `<div class="docs-table edge-shadows" role="group" aria-label="${label}" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>`;
    },
    html({ text }) {
      complain(`${source}: HTML is not rendered: ${text.trim()}`);
      return "";
    },
    image({ href }) {
      complain(`${source}: pictures are not supported: ${href}`);
      return "";
    },
  };
  return new Marked({ renderer, gfm: true }).parser(chapter.tokens);
};

/**
 * Markup of a piece of code with its comments (`c`), strings (`s`) and words of the language (`k`) marked by class. Of
 * languages that are not known only the text is left.
 */
export const colourCode = (code: string, language: string): string => {
  const pattern = patterns[language];
  if (pattern === undefined) return escaped(code);
  let html = "";
  let at = 0;
  for (const match of code.matchAll(pattern)) {
    const [kind, text] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? [];
    if (kind === undefined || text === undefined) continue;
    html += `${escaped(code.slice(at, match.index))}<i class="${kind}">${escaped(text)}</i>`;
    at = match.index + text.length;
  }
  return html + escaped(code.slice(at));
};

const words =
  "as|async|await|const|default|else|export|extends|false|for|from|function|if|import|in|interface|let|new|null|of|readonly|return|true|type|typeof|undefined|void";

const script = new RegExp(
  `(?<c>\\/\\*[\\s\\S]*?\\*\\/|\\/\\/[^\\n]*)|(?<s>"(?:[^"\\\\\\n]|\\\\.)*"|'(?:[^'\\\\\\n]|\\\\.)*'|\`(?:[^\`\\\\]|\\\\.)*\`)|\\b(?<k>${words})\\b`,
  "g",
);

const shell = /(?<=^|\s)(?<c>#[^\n]*)|(?<s>"(?:[^"\\\n]|\\.)*"|'[^'\n]*')/gm;

const patterns: Readonly<Record<string, RegExp | undefined>> = {
  ts: script,
  tsx: script,
  js: script,
  json: script,
  sh: shell,
  yaml: shell,
  ini: shell,
  cron: shell,
};

/** What links can lead to: the page of each document, and the anchors of each page. */
type LinkTargets = {
  /** Address and title of the page that a document below the project folder became. */
  pages: ReadonlyMap<string, { path: string; title: string; anchors: ReadonlySet<string> }>;
};

/** `href` is `null` where a link leads to a file that is no page: its words stay, the link goes. */
type ResolvedLink = { href: string | null } | { problem: string };

/** Where a link in the document `from` leads on the site. A document that is not there, or an anchor, is a problem. */
export const resolveLink = (from: string, link: string, { pages }: LinkTargets): ResolvedLink => {
  if (/^https?:\/\//.test(link)) return { href: link };
  if (/^[a-z]+:/.test(link)) return { problem: `${from}: ${link} is not a URL` };
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? from : normalize(join(dirname(from), path));
  const page = pages.get(target);
  if (page === undefined) {
    // A build for an image lacks much of what is beside: that it is in the repository is for another test to say.
    if (!target.startsWith("docs/")) return { href: null };
    return existsSync(join(projectRoot, target))
      ? { href: null }
      : { problem: `${from}: ${link} doesn't exist` };
  }
  if (anchor === undefined) return { href: page.path };
  if (!page.anchors.has(anchor)) return { problem: `${from}: ${target} has no heading #${anchor}` };
  return { href: path === "" ? `#${anchor}` : `${page.path}#${anchor}` };
};
