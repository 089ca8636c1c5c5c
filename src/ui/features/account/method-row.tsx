import type { ReactNode } from "react";

type MethodRowProps = {
  icon: ReactNode;
  name: string;
  /** A sentence about it; it explains a control that is disabled when it has this id. */
  detail: ReactNode;
  detailId?: string;
  state: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
};

/** One way to sign in: what it is, how it stands, and what can be done about it. */
export const MethodRow = ({ icon, name, detail, detailId, state, action, children }: MethodRowProps) => (
  <li className="grid gap-3 px-4 py-3 text-sm">
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 gap-y-2">
      <span className="text-muted-foreground [&_svg]:size-5">{icon}</span>
      <div className="min-w-0 grow basis-44">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {name}
          {state}
        </p>
        <p id={detailId} className="wrap-anywhere text-muted-foreground text-[0.8125rem]">
          {detail}
        </p>
      </div>
      {action}
    </div>
    {children}
  </li>
);
