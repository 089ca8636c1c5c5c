import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { useEffect, useState } from "react";
import { timers } from "#contract/limits.ts";
import { dismissNotice, type Notice, type NoticeTone, useNotices } from "#ui/lib/notices.ts";

const looks: Record<NoticeTone, { Icon: typeof Info; colour: string }> = {
  success: { Icon: CircleCheck, colour: "text-success" },
  error: { Icon: CircleAlert, colour: "text-destructive" },
  warning: { Icon: TriangleAlert, colour: "text-warning" },
  info: { Icon: Info, colour: "text-info" },
};

/** Passing notices at the foot of the screen. Each goes after five seconds, but not while it is pointed at or focused. */
export const Toaster = () => {
  const notices = useNotices();
  const [isRead, setIsRead] = useState(false);
  return (
    <section
      aria-label="Notifications"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-0 z-50 grid justify-items-center gap-2 p-4 sm:left-auto sm:w-[26rem]"
      onPointerEnter={() => setIsRead(true)}
      onPointerLeave={() => setIsRead(false)}
      onFocus={() => setIsRead(true)}
      onBlur={() => setIsRead(false)}
    >
      {notices.map((notice) => (
        <Toast key={notice.id} notice={notice} isPaused={isRead} />
      ))}
    </section>
  );
};

const Toast = ({ notice, isPaused }: { notice: Notice; isPaused: boolean }) => {
  const { id, tone, message } = notice;
  const { Icon, colour } = looks[tone];
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => dismissNotice(id), timers.noticeMs);
    return () => clearTimeout(timer);
  }, [id, isPaused]);
  return (
    <div
      role={tone === "error" ? "alert" : undefined}
      className="pointer-events-auto flex w-full items-start gap-3 rounded-lg border bg-popover py-3 pr-2 pl-4 text-popover-foreground text-sm shadow-lg transition-[opacity,translate] duration-200 starting:translate-y-2 starting:opacity-0"
    >
      <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${colour}`} />
      <p className="min-w-0 grow break-words leading-5">{message}</p>
      <button
        type="button"
        aria-label="Dismiss"
        onClick={() => dismissNotice(id)}
        className="-my-2 grid size-9 shrink-0 cursor-pointer place-items-center rounded-md text-muted-foreground hover:text-foreground"
      >
        <X aria-hidden="true" className="size-4" />
      </button>
    </div>
  );
};
