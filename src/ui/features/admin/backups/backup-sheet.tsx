import { useState } from "react";
import type { Backup, BackupRun } from "#api/modules/backups/contract.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { DownloadLink } from "#ui/components/download-link.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { addressOf, client } from "#ui/lib/client.ts";
import { notify } from "#ui/lib/notices.ts";
import { Copyable } from "../copyable.tsx";
import { Fact } from "../fact.tsx";
import { formatBytes, formatCount, formatDateTime } from "../format.ts";
import { SheetPart } from "../sheet-part.tsx";
import { backupKind, restoreCommand } from "./backup-kind.ts";
import { backupPageTexts, backupTexts as texts } from "./texts.ts";

type BackupSheetProps = {
  backup: Backup;
  /** The newest making, which knows more of the backup that it made. */
  run: BackupRun | null;
  onClose: () => void;
  onRemoved: () => void;
};

/** One backup: what is known of it, how to restore from it, and the ways to take it away or delete it. */
export const BackupSheet = ({ backup, run, onClose, onRemoved }: BackupSheetProps) => {
  const [isAsking, setIsAsking] = useState(false);
  const { place, name } = backup;
  return (
    <Sheet
      open
      onOpenChange={onClose}
      title={formatDateTime(backup.createdAt)}
      description={backupPageTexts.kinds[backupKind(backup.name)]}
      actions={
        <>
          <DownloadLink
            href={addressOf("backups.download", { place, name })}
            className={buttonVariants({ size: "sm" })}
          >
            {texts.download}
          </DownloadLink>
          <Button variant="outline" size="sm" className="ml-auto" onClick={() => setIsAsking(true)}>
            {texts.remove}
          </Button>
        </>
      }
    >
      <div className="grid gap-6">
        <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[6.5rem_1fr]">
          <Fact name={texts.name}>
            <Copyable isCode name={texts.name} text={backup.name} />
          </Fact>
          <Fact name={backupPageTexts.columns.size}>{formatBytes(backup.sizeBytes)}</Fact>
          <Fact name={backupPageTexts.columns.where}>{backupPageTexts.places[backup.place]}</Fact>
          <Fact name={backupPageTexts.lock}>
            {backup.isEncrypted ? backupPageTexts.yes : backupPageTexts.no}
          </Fact>
          {run?.name === backup.name && (
            <>
              <Fact name={texts.rows}>{formatCount(run.rows)}</Fact>
              {run.sha256 !== null && (
                <Fact name={texts.sum}>
                  <Copyable isCode name={texts.sum} text={run.sha256} />
                </Fact>
              )}
            </>
          )}
        </dl>
        <SheetPart title={texts.restore}>
          <p className="text-[0.8125rem] text-muted-foreground">{texts.restoreText}</p>
          <Copyable isCode name={texts.check} text={restoreCommand(backup.name, "--plan")} />
          <Copyable isCode name={texts.apply} text={restoreCommand(backup.name, "--yes")} />
          <p className="text-[0.8125rem] text-muted-foreground">
            {backup.isEncrypted && `${texts.identity} `}
            {texts.key}
          </p>
        </SheetPart>
      </div>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={texts.removeTitle}
        question={texts.removeText(backup.name)}
        action={texts.removeConfirm}
        fallback={texts.removeFailed}
        onConfirm={async () => {
          notify({ tone: "success", message: (await client.backups.remove({ place, name })).message });
          onRemoved();
        }}
      />
    </Sheet>
  );
};
