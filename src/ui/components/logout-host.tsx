import { lazy, Suspense } from "react";
import { askLogout, useLogoutQuestion } from "#ui/lib/logout-question.ts";

const LogoutDialog = lazy(async () => ({ default: (await import("./logout-dialog.tsx")).LogoutDialog }));

/** The place of the question "Confirm Logout", whose code comes when it is first asked. */
export const LogoutHost = () => {
  const isOpen = useLogoutQuestion();
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <LogoutDialog open onOpenChange={askLogout} />
    </Suspense>
  );
};
