import { failureText } from "#ui/lib/failure-text.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { Alert } from "./ui/alert.tsx";
import { Button } from "./ui/button.tsx";
import { Dialog } from "./ui/dialog.tsx";

type ConfirmDialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  question: string;
  /** What the button that goes on says. */
  action: string;
  /** Whether something is lost by it; it is unless said. */
  isDangerous?: boolean;
  /** Said of a failure that brings no words of its own. */
  fallback: string;
  onConfirm: () => Promise<void>;
};

/** Asks before something that cannot be taken back at once; a failure stays in the question, to be tried again. */
export const ConfirmDialog = ({ open, ...props }: ConfirmDialogProps) =>
  open ? <Question {...props} /> : null;

const Question = ({
  onClose,
  title,
  question,
  action,
  isDangerous = true,
  fallback,
  onConfirm,
}: Omit<ConfirmDialogProps, "open">) => {
  const { act, isBusy, error } = useAct(onConfirm);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={question}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Cancel
          </Button>
          <Button variant={isDangerous ? "destructive" : "default"} isBusy={isBusy} onClick={act}>
            {action}
          </Button>
        </>
      }
    >
      {error !== null && <Alert severity="error">{failureText(error, fallback)}</Alert>}
    </Dialog>
  );
};
