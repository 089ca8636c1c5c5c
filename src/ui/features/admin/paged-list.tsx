import { ChevronLeft, ChevronRight, type LucideIcon, Search } from "lucide-react";
import { Fragment, type ReactNode, useEffect, useRef } from "react";
import { pageLimits } from "#contract/limits.ts";
import { Button } from "#ui/components/ui/button.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { cn } from "#ui/lib/cn.ts";
import type { Loaded } from "#ui/lib/use-load.ts";
import { formatCount } from "./format.ts";
import { EmptyList, KeepFocus, LoadedData, type LoadedDataProps } from "./list-parts.tsx";
import { listTexts as texts } from "./texts.ts";

const typingMs = 250;

type ListSearchProps = {
  search: string;
  /** What can be looked for; names and addresses unless said. */
  hint?: string;
  /** Of how many characters a search may be. */
  maxLength?: number;
  onSearch: (search: string) => void;
};

/** The search field; it asks once typing pauses, and immediately on Enter. */
export const ListSearch = ({
  search,
  hint = texts.searchHint,
  maxLength = 254,
  onSearch,
}: ListSearchProps) => {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const asked = useRef(search);
  // Back, forward and resets change the filter from outside: the field follows. What it asked for itself leaves it alone,
  // as someone may have typed on.
  useEffect(() => {
    if (search === asked.current || input.current === null) return;
    clearTimeout(timer.current);
    asked.current = search;
    input.current.value = search;
  }, [search]);
  const ask = (text: string, waitMs: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      asked.current = text.trim();
      onSearch(asked.current);
    }, waitMs);
  };
  return (
    <search className="max-w-sm">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          ask(input.current?.value ?? "", 0);
        }}
      >
        <Field label={texts.search}>
          <div className="relative">
            <Search
              aria-hidden="true"
              className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted-foreground"
            />
            <Input
              ref={input}
              type="search"
              inputMode="search"
              autoComplete="off"
              spellCheck={false}
              placeholder={hint}
              defaultValue={search}
              maxLength={maxLength}
              className="pl-9"
              onInput={(event) => ask(event.currentTarget.value, typingMs)}
            />
          </div>
        </Field>
      </form>
    </search>
  );
};

type ListPagerProps = {
  total: number;
  limit: number;
  offset: number;
  page: number;
  /** Of how many rows the page is; as many as fit unless told. */
  rows?: number | undefined;
  /** Whether `total` is but the least that there are: pages then continue for as long as they are full. */
  totalIsEstimate?: boolean;
  onPage: (page: number) => void;
  /** More to choose, between the range and the ways. */
  children?: ReactNode;
};

/** Which rows are shown of how many, and the way to the others. A button at its end keeps the focus that it has. */
export const ListPager = ({
  total,
  limit,
  offset,
  page,
  rows = limit,
  totalIsEstimate = false,
  onPage,
  children,
}: ListPagerProps) => {
  const most = totalIsEstimate ? Number.POSITIVE_INFINITY : total;
  const last = Math.max(1, Math.ceil(most / limit));
  const isLast = page >= last || rows < limit;
  const from = total === 0 ? 0 : Math.min(offset + 1, most);
  const to = Math.min(offset + rows, most);
  return (
    <nav
      aria-label={texts.pages}
      className="flex flex-wrap items-center justify-between gap-3 border-border border-t px-4 py-2.5"
    >
      <p aria-live="polite" className="text-muted-foreground text-[0.8125rem] tabular-nums">
        {texts.range(
          formatCount(from),
          formatCount(to),
          `${formatCount(total)}${totalIsEstimate ? "+" : ""}`,
        )}
      </p>
      {children}
      <div className="flex gap-2">
        <Button
          variant="outline"
          size="sm"
          aria-disabled={page <= 1}
          onClick={() => page > 1 && onPage(Math.min(page - 1, last))}
        >
          <ChevronLeft aria-hidden="true" />
          {texts.previous}
        </Button>
        <Button variant="outline" size="sm" aria-disabled={isLast} onClick={() => isLast || onPage(page + 1)}>
          {texts.next}
          <ChevronRight aria-hidden="true" />
        </Button>
      </div>
    </nav>
  );
};

type ListCardProps = Pick<Loaded<unknown>, "data" | "error" | "isLoading"> & { children: ReactNode };

/** The card around a list: it fades while newer rows are on their way, or when they did not come. */
const ListCard = ({ data, error, isLoading, children }: ListCardProps) => (
  <Card
    aria-busy={isLoading}
    className={cn(
      "overflow-clip",
      (isLoading || error !== null) && "opacity-70 transition-opacity delay-200",
    )}
  >
    <KeepFocus of={data}>{children}</KeepFocus>
  </Card>
);

