import { ArrowRight } from "lucide-react";
import { Link } from "wouter";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { useSession } from "#ui/lib/session.ts";
import { AdminPanelDrawing } from "./admin-panel-drawing.tsx";
import { homeTexts as texts } from "./texts.ts";

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
