import { Info } from "lucide-react";
import { type ComponentType, useEffect, useState } from "react";
import { legalNames } from "#contract/site.ts";
import { SiteLink } from "#ui/components/header-parts.tsx";
import { dayOf, today } from "#ui/lib/moments.ts";
import { useSession } from "#ui/lib/session.ts";
import { useSite } from "#ui/lib/site.ts";
import { useHydrated } from "#ui/lib/use-load.ts";
import {
  type LegalBlock,
  type LegalDocument,
  type LegalEntry,
  type LegalPath,
  type LegalSection,
  legalTitles,
  legalTexts as texts,
} from "./legal-document.ts";

/** A legal text: numbered sections beside a table of contents that stays in sight. */
const LegalPage = ({ path, lead, sections }: LegalDocument) => (
  <div className="mx-auto w-full max-w-[70rem] px-4 py-14 sm:px-6 sm:py-20">
    <header className="max-w-[40rem]">
      <h1 className="font-semibold text-3xl tracking-[-0.025em]">{legalTitles[path]}</h1>
      <p className="mt-4 text-pretty text-muted-foreground text-xl">{lead}</p>
      <p className="mt-5 text-muted-foreground text-sm">
        {texts.updated} <Today />
      </p>
    </header>
    <div className="mt-10 grid gap-x-16 gap-y-10 border-border border-t pt-10 lg:grid-cols-[15rem_minmax(0,42rem)]">
      <TableOfContents sections={sections} />
      <article>
        <OperatorNote />
        <Operator />
        {sections.map(({ id, title, blocks }, index) => (
          <section key={id} aria-labelledby={id} className="mt-10">
            <h2 id={id} tabIndex={-1} className="flex gap-3 font-semibold text-xl tracking-tight">
              <span className="text-muted-foreground tabular-nums">{index + 1}.</span>
              {title}
            </h2>
            <LegalBlocks blocks={blocks} />
          </section>
        ))}
        <OtherTexts path={path} />
      </article>
    </div>
  </div>
);

/** Tells administrators, and no one else, what the text still lacks. */
const OperatorNote = () => {
  const { user } = useSession();
  const isHydrated = useHydrated();
  return isHydrated && user?.role === "admin" ? <AdminNote /> : null;
};

const AdminNote = () => (
  <aside
    aria-label={texts.operatorTitle}
    className="flex gap-3 rounded-lg border border-info/30 bg-info/8 px-4 py-3.5 text-sm"
  >
    <Info aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-info" />
    <div>
      <p className="font-medium">{texts.operatorTitle}</p>
      <p className="mt-1 text-pretty text-foreground/90">{texts.operatorText}</p>
    </div>
  </aside>
);

const OtherTexts = ({ path }: { path: LegalPath }) => {
  const site = useSite();
  return (
    <p className="mt-14 flex flex-wrap items-center gap-x-5 border-border border-t pt-5 text-sm">
      <span className="text-muted-foreground">{texts.others}</span>
      {legalNames
        .filter((name) => `/${name}` !== path)
        .map((name) => (
          <SiteLink
            key={name}
            href={site[name]}
            className="inline-flex min-h-11 items-center underline underline-offset-4 hover:text-primary md:min-h-8"
          >
            {legalTitles[`/${name}`]}
          </SiteLink>
        ))}
    </p>
  );
};

/** Who runs the site, as far as that is set. */
const Operator = () => {
  const { legalName, address, supportEmail } = useSite();
  return (
    <section aria-labelledby="operator" data-when="operator" className="wrap-anywhere mt-10">
      <h2 id="operator" className="font-semibold text-xl tracking-tight">
        {texts.operator}
      </h2>
      <address className="mt-3 text-base text-foreground/85 not-italic leading-7">
        <p>{legalName}</p>
        <p data-when="address">{address}</p>
        <p data-when="support">
          <a href={`mailto:${supportEmail}`} className="underline underline-offset-4">
            {supportEmail}
          </a>
        </p>
      </address>
    </section>
  );
};

/** The body of a section. */
const LegalBlocks = ({ blocks }: { blocks: readonly LegalBlock[] }) =>
  blocks.map((block) => {
    if (typeof block === "string") {
      return (
        <p key={block} className="mt-3 text-base text-foreground/85 leading-7">
          {block}
        </p>
      );
    }
    if ("list" in block) return <Points key={block.list[0]} points={block.list} />;
    return <Entries key={block.entries[0]?.name} entries={block.entries} />;
  });

const Points = ({ points }: { points: readonly string[] }) => (
  <ul className="mt-3 grid list-disc gap-2 pl-5 text-base text-foreground/85 leading-7 marker:text-muted-foreground">
    {points.map((point) => (
      <li key={point} className="pl-1">
        {point}
      </li>
    ))}
  </ul>
);

const Entries = ({ entries }: { entries: readonly LegalEntry[] }) => (
  <dl className="mt-4 divide-y divide-border rounded-lg border border-border bg-card text-sm">
    {entries.map(({ name, purpose, kept }) => (
      <div key={name} className="grid gap-x-5 gap-y-1 px-4 py-3.5 sm:grid-cols-[8.5rem_1fr]">
        <dt className="font-medium">{name}</dt>
        <dd>
          {purpose}
          <span className="mt-1 block text-muted-foreground">
            {texts.kept} {kept}
          </span>
        </dd>
      </div>
    ))}
  </dl>
);

/** Links to all sections, numbered as they are; beside the text it stays in sight and marks where the reader is. */
const TableOfContents = ({ sections }: { sections: readonly LegalSection[] }) => {
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

/**
 * The current date. Markup made ahead of time says "today"; the script in the page's head writes the date before anyone
 * reads it, and what it wrote is taken over as it stands.
 */
const Today = () => {
  const isHydrated = useHydrated();
  const day = isHydrated ? dayOf(new Date(), document.documentElement.lang) : null;
  return (
    <time {...today.mark} dateTime={day?.iso} suppressHydrationWarning>
      {day?.text ?? texts.today}
    </time>
  );
};

/** Which section the reader is in, by its heading's id; `null` before the first has been reached. */
const useSectionInView = (sections: readonly { id: string }[]): string | null => {
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    const headings = sections.flatMap(({ id }) => document.getElementById(id) ?? []);
    const look = () => {
      const passed = headings.filter((heading) => heading.getBoundingClientRect().top <= readingLinePx);
      setShown(passed.at(-1)?.id ?? null);
    };
    // Asked only when a heading crosses the line, not on every step of scrolling.
    const observer = new IntersectionObserver(look, { rootMargin: `-${readingLinePx}px 0px 0px` });
    for (const heading of headings) observer.observe(heading);
    return () => observer.disconnect();
  }, [sections]);
  return shown;
};

/** Below the top bar and the room that a link's target keeps from it. */
const readingLinePx = 96;

/** The page with one legal text, once the text is there; rejects when it cannot be loaded. */
export const loadLegalPage = async (path: LegalPath): Promise<ComponentType> => {
  const { legalDocuments } = await import("./legal-documents.ts");
  const document = legalDocuments[path];
  return () => <LegalPage {...document} />;
};
