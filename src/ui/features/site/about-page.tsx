import { useSite } from "#ui/lib/site.ts";
import { stack, aboutTexts as texts } from "./texts.ts";

/** What the product is, for whom, and what it stands on. */
export const AboutPage = () => {
  const { name } = useSite();
  return (
    <article className="wrap-anywhere mx-auto w-full max-w-[70rem] px-4 py-14 sm:px-6 sm:py-20">
      <header className="max-w-[40rem]">
        <h1 className="font-semibold text-3xl tracking-[-0.025em]">{texts.title(name)}</h1>
        <p className="mt-4 text-pretty text-muted-foreground text-xl">{texts.lead}</p>
      </header>
      <div className="mt-12 grid gap-x-16 gap-y-10 border-border border-t pt-12 md:grid-cols-2">
        {texts.parts.map(({ title, text }) => (
          <section key={title}>
            <h2 className="font-semibold text-base tracking-tight">{title}</h2>
            <p className="mt-2 text-pretty text-base text-muted-foreground">{text}</p>
          </section>
        ))}
      </div>
      <section className="mt-14 border-border border-t pt-10">
        <h2 className="font-semibold text-base tracking-tight">{texts.builtWith}</h2>
        <dl className="mt-5 grid gap-px overflow-hidden rounded-lg border border-border bg-border sm:grid-cols-2 lg:grid-cols-3">
          {stack.map(({ name, role }) => (
            <div key={name} className="bg-card px-4 py-3.5">
              <dt className="font-medium text-sm">{name}</dt>
              <dd className="text-muted-foreground text-[0.8125rem]">{role}</dd>
            </div>
          ))}
        </dl>
      </section>
    </article>
  );
};
