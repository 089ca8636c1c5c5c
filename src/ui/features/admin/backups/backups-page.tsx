import { Archive } from "lucide-react";
import { useState } from "react";
import type { Backup, BackupRun, BackupState } from "#api/modules/backups/contract.ts";
import { pageBackupTexts } from "#contract/backup-texts.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Card } from "#ui/components/ui/card.tsx";
import { Skeleton } from "#ui/components/ui/skeleton.tsx";
import { client } from "#ui/lib/client.ts";
import { useLoad } from "#ui/lib/use-load.ts";
import { AccessError } from "../access-error.tsx";
import { EmptyList } from "../empty-list.tsx";
import { formatDateTime } from "../format.ts";
import { PageHeader } from "../page-header.tsx";
import { KeepFocus } from "../users/keep-focus.tsx";
import { BackUpNow } from "./back-up-now.tsx";
import { BackupFacts } from "./backup-facts.tsx";
import { BackupProgress } from "./backup-progress.tsx";
import { BackupSheet } from "./backup-sheet.tsx";
import { BackupTable } from "./backup-table.tsx";
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
