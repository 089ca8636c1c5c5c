import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from "lucide-react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { createPortal } from "react-dom";
import { timers } from "#contract/limits.ts";
import { dismissNotice, type Notice, type NoticeTone, useNotices } from "#ui/lib/notices.ts";

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

// Apart from the notice itself, which starts over when it moves into or out of a dialog.
const Expiry = ({ id, isPaused }: { id: number; isPaused: boolean }) => {
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => dismissNotice(id), timers.noticeMs);
    return () => clearTimeout(timer);
  }, [id, isPaused]);
  return null;
};

const looks: Record<NoticeTone, { Icon: typeof Info; colour: string }> = {
  success: { Icon: CircleCheck, colour: "text-success" },
  error: { Icon: CircleAlert, colour: "text-destructive" },
  warning: { Icon: TriangleAlert, colour: "text-warning" },
  info: { Icon: Info, colour: "text-info" },
};

// Screen readers speak what comes into a region that they know already; they need a moment to get to know it.
const introductionMs = 100;

type NoticeRegionProps = {
  notices: readonly Notice[];
  /** Whether it is part of a modal dialog. */
  isInDialog: boolean;
  /** Called with whether someone points at a notice or has it focused. */
  onRead: (isRead: boolean) => void;
};

/**
 * The place of the notices: at the foot of the screen above everything else, or a part of the dialog's own content, which
 * makes room for them so that they never cover its buttons.
 */
const NoticeRegion = ({ notices, isInDialog, onRead }: NoticeRegionProps) => {
  const ref = useRef<HTMLElement>(null);
  const [isKnown, setIsKnown] = useState(false);
  useEffect(() => {
    if (!isInDialog) ref.current?.showPopover();
    const timer = setTimeout(() => setIsKnown(true), introductionMs);
    return () => clearTimeout(timer);
  }, [isInDialog]);
  return (
    <section
      ref={ref}
      popover={isInDialog ? undefined : "manual"}
      aria-label="Notifications"
      aria-live="polite"
      className={
        isInDialog
          ? "grid shrink-0 gap-2 px-4 pt-2 pb-4 empty:p-0"
          : "pointer-events-none fixed inset-x-0 top-auto bottom-(--foot) m-0 w-auto justify-items-center gap-2 overflow-visible border-0 bg-transparent p-4 open:grid sm:left-auto sm:w-[26rem]"
      }
      onPointerEnter={() => onRead(true)}
      onPointerLeave={() => onRead(false)}
      onFocus={() => onRead(true)}
      onBlur={() => onRead(false)}
    >
      {isKnown && notices.map((notice) => <Toast key={notice.id} notice={notice} onRead={onRead} />)}
    </section>
  );
};

type ToastProps = Pick<NoticeRegionProps, "onRead"> & { notice: Notice };

const Toast = ({ notice: { id, tone, message, action }, onRead }: ToastProps) => {
  const { Icon, colour } = looks[tone];
  // A notice that goes while it is pointed at or focused is never left.
  useEffect(() => () => onRead(false), [onRead]);
  return (
    <div
      role={tone === "error" ? "alert" : undefined}
      className="pointer-events-auto flex w-full items-start gap-3 rounded-lg border bg-popover py-3 pr-2 pl-4 text-popover-foreground text-sm shadow-lg transition-[opacity,translate] duration-200 starting:translate-y-2 starting:opacity-0"
    >
      <Icon aria-hidden="true" className={`mt-0.5 size-4 shrink-0 ${colour}`} />
      <p className="min-w-0 grow break-words leading-5">{message}</p>
      {action !== undefined && (
        <button
          type="button"
          onClick={() => {
            dismissNotice(id);
            action.run();
          }}
          className="-my-1 min-h-7 shrink-0 cursor-pointer rounded-md px-2 font-medium text-primary hover:underline max-md:-my-3 max-md:min-h-11"
        >
          {action.label}
        </button>
      )}
      <button
        type="button"
        aria-label="Close"
        onClick={() => dismissNotice(id)}
        className="-my-2 grid size-9 shrink-0 cursor-pointer place-items-center rounded-md text-muted-foreground hover:text-foreground max-md:-my-3 max-md:size-11"
      >
        <X aria-hidden="true" className="size-4" />
      </button>
    </div>
  );
};

/** The modal dialog above all else, or `null`. Looked for only while `isWanted`; `null` otherwise. */
const useTopDialog = (isWanted: boolean): HTMLDialogElement | null =>
  useSyncExternalStore(isWanted ? watch : never, isWanted ? topDialog : none, none);

const topDialog = (): HTMLDialogElement | null =>
  [...document.querySelectorAll<HTMLDialogElement>("dialog:modal")].at(-1) ?? null;

const watch = (onChange: () => void) => {
  const observer = new MutationObserver(onChange);
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ["open"] });
  return () => observer.disconnect();
};

const never = () => () => {};
const none = () => null;
