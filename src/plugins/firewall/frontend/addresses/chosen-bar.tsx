import { Alert, Button, formatCount } from "@atrium/plugin-sdk/ui";
import type { AddressEntry } from "../../backend/wire.ts";
import { addressTexts as texts } from "../rule-texts.ts";
import type { Deletion } from "./use-deletion.ts";

type ChosenBarProps = { entries: AddressEntry[]; deletion: Deletion; onNone: () => void };

/** What can be done with the entries that are chosen, and the way back from what was done. */
export const ChosenBar = ({ entries, deletion, onNone }: ChosenBarProps) => {
  const { gone, busy, failure } = deletion;
  return (
    <>
      {failure !== null && <Alert severity="error">{failure}</Alert>}
      {gone.length > 0 && (
        <Alert
          severity="info"
          onClose={deletion.forget}
          actions={
            <Button variant="outline" size="sm" isBusy={busy === "undo"} onClick={deletion.undo}>
              {texts.undo}
            </Button>
          }
        >
          {texts.deleted(formatCount(gone.length), gone.length === 1)}
        </Alert>
      )}
      {entries.length > 0 && (
        <div className="sticky top-16 z-20 flex flex-wrap items-center gap-3 rounded-lg border border-border bg-popover px-4 py-2 shadow-md">
          <p role="status" className="grow text-sm max-sm:basis-full">
            {texts.chosen(formatCount(entries.length), entries.length === 1)}
          </p>
          <Button variant="outline" size="sm" onClick={onNone}>
            {texts.unchoose}
          </Button>
          <Button
            variant="destructive"
            size="sm"
            isBusy={busy === "delete"}
            onClick={() => deletion.remove(entries)}
          >
            {texts.removeChosen}
          </Button>
        </div>
      )}
    </>
  );
};
