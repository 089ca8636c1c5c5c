import { Link } from "wouter";
import { BrandMark } from "#ui/components/brand-mark.tsx";
import { ThemeChoice } from "#ui/components/theme-choice.tsx";
import { useSession } from "#ui/lib/session.ts";
import { legalMenu, quickLinks, siteMenu } from "./menus.ts";

const footerLink = "inline-flex min-h-11 items-center text-muted-foreground hover:text-foreground md:min-h-8";

/** What stands under every page of the site. */
export const SiteFooter = () => {
  const { user } = useSession();
  const doors = quickLinks.filter(({ href }) => (href === "/dashboard") === (user !== null));
  return (
    <footer className="mt-auto border-t text-sm">
      <div className="mx-auto grid w-full max-w-[70rem] gap-8 px-4 py-10 sm:grid-cols-[2fr_1fr] sm:px-6">
        <section className="max-w-sm">
          <h2 className="flex items-center gap-2 font-semibold">
            <BrandMark className="size-4 text-primary" />
            About
          </h2>
          <p className="mt-2 text-muted-foreground">
            Atrium is a starter for web applications: accounts, verified addresses and an admin area, with a
            database of its own, on your own machine.
          </p>
        </section>
        <nav aria-label="Quick links">
          <h2 className="font-semibold">Quick Links</h2>
          <ul className="mt-1 grid grid-cols-2 sm:grid-cols-1 md:mt-2">
            {[...siteMenu, ...doors].map(({ href, label }) => (
              <li key={href}>
                <Link href={href} className={footerLink}>
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <div className="mx-auto w-full max-w-[70rem] px-4 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-4 border-t py-5">
          <nav aria-label="Legal" className="flex flex-wrap gap-x-5 text-muted-foreground">
            <span className="inline-flex min-h-8 items-center">Atrium, under the MIT licence</span>
            {legalMenu.map(({ href, label }) => (
              <Link key={href} href={href} className={footerLink}>
                {label}
              </Link>
            ))}
          </nav>
          <ThemeChoice />
        </div>
      </div>
    </footer>
  );
};
