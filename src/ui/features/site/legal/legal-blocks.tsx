import type { LegalBlock, LegalEntry } from "./legal-document.ts";
import { legalTexts as texts } from "./texts.ts";

/** The body of a section. */
export const LegalBlocks = ({ blocks }: { blocks: readonly LegalBlock[] }) =>
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
