import { Link } from "wouter";
import { BrandMark } from "#ui/components/brand-mark.tsx";
import { ThemeChoice } from "#ui/components/theme-choice.tsx";
import { useSession } from "#ui/lib/session.ts";
import { useHydrated } from "#ui/lib/use-hydrated.ts";
import { PluginSlot } from "#ui/plugin-host/plugin-slot.tsx";
import { footerTexts as texts } from "./footer-texts.ts";
import { besideLinks, legalMenu, quickLinks, siteMenu } from "./menus.ts";
import { socialLinks } from "./social-links.ts";

const footerLink = "inline-flex min-h-11 items-center text-muted-foreground hover:text-foreground md:min-h-8";

/** What stands under every page of the site. */
export const SiteFooter = () => (
  <footer className="mt-auto border-t text-sm">
    <div className="mx-auto grid w-full max-w-[70rem] gap-x-12 gap-y-8 px-4 py-10 sm:grid-cols-2 sm:px-6 lg:grid-cols-[2fr_1fr_1.4fr_1fr]">
      <section className="max-w-sm">
        <h2 className="flex items-center gap-2 font-semibold">
          <BrandMark className="size-4 text-primary" />
          {texts.about}
        </h2>
        <p className="mt-2 text-muted-foreground">{texts.aboutText}</p>
      </section>
      <QuickLinks />
      <section className="max-w-sm">
        <h2 className="font-semibold">{texts.contact}</h2>
        <p className="mt-2 text-muted-foreground">{texts.contactText}</p>
        <Link href="/contact" className={`${footerLink} mt-1 underline underline-offset-4`}>
          {texts.contactLink}
        </Link>
      </section>
      <SocialLinks />
    </div>
    <div className="mx-auto w-full max-w-[70rem] px-4 sm:px-6">
      <div className="flex flex-wrap items-center justify-between gap-4 border-t py-5">
        <nav aria-label="Legal" className="flex flex-wrap items-center gap-x-5 text-muted-foreground">
          <span className="inline-flex min-h-8 items-center">{texts.licence}</span>
          {legalMenu.map((link) => (
            <FooterLink key={link.href} {...link} />
          ))}
        </nav>
        {/* Its place is kept: what comes late moves nothing. */}
        <div className="flex h-11 min-w-0 basis-full items-center text-muted-foreground max-lg:order-last md:h-8 lg:w-0 lg:basis-0 lg:grow">
          <PluginSlot name="licensing" className="truncate" />
        </div>
        <ThemeChoice />
      </div>
    </div>
  </footer>
);

const QuickLinks = () => {
  const { user } = useSession();
  const doors = quickLinks.filter(({ href }) => (href === "/dashboard") === (user !== null));
  return (
    <nav aria-label="Quick links">
      <h2 className="font-semibold">{texts.quickLinks}</h2>
      <ul className="mt-1 grid grid-cols-2 md:mt-1.5 lg:grid-cols-1">
        {[...siteMenu, ...doors].map((link) => (
          <li key={link.href}>
            <FooterLink {...link} />
          </li>
        ))}
        {besideLinks.map(({ href, label }) => (
          <li key={href}>
            <a href={href} className={footerLink}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

const SocialLinks = () => {
  const address = useHydrated() ? `${location.origin}/` : "";
  return (
    <nav aria-label={texts.social}>
      <h2 className="font-semibold">{texts.social}</h2>
      <ul className="mt-1 grid grid-cols-2 md:mt-1.5 lg:grid-cols-1">
        {socialLinks.map(({ label, href }) => (
          <li key={label}>
            <a href={href(address)} rel="noopener noreferrer" className={footerLink}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

const FooterLink = ({ href, label }: { href: string; label: string }) => (
  <Link href={href} className={footerLink}>
    {label}
  </Link>
);
