import { Link } from "wouter";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { homeTexts as texts } from "./texts.ts";

/** The call at the end: create an account, or go back to the one there is. */
export const ClosingSection = () => (
  <section
    aria-labelledby="start"
    className="mx-auto w-full max-w-[70rem] px-4 py-16 text-center sm:px-6 sm:py-24"
  >
    <h2 id="start" className="text-balance font-semibold text-2xl tracking-tight">
      {texts.closingTitle}
    </h2>
    <p className="mx-auto mt-3 max-w-[34rem] text-pretty text-base text-muted-foreground">
      {texts.closingText}
    </p>
    <div className="mt-7 flex flex-col justify-center gap-3 sm:flex-row">
      <Link href="/register" className={buttonVariants({ size: "lg" })}>
        {texts.register}
      </Link>
      <Link href="/login" className={buttonVariants({ variant: "outline", size: "lg" })}>
        {texts.signIn}
      </Link>
    </div>
  </section>
);
