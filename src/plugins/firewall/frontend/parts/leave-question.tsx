import { ConfirmDialog, useLeaveGuard } from "@atrium/plugin-sdk/ui";
import { texts } from "../texts.ts";

/** Asks whoever leaves while something is not saved. */
export const LeaveQuestion = ({ isDirty }: { isDirty: boolean }) => {
  const guard = useLeaveGuard(isDirty);
  return (
    <ConfirmDialog
      open={guard.isAsking}
      onClose={guard.stay}
      title={texts.leave}
      question={texts.leaveText}
      action={texts.leaveGo}
      fallback={texts.saveFailed}
      onConfirm={async () => guard.leave()}
    />
  );
};
