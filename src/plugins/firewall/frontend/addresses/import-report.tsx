import { Badge, Table, TableBody, TableCell, TableHeader, TableRow } from "@atrium/plugin-sdk/ui";
import type { ImportData } from "../../backend/wire.ts";
import { importTexts as texts } from "../rule-texts.ts";

const columnsOf = ({ refused }: ImportData) => [
  { name: texts.columns.line },
  { name: texts.columns.outcome },
  { name: refused > 0 ? texts.columns.problem : texts.columns.range },
];
const tones = { added: "success", known: "neutral", refused: "danger" } as const;

/** What became of each line, or would. */
export const ImportReport = ({ report, isTrial }: { report: ImportData; isTrial: boolean }) =>
  report.lines.length > 0 && (
    <div className="max-h-64 overflow-auto rounded-md border border-border">
      <Table isWhole label={texts.report} className="text-[0.8125rem]">
        <TableHeader columns={columnsOf(report)} />
        <TableBody>
          {report.lines.map(({ line, outcome, range, message }) => (
            <TableRow key={line}>
              <TableCell>{line}</TableCell>
              <TableCell>
                <span title={message}>
                  <Badge tone={tones[outcome]}>
                    {(isTrial ? texts.trialOutcomes : texts.outcomes)[outcome]}
                  </Badge>
                </span>
              </TableCell>
              {/* One below the other: a dialog has no room for both side by side. */}
              <TableCell className="wrap-anywhere w-full whitespace-normal">
                <span className="font-mono">{range}</span>
                {outcome === "refused" && <span className="block text-destructive">{message}</span>}
              </TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
