import type { ComponentProps } from "react";
import { cn } from "#ui/lib/cn.ts";
import { barHeights, type DayCount } from "#ui/lib/day-count.ts";

type DayBarProps = {
  day: DayCount;
  /** The highest day's number. */
  most: number;
  /** Stands above the bar; `null` for nothing. */
  words: string | null;
  /** In which third of the chart the bar is, from 0: its words grow to where there is room. */
  third: number;
  onPoint: () => void;
  /** Makes it a button. */
  button?: ComponentProps<"button">;
};

/** One day's column in a chart of days, as high as the chart. Drawn by geometry alone: the policy refuses style attributes. */
export const DayBar = ({ day, most, words, third, onPoint, button }: DayBarProps) => {
  const { total, failures } = barHeights(day, most);
  const content = (
    <>
      <svg aria-hidden="true" className="absolute inset-0 size-full">
        <rect x="10%" width="80%" y={`${100 - total}%`} height={`${total}%`} className="fill-chart-1" />
        <rect
          x="10%"
          width="80%"
          y={`${100 - failures}%`}
          height={`${failures}%`}
          className="fill-destructive"
        />
      </svg>
      {words !== null && (
        <span
          aria-hidden="true"
          className={cn(
            "pointer-events-none absolute bottom-full whitespace-nowrap pb-0.5 text-xs tabular-nums",
            third === 0 && "left-[10%]",
            third === 1 && "left-1/2 -translate-x-1/2",
            third === 2 && "right-[10%]",
          )}
        >
          {words}
        </span>
      )}
    </>
  );
  const place = "relative min-w-0 grow basis-0 rounded-t-sm hover:bg-accent";
  if (button === undefined) {
    return (
      <div onPointerEnter={onPoint} className={place}>
        {content}
      </div>
    );
  }
  return (
    <button
      type="button"
      onPointerEnter={onPoint}
      className={cn(place, "cursor-pointer focus-visible:z-10 focus-visible:outline-offset-0")}
      {...button}
    >
      {content}
    </button>
  );
};
