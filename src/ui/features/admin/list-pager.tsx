import { ChevronLeft, ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#ui/components/ui/button.tsx";
import { formatCount } from "./format.ts";
import { listTexts as texts } from "./texts.ts";

type ListPagerProps = {
  total: number;
  limit: number;
  offset: number;
  page: number;
  /** Of how many rows the page is; as many as fit unless told. */
  rows?: number;
  /** Whether `total` is but the least that there are: pages then go on for as long as they are full. */
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
