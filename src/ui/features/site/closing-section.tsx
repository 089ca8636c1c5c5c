import type { ReactNode } from "react";
import { Link } from "wouter";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { useSession } from "#ui/lib/session.ts";
import { homeTexts as texts } from "./texts.ts";

/** The calls at the end: create an account, for those without one, and write to us, for everybody. */
export const ClosingSection = () => {
  const isVisitor = useSession().user === null;
  return (
    <div className="mx-auto flex w-full max-w-[70rem] flex-col gap-4 px-4 py-16 sm:px-6 sm:py-24 md:flex-row">
      {isVisitor && (
        <Call id="start" title={texts.closingTitle} text={texts.closingText}>
          <Link href="/register" className={buttonVariants({ size: "lg" })}>
            {texts.register}
          </Link>
          <Link href="/login" className={buttonVariants({ variant: "outline", size: "lg" })}>
            {texts.signIn}
          </Link>
        </Call>
      )}
      <Call id="contact" title={texts.contactTitle} text={texts.contactText}>
        <Link
          href="/contact"
          className={buttonVariants({ variant: isVisitor ? "outline" : "default", size: "lg" })}
        >
          {texts.contact}
        </Link>
      </Call>
    </div>
  );
};

type CallProps = { id: string; title: string; text: string; children: ReactNode };

const Call = ({ id, title, text, children }: CallProps) => (
  <section
    aria-labelledby={id}
    className="flex flex-1 flex-col justify-between gap-7 rounded-xl border border-border bg-card p-6 sm:p-8"
  >
    <div>
      <h2 id={id} className="text-balance font-semibold text-2xl tracking-tight">
        {title}
      </h2>
      <p className="mt-3 max-w-[34rem] text-pretty text-base text-muted-foreground">{text}</p>
    </div>
    <div className="flex flex-col gap-3 sm:flex-row">{children}</div>
  </section>
);
