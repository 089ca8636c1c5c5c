import type { LegalSection } from "./legal-document.ts";
import { legalTexts as texts } from "./texts.ts";
import { useSectionInView } from "./use-section-in-view.ts";

/** Links to all sections, numbered as they are; beside the text it stays in sight and marks where the reader is. */
export const TableOfContents = ({ sections }: { sections: readonly LegalSection[] }) => {
  const shown = useSectionInView(sections);
  return (
    <nav
      aria-labelledby="contents"
      className="self-start text-sm lg:sticky lg:top-20 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto"
    >
      <h2 id="contents" className="font-medium">
        {texts.contents}
      </h2>
      <ol className="mt-2 grid gap-x-6 border-border sm:grid-cols-2 lg:grid-cols-1 lg:border-l">
        {sections.map(({ id, title }, index) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === shown ? "location" : undefined}
              className="-ml-px flex min-h-11 items-center gap-2 border-transparent border-l text-muted-foreground outline-none hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset aria-[current]:text-foreground lg:aria-[current]:border-primary lg:min-h-8 lg:px-4 lg:py-1"
            >
              <span className="w-5 shrink-0 tabular-nums">{index + 1}.</span>
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
};
