import {
  Alert,
  Checkbox,
  EmptyState,
  Field,
  formatCount,
  Select,
  Skeleton,
  useLoad,
} from "@atrium/plugin-sdk/ui";
import { Gauge } from "lucide-react";
import { useCallback, useState } from "react";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import type { Summary } from "../../backend/wire.ts";
import { loadSummary } from "../calls.ts";
import { LoadFailure } from "../load-failure.tsx";
import { texts } from "../texts.ts";
import { MetricCards } from "./metric-cards.tsx";
import { PagesTable } from "./pages-table.tsx";
import { VitalsChart } from "./vitals-chart.tsx";

const restingMs = 30_000;
const spans = [1, 7, 28, 90] as const;

/** How fast pages are for those who visit them. */
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
                <Select value={days} onChange={({ target }) => setDays(Number(target.value))}>
                  {spans.map((span) => (
                    <option key={span} value={span}>
                      {texts.spans[span]}
                    </option>
                  ))}
                </Select>
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
          <Figures summary={data} />
        </>
      )}
    </div>
  );
};

const Figures = ({ summary }: { summary: Summary }) =>
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
