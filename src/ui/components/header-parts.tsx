import { Monitor, Moon, Sun } from "lucide-react";
import { type ComponentProps, type ReactNode, useSyncExternalStore } from "react";
import { Link, useLocation } from "wouter";
import { control } from "../lib/page-controls.ts";
import { useSite } from "../lib/site.ts";
import { onThemeChange, readThemeMode, type ThemeMode } from "../lib/theme.ts";
import { contentId } from "../lib/use-act.ts";

/** What leads home. */
export const BrandLink = () => (
  <Link
    href="/"
    className="inline-flex h-11 min-w-0 items-center rounded-md font-semibold text-base tracking-tight md:h-9"
  >
    <Brand name={useSite().name} />
  </Link>
);

/** The sign and the site's name; where the site has a logo, its style sheet shows that, and leaves them to screen readers. */
export const Brand = ({ name }: { name: string }) => (
  <>
    <span data-brand="logo" />
    <span data-brand="words" className="inline-flex min-w-0 items-center gap-2">
      <BrandMark className="size-5 shrink-0 text-primary" />
      <span className="truncate">{name}</span>
    </span>
  </>
);

/** The site's icon, or until it has one the product's sign: an arch with the light in it, in the text's color. */
export const BrandMark = (props: ComponentProps<"svg">) => (
  <svg data-brand="sign" viewBox="0 0 24 24" aria-hidden="true" fill="currentColor" {...props}>
    <path d="M3 21V12a9 9 0 0 1 18 0v9h-4.5v-9a4.5 4.5 0 0 0-9 0v9Z" />
    <circle cx="12" cy="18.75" r="2.25" />
  </svg>
);

type NavLinkProps = {
  href: string;
  className: string;
  /** Whether the page has places of its own, below its address. */
  hasPlaces?: boolean;
  children: ReactNode;
};

/** A link of a menu; the one that leads to the page on show says so. */
export const NavLink = ({ href, className, hasPlaces = false, children }: NavLinkProps) => {
  const [path] = useLocation();
  const isHere = path === href || (hasPlaces && path.startsWith(`${href}/`));
  return (
    <Link href={href} className={className} aria-current={isHere ? "page" : undefined}>
      {children}
    </Link>
  );
};

/** A link to a page of the site that may be on another site. */
export const SiteLink = ({ href, className, children }: Omit<NavLinkProps, "hasPlaces">) =>
  href.startsWith("/") ? (
    <Link href={href} className={className}>
      {children}
    </Link>
  ) : (
    <a href={href} className={className}>
      {children}
    </a>
  );

/** The first stop of the Tab key: leaps over the menus to the content. */
export const SkipLink = () => (
  <a
    href={`#${contentId}`}
    className="-translate-y-24 fixed top-3 left-3 z-50 rounded-md bg-primary px-4 py-2.5 font-medium text-primary-foreground text-sm focus:translate-y-0"
  >
    Skip to content
  </a>
);

/** Changes between light and dark. Both signs are in the markup; the theme's class on the root shows one. */
export const ThemeToggle = () => (
  <button
    type="button"
    {...control("theme")}
    aria-label="Toggle dark theme"
    className="grid size-11 cursor-pointer place-items-center rounded-md text-muted-foreground transition-colors hover:bg-accent hover:text-foreground md:size-9"
  >
    <Sun aria-hidden="true" className="size-4.5 dark:hidden" />
    <Moon aria-hidden="true" className="hidden size-4.5 dark:block" />
  </button>
);

const choices = [
  { mode: "system", label: "System theme", Icon: Monitor },
  { mode: "light", label: "Light theme", Icon: Sun },
  { mode: "dark", label: "Dark theme", Icon: Moon },
] as const;

/** Device, light or dark: the whole choice, with the one in force pressed. */
export const ThemeChoice = () => {
  const chosen = useThemeMode();
  return (
    <fieldset aria-label="Theme" className="inline-flex rounded-full border p-0.5">
      {choices.map(({ mode, label, Icon }) => (
        <button
          key={mode}
          type="button"
          {...control(`theme:${mode}`)}
          aria-label={label}
          aria-pressed={chosen === mode}
          className="grid size-10 cursor-pointer place-items-center rounded-full text-muted-foreground hover:text-foreground aria-pressed:bg-accent aria-pressed:text-foreground md:size-7"
        >
          <Icon aria-hidden="true" className="size-4 md:size-3.5" />
        </button>
      ))}
    </fieldset>
  );
};

/** The reader's choice of theme; `null` until the page is live, because markup made ahead of time cannot know it. */
const useThemeMode = (): ThemeMode | null => useSyncExternalStore(onThemeChange, readThemeMode, () => null);
