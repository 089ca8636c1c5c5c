import type { StorageState } from "#contract/settings.ts";
import { formatBytes } from "../format.ts";
import { serviceTexts as texts } from "./texts.ts";

/** Where objects live, and how far those are that are on their way. */
export const MigrationBar = ({ storage }: { storage: StorageState }) => {
  const { inDatabase, inR2, migration, home } = storage;
  return (
    <div className="grid gap-1.5 pl-4 text-muted-foreground tabular-nums">
      <p>{texts.objects(inDatabase, inR2)}</p>
      {migration !== null && (
        <div className="grid gap-1">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span>{texts.homes[home]}</span>
            <span>{texts.moved(migration.moved, migration.total, formatBytes(migration.bytes))}</span>
          </p>
          <progress
            aria-label={texts.homes[home]}
            value={migration.moved}
            max={Math.max(1, migration.total)}
            className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-muted [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-muted [&::-webkit-progress-value]:bg-primary"
          />
          {migration.failed > 0 && <p className="text-destructive">{texts.failed(migration.failed)}</p>}
        </div>
      )}
    </div>
  );
};
