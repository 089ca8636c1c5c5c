import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { timers } from "#contract/limits.ts";
import { dismissNotice, useNotices } from "#ui/lib/notices.ts";
import { useTopDialog } from "#ui/lib/use-top-dialog.ts";
import { NoticeRegion } from "./notice-region.tsx";

/**
 * Passing notices at the foot of the screen. Each goes after five seconds, but not while it is pointed at or focused.
 * Everything outside a modal dialog is inert, so they are inside it while one is open.
 */
export const Toaster = () => {
  const notices = useNotices();
  const [isRead, setIsRead] = useState(false);
  const dialog = useTopDialog(notices.length > 0);
  const region = <NoticeRegion notices={notices} isInDialog={dialog !== null} onRead={setIsRead} />;
  return (
    <>
      {notices.map(({ id }) => (
        <Expiry key={id} id={id} isPaused={isRead} />
      ))}
      {dialog === null ? region : createPortal(region, dialog)}
    </>
  );
};

// Apart from the notice itself, which begins anew when it moves into or out of a dialog.
const Expiry = ({ id, isPaused }: { id: number; isPaused: boolean }) => {
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => dismissNotice(id), timers.noticeMs);
    return () => clearTimeout(timer);
  }, [id, isPaused]);
  return null;
};
