import type { ReactNode } from "react";

type AuthCardProps = {
  title: string;
  lead?: string | undefined;
  /** Where else to go, under the card. */
  footer?: ReactNode;
  children: ReactNode;
};

/** The narrow column of the account screens: heading, card, ways on. */
export const AuthCard = ({ title, lead, footer, children }: AuthCardProps) => (
  <div className="mx-auto w-full max-w-[26rem] px-4 py-10 sm:py-16">
    <div className="mb-6 grid gap-1.5 text-center">
      <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
      {lead !== undefined && <p className="text-balance text-sm text-muted-foreground">{lead}</p>}
    </div>
    <div className="rounded-xl border border-border bg-card p-5 text-sm shadow-xs sm:p-7">{children}</div>
    {footer !== undefined && (
      <div className="mt-5 grid justify-items-center gap-1 text-center text-sm text-muted-foreground">
        {footer}
      </div>
    )}
  </div>
);