type ListSkeletonProps = {
  label: string;
  /** Of what is in a row, such as `w-1/3`. */
  widths: readonly string[];
  rowLook?: string;
};

/** Placeholders for a list's rows. */
export const ListSkeleton = ({ label, widths, rowLook }: ListSkeletonProps) => (
  <Card aria-busy="true" aria-label={label} className="divide-y divide-border">
    {["a", "b", "c", "d", "e", "f"].map((row) => (
      <div key={row} className={cn("flex h-11 items-center gap-6 px-4 md:h-10", rowLook)}>
        {widths.map((width) => (
          <Skeleton key={width} className={cn("h-4", width)} />
        ))}
      </div>
    ))}
  </Card>
);

type PagedListProps<T> = Omit<LoadedDataProps<T>, "skeleton"> & {
  /** What is loaded, in words. */
  loading: string;
  page: number;
  onPage: (page: number) => void;
  /** What of the data is a row each, unless its pages are of something else. */
  rowsOf?: (data: T) => readonly unknown[];
};

/** A list that comes by the page, with the way to the other pages below it. */
export const PagedList = <T extends { pagination: { total: number; limit: number; offset: number } }>({
  loaded,
  loading,
  page,
  onPage,
  rowsOf,
  children,
}: PagedListProps<T>) => (
  <LoadedData
    loaded={loaded}
    skeleton={<ListSkeleton label={loading} widths={["w-1/3", "w-1/5", "w-1/6"]} />}
  >
    {(data) => (
      <ListCard {...loaded}>
        {/* Created again for each page, so that its own scrolling begins at the top. */}
        <Fragment key={data.pagination.offset}>{children(data)}</Fragment>
        {data.pagination.total > 0 && (
          <ListPager
            {...data.pagination}
            page={page}
            rows={rowsOf?.(data).length}
            onPage={(next) => {
              onPage(next);
              window.scrollTo({ top: 0 });
            }}
          />
        )}
      </ListCard>
    )}
  </LoadedData>
);

type NoRowsProps = {
  Icon: LucideIcon;
  /** Of how many rows the list is that this page shows none of. */
  total?: number;
  /** Whether a search or filters hide rows. */
  isNarrowed?: boolean;
  words: { none: string; noneText: string; noMatch?: string; noMatchText?: string; showAll?: string };
  /** The way back to all rows. */
  onShowAll?: () => void;
};

/** Shown in place of the rows: there are none yet, none that match, or the page is past the last. */
export const NoRows = ({ Icon, total = 0, isNarrowed = false, words, onShowAll }: NoRowsProps) => {
  const [title, text] = reasonFor(total, isNarrowed, words);
  return (
    <EmptyList Icon={Icon} title={title} text={text}>
      {onShowAll !== undefined && (isNarrowed || total > 0) && (
        <Button variant="outline" size="sm" className="mt-3" onClick={onShowAll}>
          {words.showAll}
        </Button>
      )}
    </EmptyList>
  );
};

const reasonFor = (total: number, isNarrowed: boolean, words: NoRowsProps["words"]) => {
  if (total > 0) return [texts.beyond, texts.beyondText] as const;
  return isNarrowed
    ? ([words.noMatch ?? words.none, words.noMatchText] as const)
    : ([words.none, words.noneText] as const);
};

type FilterSelectProps = {
  label: string;
  /** What no choice is called. */
  any: string;
  value: string;
  /** The choices, each with its words. */
  options: readonly (readonly [string, string])[];
  onChange: (value: string) => void;
};

/** A filter that is one of several choices. What is not among them, as from an address, is offered all the same. */
export const FilterSelect = ({ label, any, value, options, onChange }: FilterSelectProps) => {
  const isKnown = value === "" || options.some(([choice]) => choice === value);
  // An address may ask for several at once, or for one that is no more.
  const words = new Map(options);
  const asked = value.split(",").map((choice) => words.get(choice) ?? choice);
  return (
    <Field label={label} className="min-w-0">
      <Select
        value={value}
        onChange={({ target }) => onChange(target.value)}
        options={[["", any], ...(isKnown ? [] : [[value, asked.join(", ")] as const]), ...options]}
      />
    </Field>
  );
};

/** The part of the whole list that a page shows. */
export const pageBounds = (page: number): { limit: number; offset: number } => ({
  limit: pageLimits.pageSize,
  offset: (page - 1) * pageLimits.pageSize,
});
