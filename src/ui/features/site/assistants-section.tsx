import { Check } from "lucide-react";
import { commandExample, failureExample } from "./assistants-examples.ts";
import { homeTexts as texts } from "./texts.ts";

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
