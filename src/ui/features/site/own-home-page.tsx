import type { ComponentType } from "react";
import { Link } from "wouter";
import { buttonVariants } from "#ui/components/ui/button.tsx";
import { useSession } from "#ui/lib/session.ts";
import { useSite } from "#ui/lib/site.ts";
import { OwnMarkup, ownMarkup } from "./own-text-page.tsx";
import { ownHomeTexts as texts } from "./texts.ts";

/** The home page with the site's own words, once they are there; rejects when they cannot be loaded. */
export const loadOwnHomePage = async (): Promise<ComponentType> => {
  const html = await ownMarkup("/", "homeText");
  return () => <OwnHomePage html={html} />;
};

/** What the site's settings say: its name and tagline with the way in, then the sections of its text in their order. */
const OwnHomePage = ({ html }: { html: string }) => (
  <>
    <Welcome />
    <OwnMarkup html={html} className={`${frame} wrap-anywhere pb-16 sm:pb-24`} />
  </>
);

const frame = "mx-auto w-full max-w-[70rem] px-4 sm:px-6";

const Welcome = () => {
  const { name, about } = useSite();
  const isMember = useSession().user !== null;
  return (
    <section className={`${frame} wrap-anywhere pt-14 pb-4 sm:pt-20`}>
      <h1 className="font-semibold text-3xl tracking-[-0.03em] md:text-4xl">{name}</h1>
      <p data-when="tagline" className="mt-5 max-w-[38rem] text-pretty text-base text-muted-foreground">
        {about}
      </p>
      <div className="mt-7 flex flex-col gap-3 sm:flex-row">
        {isMember ? (
          <Link href="/dashboard" className={buttonVariants({ size: "lg" })}>
            {texts.dashboard}
          </Link>
        ) : (
          <>
            <Link href="/register" data-unless="closed" className={buttonVariants({ size: "lg" })}>
              {texts.register}
            </Link>
            <Link href="/login" className={buttonVariants({ variant: "outline", size: "lg" })}>
              {texts.signIn}
            </Link>
          </>
        )}
      </div>
    </section>
  );
};
