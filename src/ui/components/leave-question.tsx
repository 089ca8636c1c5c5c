import { useLeaveGuard } from "#ui/lib/use-leave-guard.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";

const texts = {
  title: "Leave without saving?",
  leave: "Leave",
  failed: "The page could not be left",
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
