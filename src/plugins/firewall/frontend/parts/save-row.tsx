import { Button, Spinner } from "@atrium/plugin-sdk/ui";
import { texts } from "../texts.ts";

type SaveRowProps = { isDirty: boolean; isBusy: boolean; failure: string | null; onDiscard: () => void };

/** At the foot of a form that is saved whole: what is not saved, why saving failed, and the ways to save or to drop it. */
export const SaveRow = ({ isDirty, isBusy, failure, onDiscard }: SaveRowProps) => (
  <div className="grid gap-2">
    {failure !== null && (
      <p role="alert" className="wrap-anywhere text-[0.8125rem] text-destructive">
        {failure}
      </p>
    )}
    <div className="flex flex-wrap items-center justify-end gap-2">
      <p role="status" className="grow text-[0.8125rem] text-muted-foreground">
        {isDirty && texts.unsaved}
      </p>
      {/* Both keep the focus when they have done what they do. */}
      <Button variant="outline" size="sm" aria-disabled={!isDirty} onClick={() => isDirty && onDiscard()}>
        {texts.discard}
      </Button>
      <Button
        type="submit"
        size="sm"
        aria-disabled={!isDirty || isBusy}
        aria-busy={isBusy || undefined}
        onClick={(event) => (!isDirty || isBusy) && event.preventDefault()}
      >
        {isBusy && <Spinner />}
        {texts.save}
      </Button>
    </div>
  </div>
);
