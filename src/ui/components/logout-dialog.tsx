import { type RefObject, useState } from "react";
import { useLocation } from "wouter";
import { pageAuthTexts } from "#contract/auth-texts.ts";
import { ApiError } from "#ui/lib/api.ts";
import { notify } from "#ui/lib/notices.ts";
import { logout } from "#ui/lib/session.ts";
import { Button } from "./ui/button.tsx";
import { Dialog } from "./ui/dialog.tsx";

type LogoutDialogProps = {
  open: boolean;
  onOpenChange: (isOpen: boolean) => void;
  returnFocusTo?: RefObject<HTMLElement | null>;
};

/**
 * Asks before signing out; confirming signs out and goes to the landing page. A failure keeps the reader signed in and
 * the question open, to be tried again.
 */
export const LogoutDialog = ({ onOpenChange, ...props }: LogoutDialogProps) => {
  const [isBusy, setIsBusy] = useState(false);
  const [, navigate] = useLocation();
  const confirm = async () => {
    setIsBusy(true);
    try {
      // First away from the guarded page: without a user its guard would lead to the sign-in page instead.
      await logout(() => navigate("/"));
      onOpenChange(false);
    } catch (error) {
      console.warn("signing out failed", error);
      notify({
        tone: "error",
        message: error instanceof ApiError ? error.message : pageAuthTexts.networkFailed,
      });
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      {...props}
      onOpenChange={onOpenChange}
      title={pageAuthTexts.logoutTitle}
      description={pageAuthTexts.logoutQuestion}
      actions={
        <>
          <Button variant="outline" onClick={() => onOpenChange(false)}>
            Cancel
          </Button>
          <Button variant="destructive" isBusy={isBusy} onClick={() => void confirm()}>
            Logout
          </Button>
        </>
      }
    />
  );
};
