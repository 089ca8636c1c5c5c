import { Lock, LockOpen } from "lucide-react";
import type { Backup } from "#api/modules/backups/contract.ts";
import { Table, TableBody, TableCell, TableHeader, TableRow } from "#ui/components/ui/table.tsx";
import { cn } from "#ui/lib/cn.ts";
import { formatBytes, formatDateTime } from "../format.ts";
import { backupKind } from "./backup-kind.ts";
import { backupPageTexts as texts } from "./texts.ts";

type BackupTableProps = { backups: readonly Backup[]; onOpen: (backup: Backup) => void };

/** The backups that are kept, a row each; a press anywhere in a row opens it. */
export const BackupTable = ({ backups, onOpen }: BackupTableProps) => (
  <Table label={texts.table}>
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
              {texts.kinds[backupKind(backup.name)]} · {texts.places[backup.place]}
              <span className="sm:hidden"> · {backup.isEncrypted ? texts.yes : texts.no}</span>
            </span>
          </th>
          <TableCell>{formatBytes(backup.sizeBytes)}</TableCell>
          <TableCell className={looks.where}>{texts.places[backup.place]}</TableCell>
          <TableCell className={looks.kind}>{texts.kinds[backupKind(backup.name)]}</TableCell>
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
  { name: texts.columns.made },
  { name: texts.columns.size },
  { name: texts.columns.where, look: looks.where },
  { name: texts.columns.kind, look: looks.kind },
  { name: texts.columns.lock, look: looks.lock },
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
