import {
  Alert,
  Button,
  Card,
  CardContent,
  CardHeader,
  CardTitle,
  failureText,
  formatCount,
  formatDateTime,
  useAct,
} from "@atrium/plugin-sdk/ui";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import type { ReportState } from "../../backend/wire.ts";
import { cancelReport, startReport } from "../calls.ts";
import { texts } from "../texts.ts";

type MeasureCardProps = { api: WindowApi; state: ReportState; onChange: () => void };

/** Begins the measurement of what switches do, shows how far it is, and ends it. */
export const MeasureCard = ({ api, state, onChange }: MeasureCardProps) => {
  const start = useAct(() => startReport(api).then(onChange));
  const cancel = useAct(() => cancelReport(api).then(onChange));
  const { isRunning, done, total, error, report } = state;
  return (
    <Card>
      <CardHeader className="flex-wrap">
        <CardTitle>{texts.measureTitle}</CardTitle>
        {isRunning ? (
          <Button variant="outline" size="sm" onClick={cancel.act} isBusy={cancel.isBusy}>
            {texts.cancel}
          </Button>
        ) : (
          <Button size="sm" onClick={start.act} isBusy={start.isBusy}>
            {texts.measure}
          </Button>
        )}
      </CardHeader>
      <CardContent className="grid grid-cols-1 gap-3 text-sm">
        <p className="max-w-3xl text-muted-foreground">{texts.measureText}</p>
        {isRunning && (
          <div className="grid gap-1.5">
            <progress
              className="h-2 w-full accent-primary"
              max={total}
              value={done}
              aria-label={texts.measureTitle}
            />
            <p className="text-muted-foreground tabular-nums">
              {texts.progress(formatCount(done), formatCount(total))}
            </p>
          </div>
        )}
        {!isRunning && report !== null && (
          <p className="tabular-nums">
            {texts.measuredAt(formatDateTime(report.at), formatCount(report.seconds))}
          </p>
        )}
        {!isRunning && error !== null && (
          <Alert severity="warning" title={texts.ended}>
            {error}
          </Alert>
        )}
        {report?.notes.map((note) => (
          <p key={note} className="text-muted-foreground">
            {note}
          </p>
        ))}
        {start.error !== null && (
          <Alert severity="error">{failureText(start.error, texts.measureFailed)}</Alert>
        )}
        {cancel.error !== null && (
          <Alert severity="error">{failureText(cancel.error, texts.cancelFailed)}</Alert>
        )}
      </CardContent>
    </Card>
  );
};
