import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

type EmptyListProps = {
  Icon: LucideIcon;
  title: string;
  text?: string | undefined;
  /** What can be done about it. */
  children?: ReactNode;
};

/** Stands in a list's place when it would be empty, and says why. */
export const EmptyList = ({ Icon, title, text, children }: EmptyListProps) => (
  <div role="status" className="grid justify-items-center gap-1 px-6 py-14 text-center">
    <Icon aria-hidden="true" className="mb-2 size-6 text-muted-foreground" />
    <p className="font-medium text-sm">{title}</p>
    {text !== undefined && (
      <p className="wrap-anywhere max-w-sm text-[0.8125rem] text-muted-foreground">{text}</p>
    )}
    {children}
  </div>
);
