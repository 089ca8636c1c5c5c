import { Archive, Lock, LockOpen } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { Backup, BackupRun, BackupState } from "#api/modules/backups/contract.ts";
import { pageBackupTexts } from "#contract/backup-texts.ts";
import { RequestButton } from "#ui/components/confirm-dialog.tsx";
import { DownloadLink } from "#ui/components/download-link.tsx";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "#ui/components/ui/card.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { Spinner } from "#ui/components/ui/spinner.tsx";
import { type Column, DataTable, pressableRow, RowButton } from "#ui/components/ui/table.tsx";
import { addressOf, client, failureText } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import { notify } from "#ui/lib/notices.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { Copyable, Fact, momentFact, SheetPart } from "../facts.tsx";
import { formatBytes, formatCount, formatDateTime } from "../format.ts";
import { EmptyList, KeepFocus, LoadedData } from "../list-parts.tsx";
import { PageHeader } from "../page-header.tsx";
import { ScheduleForm } from "./schedule-form.tsx";
import { backupTexts, backupPageTexts as texts } from "./texts.ts";

const refreshMs = 30_000;
const getBackups = async () => (await client.backups.list()).data;

/** The backups that are kept, the making of another, and the schedule. */
export const AdminBackupsPage = () => {
  const loaded = useLoad(getBackups, refreshMs);
  const { data, reload } = loaded;
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        title={texts.title}
        lead={texts.lead}
        actions={data !== null && <BackUpNow state={data} onBegun={reload} />}
      />
      <LoadedData
        loaded={loaded}
        skeleton={
          <Card aria-busy="true" aria-label={texts.loading} className="p-5">
            <Skeleton className="h-80 w-full" />
          </Card>
        }
      >
        {(state) => <Shown state={state} reload={reload} />}
      </LoadedData>
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
            <DataTable
              label={texts.table}
              columns={columnsFor(setOpened)}
              rows={backups}
              keyOf={({ place, name }) => `${place}/${name}`}
              rowLook={pressableRow}
            />
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
            options={Object.entries(texts.places)}
          />
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
          <Fact name={texts.last}>{momentFact(last?.at ?? null) ?? texts.never}</Fact>
          <Fact name={texts.next}>{momentFact(nextAt) ?? texts.off}</Fact>
          <Fact name={texts.proof}>
            {proof === null ? (
              texts.unproven
            ) : (
              <>
                {momentFact(proof.at)} · <span className="wrap-anywhere">{proof.name}</span>:{" "}
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

// What a narrow window has no room for goes; it moves below the time.
const columnsFor = (onOpen: (backup: Backup) => void): readonly Column<Backup>[] => [
  {
    name: texts.columns.made,
    isHeading: true,
    cellLook: "max-w-none py-1 md:py-0",
    cell: (backup) => (
      <>
        <RowButton title={backup.name} onClick={() => onOpen(backup)} className="min-h-8 md:h-10">
          {momentFact(backup.createdAt)}
        </RowButton>
        <span className="block pb-1 font-normal text-[0.8125rem] text-muted-foreground md:hidden">
          {texts.kinds[backupKind(backup.name)]} · {texts.places[backup.place]}
          <span className="sm:hidden"> · {backup.isEncrypted ? texts.yes : texts.no}</span>
        </span>
      </>
    ),
  },
  { name: texts.columns.size, cell: ({ sizeBytes }) => formatBytes(sizeBytes) },
  { name: texts.columns.where, look: "max-md:hidden", cell: ({ place }) => texts.places[place] },
  { name: texts.columns.kind, look: "max-md:hidden", cell: ({ name }) => texts.kinds[backupKind(name)] },
  {
    name: texts.columns.lock,
    look: "max-sm:hidden",
    cell: ({ isEncrypted }) => <LockMark isEncrypted={isEncrypted} />,
  },
];

const LockMark = ({ isEncrypted }: { isEncrypted: boolean }) => {
  const Icon = isEncrypted ? Lock : LockOpen;
  return (
    <span className="flex items-center gap-1.5">
      <Icon
        aria-hidden="true"
        className={cn("size-4 shrink-0", isEncrypted ? "text-success" : "text-muted-foreground")}
      />
      {isEncrypted ? texts.yes : texts.no}
    </span>
  );
};

type BackupSheetProps = {
  backup: Backup;
  /** The newest making, which knows more of the backup that it made. */
  run: BackupRun | null;
  onClose: () => void;
  onRemoved: () => void;
};

/** One backup: what is known of it, how to restore from it, and the ways to take it away or delete it. */
const BackupSheet = ({ backup, run, onClose, onRemoved }: BackupSheetProps) => {
  const { place, name } = backup;
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={formatDateTime(backup.createdAt)}
      description={texts.kinds[backupKind(backup.name)]}
      actions={
        <>
          <DownloadLink
            href={addressOf("backups.download", { place, name })}
            className={buttonVariants({ size: "sm" })}
          >
            {backupTexts.download}
          </DownloadLink>
          <RequestButton
            variant="outline"
            size="sm"
            className="ml-auto"
            asks={{
              title: backupTexts.removeTitle,
              question: backupTexts.removeText(name),
              action: backupTexts.removeConfirm,
              fallback: backupTexts.removeFailed,
              send: () => client.backups.remove({ place, name }),
              onDone: onRemoved,
            }}
          >
            {backupTexts.remove}
          </RequestButton>
        </>
      }
    >
      <div className="grid gap-6">
        <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[6.5rem_1fr]">
          <Fact name={backupTexts.name}>
            <Copyable isCode name={backupTexts.name} text={backup.name} />
          </Fact>
          <Fact name={texts.columns.size}>{formatBytes(backup.sizeBytes)}</Fact>
          <Fact name={texts.columns.where}>{texts.places[backup.place]}</Fact>
          <Fact name={texts.lock}>{backup.isEncrypted ? texts.yes : texts.no}</Fact>
          {run?.name === backup.name && (
            <>
              <Fact name={backupTexts.rows}>{formatCount(run.rows)}</Fact>
              {run.sha256 !== null && (
                <Fact name={backupTexts.sum}>
                  <Copyable isCode name={backupTexts.sum} text={run.sha256} />
                </Fact>
              )}
            </>
          )}
        </dl>
        <SheetPart title={backupTexts.restore}>
          <p className="text-[0.8125rem] text-muted-foreground">{backupTexts.restoreText}</p>
          <Copyable isCode name={backupTexts.check} text={restoreCommand(backup.name, "--plan")} />
          <Copyable isCode name={backupTexts.apply} text={restoreCommand(backup.name, "--yes")} />
          <p className="text-[0.8125rem] text-muted-foreground">
            {backup.isEncrypted && `${backupTexts.identity} `}
            {backupTexts.key}
          </p>
        </SheetPart>
      </div>
    </Sheet>
  );
};

/** What a backup was made for. */
type BackupKind = "scheduled" | "manual" | "restore";

/** What a backup was made for, as its name tells. */
const backupKind = (name: string): BackupKind => {
  if (name.startsWith("atrium-scheduled-")) return "scheduled";
  return name.startsWith("atrium-before-restore-") ? "restore" : "manual";
};

/** What to type to look into a backup, or to restore from it. */
const restoreCommand = (name: string, option: "--plan" | "--yes"): string => {
  const identity = name.endsWith(".age") ? " --identity backup-identity.txt" : "";
  return `atrium restore ${name}${identity} ${option}`;
};
