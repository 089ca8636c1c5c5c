import type { ReactNode } from "react";
import { Link } from "wouter";
import { footerLink } from "#contract/site.ts";
import { UserMenu } from "#ui/components/user-menu.tsx";
import { shieldId, useSession } from "#ui/lib/session.ts";
import { useSite } from "#ui/lib/site.ts";
import { contentId } from "#ui/lib/use-act.ts";
import { PluginSlot } from "#ui/plugin-host/slots.tsx";
import {
  BrandLink,
  BrandMark,
  NavLink,
  SiteLink,
  SkipLink,
  ThemeChoice,
  ThemeToggle,
} from "../components/header-parts.tsx";
import { useHydrated } from "../lib/use-load.ts";
import { Drawer, DrawerButton } from "./drawer.tsx";
import { besideLinks, docsWord, legalMenu, quickLinks, siteMenu } from "./menus.ts";

type SiteShellProps = {
  /** Keeps the footer below the fold, for pages whose content arrives later: it never jumps before the reader's eyes. */
  isTall: boolean;
  children: ReactNode;
};

/** Frame of the public pages and of the dashboard: top bar, content, footer. */
export const SiteShell = ({ isTall, children }: SiteShellProps) => (
  <div className="flex min-h-dvh flex-col">
    <SkipLink />
    <SiteHeader />
    <main
      id={contentId}
      tabIndex={-1}
      className={`flex grow flex-col ${isTall ? "min-h-[calc(100dvh-3.5rem)]" : ""}`}
    >
      {children}
    </main>
    <SiteFooter />
  </div>
);

const drawerId = "site-menu";
const drawerLink =
  "flex h-11 items-center rounded-md px-3 font-medium text-muted-foreground hover:bg-accent hover:text-foreground aria-[current=page]:bg-accent aria-[current=page]:text-foreground";

