import { Lock, LockOpen } from "lucide-react";
import { useState } from "react";
import type { Backup, BackupRun } from "#api/modules/backups/contract.ts";
import { ConfirmDialog } from "#ui/components/confirm-dialog.tsx";
import { DownloadLink } from "#ui/components/download-link.tsx";
import { Button, buttonVariants } from "#ui/components/ui/button.tsx";
import { Sheet } from "#ui/components/ui/sheet.tsx";
import { Table, TableBody, TableCell, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
import { addressOf, client } from "#ui/lib/client.ts";
import { cn } from "#ui/lib/cn.ts";
import { notify } from "#ui/lib/notices.ts";
import { Copyable, Fact, SheetPart } from "../facts.tsx";
import { formatBytes, formatCount, formatDateTime } from "../format.ts";
import { backupPageTexts, backupTexts } from "./texts.ts";

type BackupTableProps = { backups: readonly Backup[]; onOpen: (backup: Backup) => void };

/** The backups that are kept, a row each; a press anywhere in a row opens it. */
export const BackupTable = ({ backups, onOpen }: BackupTableProps) => (
  <Table label={backupPageTexts.table}>
    <TableHeader columns={columns} />
    <TableBody>
      {backups.map((backup) => (
        <TableRow key={`${backup.place}/${backup.name}`} className="relative hover:bg-muted/60">
          <th scope="row" className="w-full py-1 pr-3 pl-4 text-left font-medium md:py-0">
            <button
              type="button"
              title={backup.name}
              onClick={() => onOpen(backup)}
              className="min-h-8 cursor-pointer text-left outline-none after:absolute after:inset-0 focus-visible:after:ring-2 focus-visible:after:ring-ring focus-visible:after:ring-inset md:h-10"
            >
              <time dateTime={backup.createdAt}>{formatDateTime(backup.createdAt)}</time>
            </button>
            <span className="block pb-1 font-normal text-[0.8125rem] text-muted-foreground md:hidden">
              {backupPageTexts.kinds[backupKind(backup.name)]} · {backupPageTexts.places[backup.place]}
              <span className="sm:hidden">
                {" "}
                · {backup.isEncrypted ? backupPageTexts.yes : backupPageTexts.no}
              </span>
            </span>
          </th>
          <TableCell>{formatBytes(backup.sizeBytes)}</TableCell>
          <TableCell className={looks.where}>{backupPageTexts.places[backup.place]}</TableCell>
          <TableCell className={looks.kind}>{backupPageTexts.kinds[backupKind(backup.name)]}</TableCell>
          <TableCell className={looks.lock}>
            <LockMark isEncrypted={backup.isEncrypted} />
          </TableCell>
        </TableRow>
      ))}
    </TableBody>
  </Table>
);

// What a narrow window has no room for goes; it moves below the time.
const looks = { where: "max-md:hidden", kind: "max-md:hidden", lock: "max-sm:hidden" };
const columns = [
  { name: backupPageTexts.columns.made },
  { name: backupPageTexts.columns.size },
  { name: backupPageTexts.columns.where, look: looks.where },
  { name: backupPageTexts.columns.kind, look: looks.kind },
  { name: backupPageTexts.columns.lock, look: looks.lock },
];

const LockMark = ({ isEncrypted }: { isEncrypted: boolean }) => {
  const Icon = isEncrypted ? Lock : LockOpen;
  return (
    <span className="flex items-center gap-1.5">
      <Icon
        aria-hidden="true"
        className={cn("size-4 shrink-0", isEncrypted ? "text-success" : "text-muted-foreground")}
      />
      {isEncrypted ? backupPageTexts.yes : backupPageTexts.no}
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
            {backupTexts.download}
          </DownloadLink>
          <Button variant="outline" size="sm" className="ml-auto" onClick={() => setIsAsking(true)}>
            {backupTexts.remove}
          </Button>
        </>
      }
    >
      <div className="grid gap-6">
        <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[6.5rem_1fr]">
          <Fact name={backupTexts.name}>
            <Copyable isCode name={backupTexts.name} text={backup.name} />
          </Fact>
          <Fact name={backupPageTexts.columns.size}>{formatBytes(backup.sizeBytes)}</Fact>
          <Fact name={backupPageTexts.columns.where}>{backupPageTexts.places[backup.place]}</Fact>
          <Fact name={backupPageTexts.lock}>
            {backup.isEncrypted ? backupPageTexts.yes : backupPageTexts.no}
          </Fact>
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
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={backupTexts.removeTitle}
        question={backupTexts.removeText(backup.name)}
        action={backupTexts.removeConfirm}
        fallback={backupTexts.removeFailed}
        onConfirm={async () => {
          notify({ tone: "success", message: (await client.backups.remove({ place, name })).message });
          onRemoved();
        }}
      />
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
