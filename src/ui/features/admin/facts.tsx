import { Check, Copy } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { labelled } from "#contract/field-marks.ts";
import { cn } from "#ui/lib/cn.ts";
import { copyQuietly, copyTexts } from "#ui/lib/copy-text.ts";
import { shortMoment } from "#ui/lib/moments.ts";

import { formatDateTime } from "./format.ts";

/** One named fact of a `<dl>` grid; its name goes above it on phones. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="contents">
    <dt className="text-muted-foreground max-sm:-mb-2">{name}</dt>
    <dd className="wrap-anywhere min-w-0">{children}</dd>
  </div>
);

type FactsProps<Name extends string> = {
  fields: Record<Name, { label: string }>;
  /** What is shown of each field, in this order; `null` leaves one out. */
  contents: Record<NoInfer<Name>, ReactNode>;
};

/** The fields of a row as a `<dl>`, below their labels. */
export const Facts = <Name extends string>({ fields, contents }: FactsProps<Name>) => (
  <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[6.5rem_1fr]">
    {labelled(fields, contents).map(([label, content]) => (
      <Fact key={label} name={label}>
        {content}
      </Fact>
    ))}
  </dl>
);

/** A moment to the minute; `null` stays `null`. */
export const momentFact = (iso: string | null): ReactNode =>
  iso === null ? null : <time dateTime={iso}>{formatDateTime(iso)}</time>;

/** A moment of not years ago, to the minute. */
export const ShortMoment = ({ iso }: { iso: string }) => (
  <time dateTime={iso} title={formatDateTime(iso)}>
    {shortMoment(iso)}
  </time>
);

type CopyableProps = { name: string; text: string; isCode?: boolean };

const shownMs = 2_000;

/** A text with a button that copies it; `name` says what it is. */
export const Copyable = ({ name, text, isCode = false }: CopyableProps) => {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => setIsCopied(await copyQuietly(text));
  const Icon = isCopied ? Check : Copy;
  const copyLabel = copyTexts.copy(name);
  return (
    <span className="flex items-start gap-1">
      <span className={cn("wrap-anywhere min-w-0", isCode && "font-mono text-[0.8125rem]")}>{text}</span>
      <button
        type="button"
        aria-label={copyLabel}
        title={copyLabel}
        onClick={() => void copy()}
        className="-my-3 grid size-11 shrink-0 cursor-pointer place-items-center rounded-md text-muted-foreground outline-none hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset md:-my-1.5 md:size-8"
      >
        <Icon aria-hidden="true" className="size-3.5" />
      </button>
      <span role="status" className="sr-only">
        {isCopied && copyTexts.copied}
      </span>
    </span>
  );
};

/** A part of a sheet below its own heading. */
export const SheetPart = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <h3 id={id} className="font-semibold text-sm tracking-tight">
        {title}
      </h3>
      {children}
    </section>
  );
};
