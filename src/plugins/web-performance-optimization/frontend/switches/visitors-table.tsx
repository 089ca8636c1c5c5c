import { formatCount, Table, TableBody, TableCell, TableHeader, TableRow } from "@atrium/plugin-sdk/ui";
import { type Figure, type Figures, type Metric, metrics } from "../../backend/wire.ts";
import { formatFigure } from "../format-figure.ts";
import { ratingTexts, texts } from "../texts.ts";

type VisitorsTableProps = { label: string; before: Figures; after: Figures };

const columns = [
  { name: texts.metric },
  { name: texts.before, look: "text-right" },
  { name: texts.after, look: "text-right" },
];

/** What visitors met before and after a switch was turned. */
export const VisitorsTable = ({ label, before, after }: VisitorsTableProps) => {
  const measured = metrics.filter((metric) => before[metric] !== undefined || after[metric] !== undefined);
  if (measured.length === 0)
    return <p className="text-[0.8125rem] text-muted-foreground">{texts.noVisits}</p>;
  return (
    <Table label={label} isWhole>
      <TableHeader columns={columns} />
      <TableBody>
        {measured.map((metric) => (
          <TableRow key={metric}>
            <TableCell>{metric}</TableCell>
            <TableCell className="text-right">
              <Value metric={metric} figure={before[metric]} />
            </TableCell>
            <TableCell className="text-right">
              <Value metric={metric} figure={after[metric]} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
};

const Value = ({ metric, figure }: { metric: Metric; figure: Figure | undefined }) =>
  figure === undefined ? (
    texts.none
  ) : (
    <>
      {formatFigure(metric, figure.p75)}{" "}
      <span className="text-muted-foreground">
        ({texts.measured(formatCount(figure.count))}
        {figure.rating === "too-few" && `, ${ratingTexts["too-few"].toLowerCase()}`})
      </span>
    </>
  );
