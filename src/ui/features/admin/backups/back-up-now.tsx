import { useState } from "react";
import type { BackupState } from "#api/modules/backups/contract.ts";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { Select } from "#ui/components/ui/select.tsx";
import { client } from "#ui/lib/client.ts";
import { failureText } from "#ui/lib/failure-text.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { backupPageTexts as texts } from "./texts.ts";

type BackUpNowProps = {
  state: BackupState;
  /** Called when one may be under way, ours or another's. */
  onBegun: () => void;
};

/** Begins a backup, where nothing else was chosen to where scheduled ones go. */
export const BackUpNow = ({ state: { hasStorage, schedule, run }, onBegun }: BackUpNowProps) => {
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
