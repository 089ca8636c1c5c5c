import { Link } from "wouter";
import { BrandLink } from "#ui/components/brand-link.tsx";
import { NavLink } from "#ui/components/nav-link.tsx";
import { ThemeToggle } from "#ui/components/theme-toggle.tsx";
import { UserMenu } from "#ui/components/user-menu.tsx";
import { useSession } from "#ui/lib/session.ts";
import { Drawer, DrawerButton } from "./drawer.tsx";
import { siteMenu } from "./menus.ts";

const drawerId = "site-menu";
const drawerLink =
  "flex h-11 items-center rounded-md px-3 font-medium text-muted-foreground hover:bg-accent hover:text-foreground aria-[current=page]:bg-accent aria-[current=page]:text-foreground";

/** The bar above every page of the site. */
export const SiteHeader = () => {
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
          className="inline-flex h-11 items-center justify-center rounded-md bg-primary font-medium text-primary-foreground"
        >
          Register
        </Link>
      </div>
    )}
  </Drawer>
);
