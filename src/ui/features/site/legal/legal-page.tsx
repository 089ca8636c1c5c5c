import { Info } from "lucide-react";
import { Link } from "wouter";
import { LegalBlocks } from "./legal-blocks.tsx";
import type { LegalDocument } from "./legal-document.ts";
import { TableOfContents } from "./table-of-contents.tsx";
import { type LegalPath, legalTitles, legalTexts as texts } from "./texts.ts";
import { Today } from "./today.tsx";

/** A legal text: numbered sections beside a table of contents that stays in sight. */
export const LegalPage = ({ path, lead, sections }: LegalDocument) => (
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

const OperatorNote = () => (
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

const OtherTexts = ({ path }: { path: LegalPath }) => (
  <p className="mt-14 flex flex-wrap items-center gap-x-5 border-border border-t pt-5 text-sm">
    <span className="text-muted-foreground">{texts.others}</span>
    {Object.entries(legalTitles)
      .filter(([other]) => other !== path)
      .map(([other, title]) => (
        <Link
          key={other}
          href={other}
          className="inline-flex min-h-11 items-center underline underline-offset-4 hover:text-primary md:min-h-8"
        >
          {title}
        </Link>
      ))}
  </p>
);
