import { type ComponentProps, useState } from "react";
import { failureText } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";
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

/** Words of the question before a form is left. */
export const leaveTexts = {
  title: "Leave without saving?",
  leave: "Leave",
  failed: "Could not leave the page",
} as const;

type RequestDialogProps = Omit<ConfirmDialogProps, "open" | "onConfirm"> & {
  send: () => Promise<{ message: string }>;
  /** Called once it has gone well, when the question is gone and a notice tells so. */
  onDone: () => void;
};

/** Asks before a request is sent, and tells the server's words for how it went. */
export const RequestDialog = ({ send, onDone, ...question }: RequestDialogProps) => {
  const confirm = async () => {
    const { message } = await send();
    notify({ tone: "success", message });
    question.onClose();
    onDone();
  };
  return <ConfirmDialog {...question} open onConfirm={confirm} />;
};

type RequestButtonProps = Omit<ComponentProps<typeof Button>, "onClick"> & {
  asks: Omit<RequestDialogProps, "onClose">;
};

/** A button that asks before it sends a request. */
export const RequestButton = ({ asks, ...button }: RequestButtonProps) => {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setIsAsked(true)} />
      {isAsked && <RequestDialog {...asks} onClose={() => setIsAsked(false)} />}
    </>
  );
};

type SecretQuestionProps = Pick<ConfirmDialogProps, "title" | "question" | "action"> & {
  /** Whether the reader wants to close what shows the secret. */
  isClosing: boolean;
  onStay: () => void;
  onLeave: () => void;
};

/** Asks before the reader goes from a secret that is shown once, by its close button or another page's link. */
export const SecretQuestion = ({ isClosing, onStay, onLeave, action, ...words }: SecretQuestionProps) => {
  const guard = useLeaveGuard(true);
  return (
    <ConfirmDialog
      {...words}
      open={isClosing || guard.isAsking}
      onClose={() => {
        onStay();
        guard.stay();
      }}
      action={action}
      fallback={action}
      onConfirm={async () => {
        guard.leave();
        onLeave();
      }}
    />
  );
};

/** Asks before a form is left while `isHeld`; `question` says what would be lost. */
export const LeaveQuestion = ({ isHeld, question }: { isHeld: boolean; question: string }) => {
  const { isAsking, stay, leave } = useLeaveGuard(isHeld);
  return (
    <ConfirmDialog
      open={isAsking}
      onClose={stay}
      title={leaveTexts.title}
      question={question}
      action={leaveTexts.leave}
      fallback={leaveTexts.failed}
      onConfirm={async () => leave()}
    />
  );
};
