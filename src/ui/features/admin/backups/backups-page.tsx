import { Archive } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Backup, BackupRun, BackupState } from "#api/modules/backups/contract.ts";
import { pageBackupTexts } from "#contract/backup-texts.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { Spinner } from "#ui/components/ui/spinner.tsx";
import { failureText } from "#ui/lib/api.ts";
import { client } from "#ui/lib/client.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { Fact } from "../facts.tsx";
import { formatBytes, formatCount, formatDateTime } from "../format.ts";
import { EmptyList, KeepFocus } from "../list-parts.tsx";
import { PageHeader } from "../page-header.tsx";
import { BackupSheet, BackupTable } from "./backup-table.tsx";
import { ScheduleForm } from "./schedule-form.tsx";
import { backupPageTexts as texts } from "./texts.ts";

const refreshMs = 30_000;
const getBackups = async () => (await client.backups.list()).data;

/** The backups that are kept, the making of another, and the schedule. */
export const AdminBackupsPage = () => {
  const { data, error, reload } = useLoad(getBackups, refreshMs);
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        title={texts.title}
        lead={texts.lead}
        actions={data !== null && <BackUpNow state={data} onBegun={reload} />}
      />
      {error !== null && <AccessError error={error} hasData={data !== null} onRetry={reload} />}
      {data === null && error === null && (
        <Card aria-busy="true" aria-label={texts.loading} className="p-5">
          <Skeleton className="h-80 w-full" />
        </Card>
      )}
      {data !== null && <Shown state={data} reload={reload} />}
    </div>
  );
};

const Shown = ({ state, reload }: { state: BackupState; reload: () => void }) => {
  const { backups, storageFault, run, schedule, hasStorage } = state;
  const [opened, setOpened] = useState<Backup | null>(null);
  return (
    <>
      <KeepFocus of={run}>
        <div className="grid grid-cols-1 gap-6">
          {run?.state === "running" && <BackupProgress key={run.id} begun={run} onEnd={reload} />}
          {run?.state === "failed" && <NotMade {...run} />}
          {storageFault !== null && (
            <Alert severity="warning" title={texts.storageFault}>
              {storageFault}
            </Alert>
          )}
          <BackupFacts state={state} />
        </div>
      </KeepFocus>
      <KeepFocus of={backups}>
        <Card className="overflow-clip">
          {backups.length === 0 ? (
            <EmptyList Icon={Archive} title={texts.none} text={texts.noneText} />
          ) : (
            <BackupTable backups={backups} onOpen={setOpened} />
          )}
        </Card>
      </KeepFocus>
      <ScheduleForm schedule={schedule} hasStorage={hasStorage} onSaved={reload} />
      {opened !== null && (
        <BackupSheet
          backup={opened}
          run={run}
          onClose={() => setOpened(null)}
          onRemoved={() => {
            setOpened(null);
            reload();
          }}
        />
      )}
    </>
  );
};

const NotMade = ({ startedAt, error }: BackupRun) =>
  error === pageBackupTexts.cancelled ? (
    <Alert severity="info" title={texts.cancelled(formatDateTime(startedAt))}>
      {texts.cancelledText}
    </Alert>
  ) : (
    <Alert severity="error" title={texts.failed(formatDateTime(startedAt))}>
      {error} {texts.failedHint}
    </Alert>
  );

type BackUpNowProps = {
  state: BackupState;
  /** Called when one may be under way, ours or another's. */
  onBegun: () => void;
};

