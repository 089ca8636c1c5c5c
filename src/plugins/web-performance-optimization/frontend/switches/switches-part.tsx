import {
  Alert,
  Button,
  Card,
  CardContent,
  CardHeader,
  CardTitle,
  DataTable,
  failureText,
  formatCount,
  formatDateTime,
  formatMs,
  Label,
  Skeleton,
  Switch,
  useAct,
  useLoad,
} from "@atrium/plugin-sdk/ui";
import { useCallback, useId } from "react";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import {
  type Figure,
  type Figures,
  type Measured,
  type Metric,
  metrics,
  type ReportState,
  type Switching,
  type SwitchName,
  type SwitchReport,
} from "../../backend/wire.ts";
import { cancelReport, formatFigure, loadReport, loadSwitches, startReport, turnSwitch } from "../calls.ts";
import { LoadFailure } from "../load-failure.tsx";
import { ratingTexts, switchTexts, texts } from "../texts.ts";

const restingMs = 30_000;
const workingMs = 1_000;

/** The switches, each with its effect. */
export const SwitchesPart = ({ api }: { api: WindowApi }) => {
  const loadAll = useCallback(() => loadSwitches(api), [api]);
  const loadLast = useCallback(() => loadReport(api), [api]);
  const switches = useLoad(loadAll, restingMs);
  const report = useLoad(loadLast, workingMs);
  if (switches.data === null || report.data === null) {
    const error = switches.error ?? report.error;
    if (error === null) return <Waiting />;
    return (
      <LoadFailure
        error={error}
        onRetry={() => {
          switches.reload();
          report.reload();
        }}
      />
    );
  }
  const { data } = switches;
  const last = report.data;
  return (
    <div className="grid grid-cols-1 gap-6">
      <p className="max-w-3xl text-muted-foreground text-sm">{texts.switchesLead}</p>
      <MeasureCard api={api} state={last} onChange={report.reload} />
      {data.switches.map(({ name, isOn }) => (
        <SwitchCard
          key={name}
          api={api}
          name={name}
          isOn={isOn}
          measured={last.report?.switches.find((one) => one.name === name)}
          turned={data.switchings.find((one) => one.switch === name)}
          onTurned={switches.reload}
        />
      ))}
    </div>
  );
};

const Waiting = () => (
  <div className="grid grid-cols-1 gap-6" aria-busy="true">
    <span className="sr-only">{texts.loading}</span>
    <Skeleton className="h-32 w-full" />
    <Skeleton className="h-40 w-full" />
    <Skeleton className="h-40 w-full" />
  </div>
);

type SwitchCardProps = {
  api: WindowApi;
  name: SwitchName;
  isOn: boolean;
  /** Results of the last measurement; `undefined` before the first. */
  measured: SwitchReport | undefined;
  /** Its last change; `undefined` if it never changed. */
  turned: Switching | undefined;
  onTurned: () => void;
};

/** A switch with its effect on this server, and for visitors since it was changed. */
const SwitchCard = ({ api, name, isOn, measured, turned, onTurned }: SwitchCardProps) => {
  const id = useId();
  const { act, isBusy, error } = useAct(async () => {
    const { message } = await turnSwitch(api, name, !isOn);
    api.notify(message);
    onTurned();
  });
  const { title, text } = switchTexts[name];
  return (
    <Card>
      <CardContent className="grid grid-cols-1 gap-4 pt-4">
        <div className="flex items-start justify-between gap-4">
          <div className="grid min-w-0 max-w-3xl gap-1">
            <Label htmlFor={id}>{title}</Label>
            <p id={`${id}-text`} className="text-[0.8125rem] text-muted-foreground leading-5">
              {text}
            </p>
          </div>
          <Switch
            id={id}
            aria-describedby={`${id}-text`}
            checked={isOn}
            disabled={isBusy}
            onCheckedChange={act}
          />
        </div>
        {error !== null && <Alert severity="error">{failureText(error, texts.turnFailed)}</Alert>}
        <section className="grid grid-cols-1 gap-1.5" aria-label={`${title}: ${texts.effectServer}`}>
          <h3 className="font-medium text-sm">{texts.effectServer}</h3>
          {measured === undefined ? <Faint>{texts.noReport}</Faint> : <Faint>{measured.note}</Faint>}
          {measured !== undefined && measured.rows.length > 0 && (
            <MeasuredTable label={`${title}: ${texts.effectServer}`} rows={measured.rows} />
          )}
        </section>
        <section className="grid grid-cols-1 gap-1.5" aria-label={`${title}: ${texts.effectVisitors}`}>
          <h3 className="font-medium text-sm">{texts.effectVisitors}</h3>
          {turned === undefined ? (
            <Faint>{texts.noTurn}</Faint>
          ) : (
            <>
              <Faint>{(turned.isOn ? texts.turnedOn : texts.turnedOff)(formatDateTime(turned.at))}</Faint>
              {turned.others > 0 && <Faint>{texts.others(turned.others)}</Faint>}
              <VisitorsTable
                label={`${title}: ${texts.effectVisitors}`}
                before={turned.before}
                after={turned.after}
              />
            </>
          )}
        </section>
      </CardContent>
    </Card>
  );
};

const Faint = ({ children }: { children: string }) => (
  <p className="max-w-3xl text-[0.8125rem] text-muted-foreground leading-5">{children}</p>
);

type MeasureCardProps = { api: WindowApi; state: ReportState; onChange: () => void };

/** Starts and stops the measurement, and shows its progress. */
const MeasureCard = ({ api, state, onChange }: MeasureCardProps) => {
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

const right = "text-right";
/** Bytes and milliseconds of some paths with a switch off and on. */
const MeasuredTable = ({ label, rows }: { label: string; rows: readonly Measured[] }) => (
  <DataTable
    label={label}
    isWhole
    rows={rows}
    keyOf={({ path }) => path}
    columns={[
      { name: texts.address, cellLook: "font-mono text-[0.8125rem]", cell: ({ path }) => path },
      { name: `${texts.bytes}, ${texts.off}`, look: right, cell: ({ off }) => formatCount(off.bytes) },
      { name: texts.on, look: right, cell: ({ on }) => formatCount(on.bytes) },
      { name: `${texts.milliseconds}, ${texts.off}`, look: right, cell: ({ off }) => formatMs(off.ms) },
      { name: `${texts.on} `, look: right, cell: ({ on }) => formatMs(on.ms) },
    ]}
  />
);

type VisitorsTableProps = { label: string; before: Figures; after: Figures };

/** Visitors' figures before and after a switch was changed. */
const VisitorsTable = ({ label, before, after }: VisitorsTableProps) => {
  const measured = metrics.filter((metric) => before[metric] !== undefined || after[metric] !== undefined);
  if (measured.length === 0)
    return <p className="text-[0.8125rem] text-muted-foreground">{texts.noVisits}</p>;
  const shown = (figures: Figures) => (metric: Metric) => <Value metric={metric} figure={figures[metric]} />;
  return (
    <DataTable
      label={label}
      isWhole
      rows={measured}
      keyOf={(metric) => metric}
      columns={[
        { name: texts.metric, cell: (metric) => metric },
        { name: texts.before, look: right, cell: shown(before) },
        { name: texts.after, look: right, cell: shown(after) },
      ]}
    />
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
