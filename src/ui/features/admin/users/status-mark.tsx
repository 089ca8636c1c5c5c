import { cn } from "#ui/lib/cn.ts";
import { usersTexts as texts } from "./texts.ts";

/** Whether a user may sign in, as a dot and a word. */
export const StatusMark = ({ isDisabled }: { isDisabled: boolean }) => (
  <span className="flex items-center gap-2">
    <span
      aria-hidden="true"
      className={cn("size-1.5 rounded-full", isDisabled ? "bg-destructive" : "bg-success")}
    />
    {isDisabled ? texts.statuses.disabled : texts.statuses.active}
  </span>
);
