import { Search } from "lucide-react";
import type { ReactNode } from "react";
import { markedSite } from "#contract/site.ts";
import { contentId } from "#ui/lib/use-act.ts";
import { Brand, SkipLink, ThemeToggle } from "../components/header-parts.tsx";
import { docsTexts as texts } from "./texts.ts";

export type NavGroup = { title: string; links: readonly NavEntry[] };
export type NavEntry = { path: string; title: string };

type FrameProps = {
  /** Where the reader is. */
  path: string;
  groups: readonly NavGroup[];
  /** Headings of the page, for the list beside it. */
  headings: readonly { id: string; text: string; depth: number }[];
  previous: NavEntry | null;
  next: NavEntry | null;
  /** The page's own content, its `h1` first. */
  children?: ReactNode;
};

/*
 * The documentation around a page. It is rendered by the build alone: the application has no part in it. Both lists of
 * links are popovers, which browsers open without a script; where there is room they stand beside the text.
 */
export const DocsFrame = ({ path, groups, headings, previous, next, children }: FrameProps) => (
  <div className="docs-page">
    <SkipLink />
    <header className="docs-header">
      <div className="docs-top">
        <a href="/" className="docs-brand">
          <Brand name={markedSite.name} />
        </a>
        <a href="/docs" className="docs-name" aria-current={path === "/docs" ? "page" : undefined}>
          {texts.name}
        </a>
        <nav aria-label="Main" className="docs-main-links">
          <a href="/about">About</a>
          <a href="/swagger">API</a>
          <a href="/contact">Contact</a>
        </nav>
        <div className="docs-scripted">
          <ThemeToggle />
        </div>
      </div>
      <div className="docs-bar">
        <button type="button" popoverTarget="chapters" className="docs-opener">
          {texts.chapters}
        </button>
        {headings.length > 0 && (
          <button type="button" popoverTarget="contents" className="docs-opener docs-contents-opener">
            {texts.contents}
          </button>
        )}
        <SearchField />
      </div>
    </header>
    <div className="docs-columns">
      <nav id="chapters" popover="auto" aria-label={texts.chapters} className="docs-chapters">
        {groups.map((group) => (
          <section key={group.title}>
            <h2>{group.title}</h2>
            <ul>
              {group.links.map((link) => (
                <li key={link.path}>
                  <a href={link.path} aria-current={link.path === path ? "page" : undefined}>
                    {link.title}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <main id={contentId} tabIndex={-1} className="docs-main">
        <article className="docs-text">{children}</article>
        <Pager previous={previous} next={next} />
      </main>
      {headings.length > 0 && (
        <nav id="contents" popover="auto" aria-label={texts.contents} className="docs-contents">
          <h2>{texts.contents}</h2>
          <ul>
            {headings.map(({ id, text, depth }) => (
              <li key={id} className={depth > 2 ? "docs-deeper" : undefined}>
                <a href={`#${id}`}>{text}</a>
              </li>
            ))}
          </ul>
        </nav>
      )}
    </div>
    <footer className="docs-footer">
      <span>{markedSite.owner}</span>
      <nav aria-label="Legal">
        <a href="/terms">Terms</a>
        <a href="/privacy">Privacy</a>
        <a href="/cookies">Cookies</a>
      </nav>
    </footer>
    <p id="notice" role="status" className="sr-only" />
  </div>
);

const Pager = ({ previous, next }: Pick<FrameProps, "previous" | "next">) =>
  (previous ?? next) && (
    <nav aria-label={texts.pager} className="docs-pager">
      {previous && (
        <a href={previous.path} rel="prev">
          <span>{texts.previous}</span>
          {previous.title}
        </a>
      )}
      {next && (
        <a href={next.path} rel="next" className="docs-next">
          <span>{texts.next}</span>
          {next.title}
        </a>
      )}
    </nav>
  );

/** The field that searches, and the place of what it finds. Without scripts neither is shown. */
const SearchField = () => (
  <search className="docs-search docs-scripted">
    <Search aria-hidden="true" className="docs-search-sign" />
    <input
      id="search"
      type="text"
      role="combobox"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      enterKeyHint="go"
      placeholder={texts.searchHint}
      aria-label={texts.search}
      aria-keyshortcuts="/"
      aria-autocomplete="list"
      aria-expanded="false"
      aria-controls="results"
    />
    <div className="docs-results" hidden>
      <p id="count" />
      <div id="results" role="listbox" aria-label={texts.results} />
    </div>
  </search>
);

type IndexGroup = Pick<NavGroup, "title"> & {
  links: readonly (NavGroup["links"][number] & { description: string })[];
};

/** Where the documentation begins: every chapter with what it is about. */
export const DocsIndexPage = ({ groups }: { groups: readonly IndexGroup[] }) => (
  <>
    <h1>{texts.name}</h1>
    <p className="docs-lead">{texts.lead}</p>
    {groups.map(({ title, links }) => (
      <section key={title}>
        <h2>{title}</h2>
        <ul className="docs-cards">
          {links.map((link) => (
            <li key={link.path}>
              <a href={link.path}>{link.title}</a>
              <span>{link.description}</span>
            </li>
          ))}
        </ul>
      </section>
    ))}
  </>
);
