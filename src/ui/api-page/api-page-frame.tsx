import { markedSite } from "#contract/site.ts";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { contentId } from "#ui/lib/use-act.ts";
import { Brand, SkipLink, ThemeToggle } from "../components/header-parts.tsx";
import { apiPageTexts as texts } from "./texts.ts";

/** Markup around what Swagger UI draws. It is rendered by the build alone: the application has no part in this page. */
export const ApiPageFrame = () => (
  <div className="flex min-h-dvh flex-col">
    <SkipLink />
    <header className="border-b">
      <div className="mx-auto flex h-14 w-full max-w-[70rem] items-center gap-1 px-4 sm:px-6">
        <a
          href="/"
          className="inline-flex h-11 min-w-0 items-center rounded-md font-semibold text-base tracking-tight md:h-9"
        >
          <Brand name={markedSite.name} />
        </a>
        <div className="ml-auto flex items-center">
          <ThemeToggle />
        </div>
      </div>
    </header>
    <main id={contentId} tabIndex={-1} className="mx-auto w-full max-w-[70rem] grow px-4 py-8 sm:px-6">
      <h1 className="font-semibold text-2xl tracking-tight">{texts.title}</h1>
      <p className="mt-2 max-w-2xl text-muted-foreground">{texts.lead}</p>
      <a
        href="/swagger/json"
        className="inline-flex min-h-11 items-center underline underline-offset-4 md:min-h-9"
      >
        {texts.json}
      </a>
      <noscript>
        <p className="mt-4">{texts.withoutScripts}</p>
      </noscript>
      <p id="notice" role="status" className="mt-4 text-muted-foreground empty:hidden" />
      <button
        id="again"
        type="button"
        hidden
        className={buttonVariants({ variant: "outline", className: "mt-4" })}
      >
        {texts.tryAgain}
      </button>
      <div id="calls" className="mt-4" />
    </main>
  </div>
);
