import { Badge, Table, TableBody, TableCell, TableHeader, TableRow } from "@atrium/plugin-sdk/ui";
import type { ImportData } from "../../backend/wire.ts";
import { importTexts as texts } from "./texts.ts";

const columns = [
  { name: texts.columns.line },
  { name: texts.columns.outcome },
  { name: texts.columns.range },
  { name: texts.columns.message },
];
const tones = { added: "success", known: "neutral", refused: "danger" } as const;

/** What became of each line, or would. */
export const ImportReport = ({ report, isTrial }: { report: ImportData; isTrial: boolean }) =>
  report.lines.length > 0 && (
    <div className="max-h-64 overflow-auto rounded-md border border-border">
      <Table isWhole label={texts.report} className="text-[0.8125rem]">
        <TableHeader columns={columns} />
        <TableBody>
          {report.lines.map(({ line, outcome, range, message }) => (
            <TableRow key={line}>
              <TableCell>{line}</TableCell>
              <TableCell>
                <Badge tone={tones[outcome]}>
                  {(isTrial ? texts.trialOutcomes : texts.outcomes)[outcome]}
                </Badge>
              </TableCell>
              <TableCell className="font-mono">{range}</TableCell>
              <TableCell className="min-w-40 whitespace-normal">{message}</TableCell>
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </div>
  );
