import { Card } from "#ui/components/ui/card.tsx";
import { ContactForm } from "./contact-form.tsx";
import { contactScreenTexts as texts } from "./texts.ts";

/** How to reach the people of the site: what to expect, and the form. */
export const ContactPage = () => (
  <div className="mx-auto grid w-full max-w-[70rem] gap-x-16 gap-y-10 px-4 py-14 sm:px-6 sm:py-20 md:grid-cols-[1fr_minmax(0,30rem)] md:grid-rows-[auto_1fr]">
    <header>
      <h1 className="font-semibold text-3xl tracking-[-0.025em]">{texts.title}</h1>
      <p className="mt-4 max-w-[36rem] text-pretty text-lg text-muted-foreground">{texts.lead}</p>
      <p className="mt-4 max-w-[36rem] text-pretty">{texts.replies}</p>
    </header>
    <Card className="row-span-2 self-start p-6 sm:p-8">
      <ContactForm />
    </Card>
    <div className="grid content-start gap-8 border-border border-t pt-8">
      <section>
        <h2 className="font-semibold text-base tracking-tight">{texts.topicsTitle}</h2>
        <dl className="mt-3 grid gap-3">
          {texts.topics.map(({ name, text }) => (
            <div key={name}>
              <dt className="font-medium text-sm">{name}</dt>
              <dd className="text-muted-foreground text-sm">{text}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section>
        <h2 className="font-semibold text-base tracking-tight">{texts.privacyTitle}</h2>
        <p className="mt-2 max-w-[36rem] text-pretty text-muted-foreground text-sm">{texts.privacy}</p>
      </section>
    </div>
  </div>
);
