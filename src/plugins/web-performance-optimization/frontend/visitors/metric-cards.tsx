import { formatCount } from "@atrium/plugin-sdk/ui";
import { type Figures, metrics } from "../../backend/wire.ts";
import { formatFigure } from "../format-figure.ts";
import { RatingBadge } from "../rating-badge.tsx";
import { metricTexts, texts } from "../texts.ts";

/** Each metric with its value, how good that is, and of how many visits it is known. */
export const MetricCards = ({ metrics: figures }: { metrics: Figures }) => (
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
