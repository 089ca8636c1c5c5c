import {
  Alert,
  Card,
  CardHeader,
  CardTitle,
  Checkbox,
  EmptyState,
  Field,
  formatCount,
  Select,
  Skeleton,
  Table,
  TableBody,
  TableCell,
  TableRow,
  useLoad,
} from "@atrium/plugin-sdk/ui";
import { ArrowDown, ArrowUp, Gauge } from "lucide-react";
import { useCallback, useState } from "react";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import { type Figure, type Figures, type Metric, metrics, type Summary } from "../../backend/wire.ts";
import { formatFigure, loadSummary } from "../calls.ts";
import { LoadFailure, RatingBadge } from "../load-failure.tsx";
import { metricTexts, ratingTexts, texts } from "../texts.ts";
import { VitalsChart } from "./vitals-chart.tsx";

const restingMs = 30_000;
const spans = [1, 7, 28, 90] as const;

/** Page speed for visitors. */
export const VisitorsPart = ({ api }: { api: WindowApi }) => {
  const [days, setDays] = useState<number>(7);
  const [withAdmin, setWithAdmin] = useState(false);
  const load = useCallback(() => loadSummary(api, { days, withAdmin }), [api, days, withAdmin]);
  const { data, error, reload } = useLoad(load, restingMs);
  return (
    <div className="grid grid-cols-1 gap-6">
      {api.settings.vitals === false && (
        <Alert severity="info" title={texts.measuringOff}>
          {texts.measuringOffText}
        </Alert>
      )}
      {error !== null && <LoadFailure error={error} onRetry={reload} />}
      {data === null && error === null && <Waiting />}
      {data !== null && data.firstAt === null && (
        <EmptyState Icon={Gauge} title={texts.empty} text={texts.emptyText} />
      )}
      {data !== null && data.firstAt !== null && (
        <>
          <div className="flex flex-wrap items-end justify-between gap-3">
            <div className="flex w-full flex-wrap items-end gap-3 sm:w-auto sm:gap-6">
              <Field label={texts.span} className="w-full sm:w-52">
                <Select
                  value={days}
                  onChange={({ target }) => setDays(Number(target.value))}
                  options={spans.map((span) => [span, texts.spans[span]])}
                />
              </Field>
              <Checkbox
                label={texts.withAdmin}
                checked={withAdmin}
                onChange={({ target }) => setWithAdmin(target.checked)}
              />
            </div>
            <p className="text-muted-foreground text-sm tabular-nums">
              {texts.visits(formatCount(data.visits))}
            </p>
          </div>
          <VisitorFigures summary={data} />
        </>
      )}
    </div>
  );
};

const VisitorFigures = ({ summary }: { summary: Summary }) =>
  summary.visits === 0 ? (
    <EmptyState Icon={Gauge} title={texts.emptySpan} text={texts.emptySpanText} />
  ) : (
    <>
      <MetricCards metrics={summary.metrics} />
      <VitalsChart summary={summary} />
      <PagesTable pages={summary.pages} />
    </>
  );

const Waiting = () => (
  <div className="grid grid-cols-1 gap-6" aria-busy="true">
    <span className="sr-only">{texts.loading}</span>
    <Skeleton className="h-10 w-52" />
    <Skeleton className="h-32 w-full" />
    <Skeleton className="h-64 w-full" />
  </div>
);

/** Each metric with its value, its rating and the number of visits. */
const MetricCards = ({ metrics: figures }: { metrics: Figures }) => (
  <section aria-label={texts.p75} className="grid grid-cols-1 gap-2">
    <dl className="grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-5">
      {metrics.map((metric) => {
        const figure = figures[metric];
        return (
          <div key={metric} className="grid content-start gap-1 rounded-lg border border-border bg-card p-4">
            <dt className="text-sm">
              <span className="font-semibold">{metric}</span>{" "}
              <span className="text-muted-foreground">{metricTexts[metric].name}</span>
            </dt>
            <dd className="grid gap-1.5">
              <span className="font-semibold text-xl tabular-nums">
                {figure === undefined ? texts.none : formatFigure(metric, figure.p75)}
              </span>
              {figure !== undefined && (
                <span>
                  <RatingBadge rating={figure.rating} />
                </span>
              )}
              <span className="text-[0.8125rem] text-muted-foreground tabular-nums">
                {figure === undefined ? texts.notMeasured : texts.measured(formatCount(figure.count))}
              </span>
              <span className="text-[0.8125rem] text-muted-foreground">{metricTexts[metric].meaning}</span>
            </dd>
          </div>
        );
      })}
    </dl>
    <p className="text-[0.8125rem] text-muted-foreground">
      {texts.p75}. {texts.p75Note}
    </p>
  </section>
);

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
const PagesTable = ({ pages }: { pages: readonly Row[] }) => {
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
