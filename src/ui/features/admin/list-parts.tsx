import { ChevronLeft, ChevronRight, type LucideIcon, Search } from "lucide-react";
import { type ComponentType, type ReactNode, useCallback, useEffect, useRef } from "react";
import { pageLimits } from "#contract/limits.ts";
import { RetryAlert } from "#ui/components/retry-alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Field } from "#ui/components/ui/field.tsx";
import { Input } from "#ui/components/ui/input.tsx";
import { useLoad } from "#ui/lib/use-load.ts";
import { formatCount } from "./format.ts";
import { partTexts, listTexts as texts } from "./texts.ts";

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
  rows?: number;
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

type EmptyListProps = {
  Icon: LucideIcon;
  title: string;
  text?: string | undefined;
  /** What can be done about it. */
  children?: ReactNode;
};

/** Shown in place of a list that would be empty, and says why. */
export const EmptyList = ({ Icon, title, text, children }: EmptyListProps) => (
  <div role="status" className="grid justify-items-center gap-1 px-6 py-14 text-center">
    <Icon aria-hidden="true" className="mb-2 size-6 text-muted-foreground" />
    <p className="font-medium text-sm">{title}</p>
    {text !== undefined && (
      <p className="wrap-anywhere max-w-sm text-[0.8125rem] text-muted-foreground">{text}</p>
    )}
    {children}
  </div>
);

type KeepFocusProps = {
  /** What the list shows; whenever it is another, the focus is looked after. */
  of: unknown;
  children: ReactNode;
};

/** A list whose rows may go: when the one with the focus has gone, the keyboard continues at the list, not at the page's top. */
export const KeepFocus = ({ of, children }: KeepFocusProps) => {
  const region = useRef<HTMLDivElement>(null);
  const wasInside = useRef(false);
  useEffect(() => {
    // Not by React's own events: it hears none of those that a dialog causes when it closes with its component.
    const note = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      // What is asked in a dialog is about a row, and its last button is disabled while the answer is awaited.
      wasInside.current = region.current?.contains(target) === true || target.closest("dialog") !== null;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useEffect(() => {
    const isLost = of !== null && wasInside.current && document.activeElement === document.body;
    if (isLost) region.current?.focus({ preventScroll: true });
  }, [of]);
  return (
    <div ref={region} tabIndex={-1} className="outline-none">
      {children}
    </div>
  );
};

/** What a list shows: what matches `search`, on page `page` (from 1). Lives in the address bar. */
export type ListFilters = { search: string; page: number };

// Beyond any list that can be paged through, and within what the server takes as an offset.
const lastPage = 10_000_000;

/** Reads the filters from a query; a page that is no whole number from 1 to ten million counts as the first. */
export const readFilters = (params: URLSearchParams): ListFilters => {
  const page = Number(params.get("page") ?? 1);
  return {
    search: (params.get("search") ?? "").trim(),
    page: Number.isInteger(page) && page > 0 && page <= lastPage ? page : 1,
  };
};

/** The filters as a query; what is at its default is left out, so that the plain address stays plain. */
export const writeFilters = ({ search, page }: ListFilters): URLSearchParams => {
  const params = new URLSearchParams();
  if (search !== "") params.set("search", search);
  if (page > 1) params.set("page", String(page));
  return params;
};

/** The part of the whole list that a page shows. */
export const pageBounds = (page: number): { limit: number; offset: number } => ({
  limit: pageLimits.pageSize,
  offset: (page - 1) * pageLimits.pageSize,
});

/** The text if it is one of the known ones, else `null`. */
export const oneOf = <T extends string>(known: readonly T[], text: string | null): T | null =>
  known.find((value) => value === text) ?? null;

type LazyPartProps<Props extends object> = {
  /** Fetches the part's code; the same function each time. */
  code: () => Promise<ComponentType<Props>>;
  props: Props;
  /** Shown in its place meanwhile. */
  fallback: ReactNode;
};

/** A part of the page whose code comes later, and can be asked for again where it did not; the rest of the page stays. */
export const LazyPart = <Props extends object>({ code, props, fallback }: LazyPartProps<Props>) => {
  // In an object of its own: a component is a function, which state would call.
  const load = useCallback(async () => ({ Part: await code() }), [code]);
  const { data, error, reload } = useLoad(load);
  if (data !== null) return <data.Part {...props} />;
  if (error === null) return fallback;
  return <RetryAlert onRetry={reload}>{partTexts.failed}</RetryAlert>;
};
