import { Button } from "./ui/button.tsx";

type FormButtonsProps = {
  onCancel: () => void;
  /** What the button that sends the form says. */
  action: string;
  isBusy: boolean;
  /** Whether something is lost by it. */
  isDangerous?: boolean;
  cancel?: string;
};

/** The last row of a form in a dialog: the way out, and the button that sends it. */
export const FormButtons = ({
  onCancel,
  action,
  isBusy,
  isDangerous = false,
  cancel = "Cancel",
}: FormButtonsProps) => (
  <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
    <Button variant="outline" onClick={onCancel}>
      {cancel}
    </Button>
    <Button type="submit" variant={isDangerous ? "destructive" : "default"} isBusy={isBusy}>
      {action}
    </Button>
  </div>
);