/** The bar above every page of the site. */
const SiteHeader = () => {
  const { user } = useSession();
  return (
    <header className="sticky top-0 z-40 border-b bg-background/90 backdrop-blur-md">
      <div className="mx-auto flex h-14 w-full max-w-[70rem] items-center gap-1 px-4 sm:px-6">
        <BrandLink />
        <nav aria-label="Main" className="ml-6 hidden gap-1 md:flex">
          {siteMenu.map(({ href, label }) => (
            <NavLink
              key={href}
              href={href}
              className="inline-flex h-9 items-center rounded-md px-3 font-medium text-muted-foreground text-sm transition-colors hover:text-foreground aria-[current=page]:text-foreground"
            >
              {label}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1 md:gap-2">
          <div id={shieldId} />
          <ThemeToggle />
          {user === null ? <SignedOut /> : <UserMenu />}
          <DrawerButton id={drawerId} label="Open menu" />
        </div>
      </div>
      <SiteDrawer isSignedIn={user !== null} />
    </header>
  );
};

const SignedOut = () => (
  <div className="hidden items-center gap-2 md:flex">
    <Link
      href="/login"
      className="inline-flex h-9 items-center rounded-md px-3.5 font-medium text-sm transition-colors hover:bg-accent"
    >
      Login
    </Link>
    <Link
      href="/register"
      data-unless="closed"
      className="inline-flex h-9 items-center rounded-md bg-primary px-3.5 font-medium text-primary-foreground text-sm transition-colors hover:bg-primary-hover"
    >
      Register
    </Link>
  </div>
);

const SiteDrawer = ({ isSignedIn }: { isSignedIn: boolean }) => (
  <Drawer id={drawerId} label="Menu">
    <nav aria-label="Menu" className="grid gap-1">
      {siteMenu.map(({ href, label }) => (
        <NavLink key={href} href={href} className={drawerLink}>
          {label}
        </NavLink>
      ))}
    </nav>
    {!isSignedIn && (
      <div className="mt-4 grid gap-2 border-t pt-4">
        <Link
          href="/login"
          className="inline-flex h-11 items-center justify-center rounded-md border font-medium hover:bg-accent"
        >
          Login
        </Link>
        <Link
          href="/register"
          data-unless="closed"
          className="inline-flex h-11 items-center justify-center rounded-md bg-primary font-medium text-primary-foreground"
        >
          Register
        </Link>
      </div>
    )}
  </Drawer>
);

/** What stands under every page of the site. */
const SiteFooter = () => {
  const site = useSite();
  return (
    <footer className="wrap-anywhere mt-auto border-t text-sm">
      <div className="mx-auto grid w-full max-w-[70rem] gap-x-12 gap-y-8 px-4 py-10 sm:grid-cols-2 sm:px-6 lg:grid-cols-[2fr_1fr_1.4fr_1fr]">
        <section className="max-w-sm">
          <h2 className="flex items-center gap-2 font-semibold">
            <BrandMark className="size-4 text-primary" />
            {footerTexts.about}
          </h2>
          <p className="mt-2 text-muted-foreground">{site.about}</p>
        </section>
        <QuickLinks />
        <section className="max-w-sm">
          <h2 className="font-semibold">{footerTexts.contact}</h2>
          <p className="mt-2 text-muted-foreground">{footerTexts.contactText}</p>
          <Link href="/contact" className={`${footerLink} mt-1 underline underline-offset-4`}>
            {footerTexts.contactLink}
          </Link>
        </section>
        <SocialLinks />
      </div>
      <div className="mx-auto w-full max-w-[70rem] px-4 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-4 border-t py-5">
          <nav aria-label="Legal" className="flex flex-wrap items-center gap-x-5 text-muted-foreground">
            <span className="inline-flex min-h-8 items-center">{site.owner}</span>
            {legalMenu.map(({ name, label }) => (
              <SiteLink key={name} href={site[name]} className={footerLink}>
                {label}
              </SiteLink>
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
};

const QuickLinks = () => {
  const { user } = useSession();
  const doors = quickLinks.filter(({ href }) => (href === "/dashboard") === (user !== null));
  return (
    <nav aria-label="Quick links">
      <h2 className="font-semibold">{footerTexts.quickLinks}</h2>
      <ul className="mt-1 grid grid-cols-2 md:mt-1.5 lg:grid-cols-1">
        {[...siteMenu, ...doors].map((link) => (
          <li key={link.href} data-unless={link.href === "/register" ? "closed" : undefined}>
            <FooterLink {...link} />
          </li>
        ))}
        {besideLinks.map(({ href, label }) => (
          <li key={href} data-unless={docsWord(user)}>
            <a href={href} className={footerLink}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};

/** The site's own links; while there are none, those to recommend it. */
const SocialLinks = () => {
  const { headline, social } = useSite();
  const address = useHydrated() ? `${location.origin}/` : "";
  return (
    <>
      <nav aria-label={footerTexts.follow} data-when="social">
        <h2 className="font-semibold">{footerTexts.follow}</h2>
        <ul
          className="mt-1 grid grid-cols-2 md:mt-1.5 lg:grid-cols-1"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: list items whose texts are escaped (contract/site.ts).
          dangerouslySetInnerHTML={{ __html: social }}
        />
      </nav>
      <nav aria-label={footerTexts.social} data-unless="social">
        <h2 className="font-semibold">{footerTexts.social}</h2>
        <ul className="mt-1 grid grid-cols-2 md:mt-1.5 lg:grid-cols-1">
          {socialLinks.map(({ label, href }) => (
            <li key={label}>
              <a href={href(headline, address)} rel="noopener noreferrer" className={footerLink}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </>
  );
};

const FooterLink = ({ href, label }: { href: string; label: string }) => (
  <Link href={href} className={footerLink}>
    {label}
  </Link>
);

/** A link of the footer to a social network. `address` is the site's own, empty as long as it is not known. */
type SocialLink = { label: string; href: (headline: string, address: string) => string };

/**
 * Links with which readers tell others about the site, until admins set links of its own. They are links and nothing more: no
 * script, picture or request of these networks is in any page.
 */
export const socialLinks: readonly SocialLink[] = [
  { label: "Mastodon", href: (...words) => `https://share.joinmastodon.org/#text=${message(...words)}` },
  { label: "Bluesky", href: (...words) => `https://bsky.app/intent/compose?text=${message(...words)}` },
  {
    label: "Email",
    href: (headline, address) =>
      `mailto:?subject=${encodeURIComponent(headline)}&body=${encodeURIComponent(address)}`,
  },
];

const message = (headline: string, address: string): string =>
  encodeURIComponent(`${headline} ${address}`.trim());

/** Words of the footer. */
const footerTexts = {
  about: "About",
  quickLinks: "Quick Links",
  contact: "Contact",
  contactText: "Questions, ideas or something broken?",
  contactLink: "Write to us",
  social: "Share",
  follow: "Follow us",
} as const;
