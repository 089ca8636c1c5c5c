import { failureText } from "#ui/lib/api.ts";
import { useAct } from "#ui/lib/use-act.ts";
import { useLeaveGuard } from "#ui/lib/use-leave-guard.ts";
import { Alert } from "./ui/alert.tsx";
import { Button } from "./ui/button.tsx";
import { Dialog } from "./ui/dialog.tsx";

type ConfirmDialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  question: string;
  /** What the button that continues says. */
  action: string;
  /** Whether something is lost by it; it is unless said. */
  isDangerous?: boolean;
  /** Said of a failure that brings no words of its own. */
  fallback: string;
  onConfirm: () => Promise<void>;
};

/** Asks before something that is hard to undo; a failure stays in the question, to be tried again. */
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

const texts = {
  title: "Leave without saving?",
  leave: "Leave",
  failed: "Could not leave the page",
} as const;

/** Asks before a form is left while `isHeld`; `question` says what would be lost. */
export const LeaveQuestion = ({ isHeld, question }: { isHeld: boolean; question: string }) => {
  const { isAsking, stay, leave } = useLeaveGuard(isHeld);
  return (
    <ConfirmDialog
      open={isAsking}
      onClose={stay}
      title={texts.title}
      question={question}
      action={texts.leave}
      fallback={texts.failed}
      onConfirm={async () => leave()}
    />
  );
};
