import { Marked, type RendererObject, type Tokens } from "marked";
import { docsTexts as texts } from "#ui/docs-site/texts.ts";
import { escaped } from "../ui/escaped.ts";
import { colourCode } from "./colour-code.ts";
import type { ReadChapter } from "./read-chapter.ts";
import { type LinkTargets, resolveLink } from "./resolve-link.ts";

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
        complain(`${source}: the heading "${text}" holds a link`);
      if (depth < 2 || depth > 3) complain(`${source}: the heading "${text}" is of level ${depth}`);
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
      if (/^docs\/[\w/.-]+\.md$/.test(text)) complain(`${source}: ${text} is no page of the site`);
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
      complain(`${source}: there is no place for pictures yet: ${href}`);
      return "";
    },
  };
  return new Marked({ renderer, gfm: true }).parser(chapter.tokens);
};
