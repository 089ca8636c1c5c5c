import type { ReactNode } from "react";
import { Link } from "wouter";
import { Alert } from "#ui/components/ui/alert.tsx";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { cn } from "#ui/lib/cn.ts";
import { authScreenTexts as texts } from "./texts.ts";

type AuthCardProps = {
  title: string;
  lead?: string | undefined;
  leadClassName?: string | undefined;
  /** Where else to go, under the card. */
  footer?: ReactNode;
  children: ReactNode;
};

/** The narrow column of the account screens: heading, card, ways on. */
export const AuthCard = ({ title, lead, leadClassName, footer, children }: AuthCardProps) => (
  <div className="mx-auto w-full max-w-[26rem] px-4 py-10 sm:py-16">
    <div className="mb-6 grid gap-1.5 text-center">
      <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
      {lead !== undefined && (
        <p className={cn("text-balance text-sm text-muted-foreground", leadClassName)}>{lead}</p>
      )}
    </div>
    <div className="rounded-xl border border-border bg-card p-5 text-sm shadow-xs sm:p-7">
      <noscript>
        <p className="mb-5 font-medium">{texts.needsScript}</p>
      </noscript>
      {children}
    </div>
    {footer !== undefined && (
      <div className="mt-5 grid justify-items-center gap-1 text-center text-sm text-muted-foreground">
        {footer}
      </div>
    )}
  </div>
);

/**
 * A form, and where it is useless a notice in its place. The form then keeps its room out of sight: the answer that tells comes
 * while the page is read, and nothing below may move.
 */
export const FormOrNotice = ({ notice, children }: { notice: ReactNode; children: ReactNode }) => (
  <div className="relative">
    <div aria-hidden={notice !== null} className={notice === null ? undefined : "invisible"}>
      {children}
    </div>
    {notice !== null && <div className="absolute inset-x-0 top-0">{notice}</div>}
  </div>
);

type TextLinkProps = { href: string; state?: unknown; children: ReactNode };

/** A link within a line of words, tall enough for a thumb on phones. */
export const TextLink = ({ href, state, children }: TextLinkProps) => (
  <Link
    href={href}
    state={state}
    className="inline-flex min-h-11 items-center rounded-sm font-medium text-foreground underline decoration-border underline-offset-4 outline-none hover:decoration-foreground focus-visible:ring-2 focus-visible:ring-ring md:min-h-7"
  >
    {children}
  </Link>
);

/**
 * Whose registration a link completed, and the way to another password, whose token this tab keeps: on a shared computer it
 * may have been someone else's.
 */
export const SignedUpAs = ({ name }: { name: string }) => (
  <Alert
    severity="info"
    title={texts.signedUpAs(name)}
    className="wrap-anywhere"
    actions={
      <Link href="/reset-password" className={buttonVariants({ variant: "outline", size: "sm" })}>
        {texts.chooseAnother}
      </Link>
    }
  />
);
