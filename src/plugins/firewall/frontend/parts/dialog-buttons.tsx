import { Button } from "@atrium/plugin-sdk/ui";
import { texts } from "../texts.ts";

type DialogButtonsProps = { action: string; isBusy: boolean; isDangerous?: boolean; onCancel: () => void };

/** The ways out of a dialog with a form: not to, and to do it. */
export const DialogButtons = ({ action, isBusy, isDangerous = false, onCancel }: DialogButtonsProps) => (
  <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
    <Button variant="outline" onClick={onCancel}>
      {texts.cancel}
    </Button>
    <Button type="submit" variant={isDangerous ? "destructive" : "default"} isBusy={isBusy}>
      {action}
    </Button>
  </div>
);
