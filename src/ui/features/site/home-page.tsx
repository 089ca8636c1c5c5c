import { ArrowRight, Check } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { useSession } from "#ui/lib/session.ts";
import { AdminPanelDrawing } from "./admin-panel-drawing.tsx";
import { FeatureGrid } from "./feature-grid.tsx";
import { homeTexts as texts } from "./texts.ts";

/** Landing page: the product itself, what it does, the way in for those who are not in yet, and the way to us. */
export const HomePage = () => (
  <>
    <HeroSection />
    <FeatureGrid />
    <AssistantsSection />
    <ClosingSection />
  </>
);

/** A command with the shape of its real answer, shortened; the person in it does not exist. */
export const commandExample = {
  command: "atrium user list --json",
  output: `{
  "users": [
    {
      "name": "Mira Okafor",
      "email": "mira@northwind.example",
      "role": "admin",
      …
    }
  ],
  "pagination": { "total": 1, … }
}`,
} as const;

/** A refused call, as the API answers it, its id shortened. */
export const failureExample = `{
  "success": false,
  "code": "INVALID_CREDENTIALS",
  "message": "Invalid email or password",
  "requestId": "597f1931-f82f-…"
}`;

/** How assistants and scripts work with the product: words beside what they would really see. */
export const AssistantsSection = () => (
  <section aria-labelledby="assistants" className="border-border border-y bg-muted/40">
    <div className="mx-auto grid max-w-[70rem] items-center gap-10 px-4 py-16 sm:px-6 sm:py-24 lg:grid-cols-2 lg:gap-16">
      <div>
        <p className="font-medium text-sm text-primary">{texts.assistantsKicker}</p>
        <h2 id="assistants" className="mt-3 text-balance font-semibold text-2xl tracking-tight">
          {texts.assistantsTitle}
        </h2>
        <p className="mt-4 text-pretty text-base text-muted-foreground">{texts.assistantsText}</p>
        <ul className="mt-6 grid gap-3 text-sm">
          {texts.assistantsPoints.map((point) => (
            <li key={point} className="flex gap-3">
              <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-primary" />
              {point}
            </li>
          ))}
        </ul>
      </div>
      <div className="min-w-0 overflow-hidden rounded-xl border border-border bg-card font-mono text-[0.8125rem] shadow-xs">
        <p className="border-border border-b px-5 py-3.5">
          <span className="select-none text-muted-foreground">$ </span>
          {commandExample.command}
        </p>
        <pre className="overflow-x-auto px-5 py-4 leading-6">{commandExample.output}</pre>
        <p className="border-border border-y bg-muted/50 px-5 py-2 font-sans text-muted-foreground">
          {texts.assistantsFailure}
        </p>
        <pre className="overflow-x-auto px-5 py-4 leading-6">{failureExample}</pre>
      </div>
    </div>
  </section>
);

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

/** What it is in one screen: words, two ways on, the command, and the product drawn below. */
export const HeroSection = () => {
  const isMember = useSession().user !== null;
  return (
    <section className="overflow-hidden border-border border-b">
      <div className="mx-auto w-full max-w-[70rem] px-4 pt-14 sm:px-6 sm:pt-20">
        <div className="max-w-[44rem]">
          <p className="font-medium text-sm text-primary">{texts.kicker}</p>
          {/* Narrow enough on phones to break into the same lines in Inter and in its stand-in. */}
          <h1 className="mt-3 text-balance font-semibold text-3xl tracking-[-0.03em] max-sm:max-w-[8em] max-[22rem]:text-2xl md:text-4xl">
            {texts.title}
          </h1>
          <p className="mt-5 max-w-[38rem] text-pretty text-base text-muted-foreground">{texts.lead}</p>
          <div className="mt-7 flex flex-col gap-3 sm:flex-row">
            <Link href={isMember ? "/dashboard" : "/register"} className={buttonVariants({ size: "lg" })}>
              {isMember ? texts.dashboard : texts.register}
              <ArrowRight aria-hidden="true" />
            </Link>
            <Link href="/about" className={buttonVariants({ variant: "outline", size: "lg" })}>
              {texts.about}
            </Link>
          </div>
          <div className="mt-6 flex flex-wrap items-center gap-x-3 gap-y-2 text-muted-foreground text-[0.8125rem]">
            <code className="rounded-md border border-border bg-card px-2.5 py-1 font-mono text-foreground">
              {texts.command}
            </code>
            <span>{texts.commandNote}</span>
          </div>
        </div>
        <AdminPanelDrawing />
      </div>
    </section>
  );
};