/** Begins a backup, where nothing else was chosen to where scheduled ones go. */
const BackUpNow = ({ state: { hasStorage, schedule, run }, onBegun }: BackUpNowProps) => {
  const [chosen, setChosen] = useState<BackupState["schedule"]["place"]>(schedule.place);
  const { act, isBusy, error } = useAct(async () => {
    try {
      await client.backups.create({ place: hasStorage ? chosen : "folder" });
    } finally {
      onBegun();
    }
  });
  const isWaiting = isBusy || run?.state === "running";
  return (
    <div className="grid max-w-sm gap-2 max-sm:w-full max-sm:max-w-none">
      <div className="flex flex-wrap gap-2 sm:justify-end">
        {hasStorage && (
          <Select
            aria-label={texts.where}
            value={chosen}
            className="w-40"
            onChange={({ target }) => setChosen(target.value === "storage" ? "storage" : "folder")}
          >
            <option value="folder">{texts.places.folder}</option>
            <option value="storage">{texts.places.storage}</option>
          </Select>
        )}
        {/* Not disabled, which would drop the focus. */}
        <Button
          aria-disabled={isWaiting}
          aria-busy={isBusy}
          onClick={() => isWaiting || act()}
          className="max-sm:grow"
        >
          {texts.now}
        </Button>
      </div>
      {error !== null && <Alert severity="error">{failureText(error, texts.startFailed)}</Alert>}
    </div>
  );
};

/** When the last backup was made and the next one is due, and who can open them. */
const BackupFacts = ({ state: { last, nextAt, proof, schedule } }: { state: BackupState }) => {
  const { length } = schedule.recipients;
  return (
    <Card aria-labelledby="state-title">
      <CardHeader>
        <CardTitle id="state-title">{texts.state}</CardTitle>
      </CardHeader>
      <CardContent>
        <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[8rem_1fr]">
          <Fact name={texts.last}>{last === null ? texts.never : <Moment iso={last.at} />}</Fact>
          <Fact name={texts.next}>{nextAt === null ? texts.off : <Moment iso={nextAt} />}</Fact>
          <Fact name={texts.proof}>
            {proof === null ? (
              texts.unproven
            ) : (
              <>
                <Moment iso={proof.at} /> · <span className="wrap-anywhere">{proof.name}</span>:{" "}
                {proof.isSound ? texts.sound : texts.unsound}
              </>
            )}
          </Fact>
          <Fact name={texts.lock}>{length === 0 ? texts.open : texts.locked(length)}</Fact>
        </dl>
      </CardContent>
    </Card>
  );
};

const Moment = ({ iso }: { iso: string }) => <time dateTime={iso}>{formatDateTime(iso)}</time>;

type BackupProgressProps = {
  /** The making under way, as it was when the page was loaded. */
  begun: BackupRun;
  onEnd: () => void;
};

const askEveryMs = 1_000;
const getRun = async () => (await client.backups.progress()).data;

/** How far the making of a backup is, no matter who started it or which server it runs on, and the way to end it. */
const BackupProgress = ({ begun, onEnd }: BackupProgressProps) => {
  const { data } = useLoad(getRun, askEveryMs);
  const run = data ?? begun;
  const told = useRef<BackupRun | null>(null);
  useEffect(() => {
    // Once for each answer: what `onEnd` asks for may fail, and the next answer has it asked for again.
    if (data === null || data.state === "running" || told.current === data) return;
    if (data.state === "done" && told.current === null) notify({ tone: "success", message: texts.made });
    told.current = data;
    onEnd();
  }, [data, onEnd]);
  const { act, isBusy, error } = useAct(async () => {
    try {
      notify({ tone: "success", message: (await client.backups.cancel()).message });
    } finally {
      // Refused because it is over meanwhile, the page is to show that.
      onEnd();
    }
  });
  return (
    <Card aria-label={texts.running(texts.places[run.place])} className="flex flex-wrap gap-3 px-5 py-4">
      <span className="mt-0.5">
        <Spinner />
      </span>
      <div className="grid min-w-0 grow basis-0 gap-0.5">
        <p role="status" className="font-medium">
          {texts.running(texts.places[run.place])}
        </p>
        <p className="text-muted-foreground tabular-nums">
          {run.stage === "copying"
            ? texts.copying
            : texts.progress(formatCount(run.rows), formatBytes(run.readBytes))}
        </p>
        <p className="text-[0.8125rem] text-muted-foreground">
          {texts.since(formatDateTime(run.startedAt))} · {texts.goesOn}
        </p>
      </div>
      <Button variant="outline" size="sm" isBusy={isBusy} onClick={act} className="self-center">
        {texts.cancel}
      </Button>
      {error !== null && (
        <Alert severity="error" className="w-full">
          {failureText(error, texts.cancelFailed)}
        </Alert>
      )}
    </Card>
  );
};
