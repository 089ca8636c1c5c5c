import { dayWriter } from "#ui/lib/calendar-month.ts";
import type { DayCount } from "#ui/lib/day-count.ts";

/** The numbers of a chart of days as a table that only screen readers meet. */
export const DayBarsTable = ({ days, label }: { days: readonly DayCount[]; label: string }) => {
  const write = dayWriter(undefined, { dateStyle: "long" });
  const { format } = new Intl.NumberFormat();
  return (
    <div className="sr-only">
      <table>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">All</th>
            <th scope="col">Failed</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ date, total, failures }) => (
            <tr key={date}>
              <th scope="row">{write(date)}</th>
              <td>{format(total)}</td>
              <td>{format(failures)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
