import {
  Card,
  CardHeader,
  CardTitle,
  formatCount,
  Table,
  TableBody,
  TableCell,
  TableRow,
} from "@atrium/plugin-sdk/ui";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useState } from "react";
import { type Figure, type Metric, metrics, type Summary } from "../../backend/wire.ts";
import { formatFigure } from "../format-figure.ts";
import { ratingTexts, texts } from "../texts.ts";

type Row = Summary["pages"][number];
type Column = "page" | "visits" | Metric;
type Order = { by: Column; isDescending: boolean };

const columns: readonly Column[] = ["page", "visits", ...metrics];
const tones = {
  good: "text-success",
  "needs-improvement": "text-warning",
  poor: "text-destructive",
  "too-few": "text-muted-foreground",
} as const;

/** The pages with their figures; each heading sorts by its column. */
export const PagesTable = ({ pages }: { pages: readonly Row[] }) => {
  const [order, setOrder] = useState<Order>({ by: "visits", isDescending: true });
  const turn = (by: Column) =>
    setOrder((known) => ({ by, isDescending: known.by === by ? !known.isDescending : by !== "page" }));
  return (
    <Card className="overflow-hidden">
      <CardHeader>
        <CardTitle>{texts.pages}</CardTitle>
      </CardHeader>
      <Table label={texts.pages} isWhole>
        <thead className="bg-muted text-muted-foreground">
          <tr>
            {columns.map((column) => (
              <Heading key={column} column={column} order={order} onTurn={() => turn(column)} />
            ))}
          </tr>
        </thead>
        <TableBody>
          {sorted(pages, order).map(({ page, visits, metrics: figures }) => (
            <TableRow key={page}>
              <TableCell>{page === "*" ? texts.otherPages : page}</TableCell>
              <TableCell className="text-right">{formatCount(visits)}</TableCell>
              {metrics.map((metric) => (
                <TableCell key={metric} className="text-right">
                  <Value metric={metric} figure={figures[metric]} />
                </TableCell>
              ))}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </Card>
  );
};

const headingOf = (column: Column): string => {
  if (column === "page") return texts.page;
  return column === "visits" ? texts.visitsHead : column;
};

type HeadingProps = { column: Column; order: Order; onTurn: () => void };

const Heading = ({ column, order: { by, isDescending }, onTurn }: HeadingProps) => {
  const isSorted = by === column;
  const Arrow = isDescending ? ArrowDown : ArrowUp;
  const direction = isDescending ? "descending" : "ascending";
  return (
    <th
      scope="col"
      aria-sort={isSorted ? direction : undefined}
      className={`px-1 first:pl-2 last:pr-2 font-medium text-xs ${column === "page" ? "text-left" : "text-right"}`}
    >
      <button
        type="button"
        title={texts.sortedBy(headingOf(column))}
        onClick={onTurn}
        className="inline-flex min-h-11 cursor-pointer items-center gap-1 whitespace-nowrap rounded-md px-2 outline-none hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring md:min-h-9"
      >
        {headingOf(column)}
        {isSorted && <Arrow aria-hidden="true" className="size-3" />}
      </button>
    </th>
  );
};

const Value = ({ metric, figure }: { metric: Metric; figure: Figure | undefined }) =>
  figure === undefined ? (
    <span className="text-muted-foreground">{texts.none}</span>
  ) : (
    <span className={tones[figure.rating]} title={ratingTexts[figure.rating]}>
      {formatFigure(metric, figure.p75)}
      <span className="sr-only"> ({ratingTexts[figure.rating]})</span>
    </span>
  );

const sorted = (pages: readonly Row[], { by, isDescending }: Order): Row[] => {
  const sign = isDescending ? -1 : 1;
  if (by === "page") return pages.toSorted((a, b) => sign * a.page.localeCompare(b.page));
  // What was not measured comes last, whatever the order.
  const numberOf = (row: Row) => (by === "visits" ? row.visits : (row.metrics[by]?.p75 ?? null));
  return pages.toSorted((a, b) => {
    const [one, other] = [numberOf(a), numberOf(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return sign * (one - other);
  });
};
