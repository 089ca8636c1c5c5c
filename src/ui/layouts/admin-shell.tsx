import { PanelLeft } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Badge } from "#ui/components/ui/badge.tsx";
import { UserMenu } from "#ui/components/user-menu.tsx";
import { control } from "#ui/lib/page-controls.ts";
import { shieldId, useSession } from "#ui/lib/session.ts";
import { useUnread } from "#ui/lib/unread-messages.ts";
import { contentId } from "#ui/lib/use-act.ts";
import { BrandLink, NavLink, SkipLink, ThemeToggle } from "../components/header-parts.tsx";
import { Drawer, DrawerButton } from "./drawer.tsx";
import { adminMenu, besideLinks, siteMenu } from "./menus.ts";

const drawerId = "admin-menu";
const itemLook =
  "flex h-11 items-center gap-2.5 rounded-md px-2.5 font-medium text-sidebar-foreground text-sm transition-colors hover:bg-sidebar-accent hover:text-sidebar-accent-foreground aria-[current=page]:bg-sidebar-accent aria-[current=page]:text-sidebar-accent-foreground md:h-9";

/** Frame of the admin pages: a sidebar of 248 px that folds to its icons, a drawer on phones, a bar above the content. */
export const AdminShell = ({ children }: { children: ReactNode }) => {
  const plugins = usePluginParts();
  return (
    <div className="flex min-h-dvh">
      <SkipLink />
      <aside className="hidden w-[15.5rem] shrink-0 border-sidebar-border border-r bg-sidebar collapsed:w-[3.75rem] md:block">
        <div className="sticky top-0 flex h-dvh flex-col overflow-y-auto overflow-x-hidden px-3">
          <div className="flex h-14 shrink-0 items-center overflow-hidden px-2">
            <BrandLink />
          </div>
          <nav aria-label="Admin" className="grid gap-0.5 pt-2 pb-3">
            <AdminItems />
            {plugins !== null && <plugins.SidebarPlugins itemLook={itemLook} />}
          </nav>
          <nav aria-label="Reference" className="mt-auto grid gap-0.5 border-sidebar-border border-t py-3">
            <BesideItems />
          </nav>
        </div>
      </aside>
      <div className="flex min-w-0 grow flex-col">
        <AdminBar />
        <main id={contentId} tabIndex={-1} className="w-full grow px-4 py-6 text-sm sm:px-6 lg:px-8">
          {children}
        </main>
      </div>
      <Drawer id={drawerId} label="Admin menu">
        <nav aria-label="Admin menu" className="grid gap-1">
          <AdminItems />
          {plugins !== null && <plugins.SidebarPlugins itemLook={itemLook} />}
        </nav>
        <nav aria-label="Site" className="mt-3 grid gap-1 border-t pt-3">
          {siteMenu.map(({ href, label }) => (
            <NavLink key={href} href={href} className={itemLook}>
              {label}
            </NavLink>
          ))}
        </nav>
        <nav aria-label="Reference" className="mt-3 grid gap-1 border-t pt-3">
          <BesideItems />
        </nav>
      </Drawer>
      {plugins !== null && <plugins.PluginOverlays />}
    </div>
  );
};

/** What plugins add to the frame: code that is fetched once the page is there, and an admin reads it. */
const usePluginParts = () => {
  const { user } = useSession();
  const [parts, setParts] = useState<typeof import("#ui/plugin-host/sidebar-plugins.tsx") | null>(null);
  const isAdmin = user?.role === "admin";
  useEffect(() => {
    if (!isAdmin) return;
    let isGone = false;
    const show: typeof setParts = (loaded) => isGone || setParts(loaded);
    import("#ui/plugin-host/sidebar-plugins.tsx").then(show, (error: unknown) =>
      // The menu is whole without.
      console.warn("the menu of the plugins could not be loaded", error),
    );
    return () => {
      isGone = true;
    };
  }, [isAdmin]);
  return isAdmin ? parts : null;
};

const AdminItems = () => {
  const unread = useUnread();
  return adminMenu.map(({ href, label, Icon }) => (
    <NavLink key={href} href={href} className={itemLook}>
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      <span className="truncate md:collapsed:sr-only">{label}</span>
      {href === "/admin/messages" && unread > 0 && <Unread count={unread} />}
    </NavLink>
  ));
};

const BesideItems = () =>
  besideLinks.map(({ href, label, Icon }) => (
    <a key={href} href={href} data-unless="admin-docs" className={itemLook}>
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      <span className="truncate md:collapsed:sr-only">{label}</span>
    </a>
  ));

const Unread = ({ count }: { count: number }) => (
  <Badge className="ml-auto border-transparent bg-primary text-primary-foreground tabular-nums md:collapsed:sr-only">
    {count}
    <span className="sr-only"> unread</span>
  </Badge>
);

const AdminBar = () => (
  <header className="sticky top-0 z-40 flex h-14 shrink-0 items-center gap-1 border-b bg-background/90 px-4 backdrop-blur-md sm:px-6 lg:px-8">
    <button
      type="button"
      {...control("sidebar")}
      aria-label="Collapse or expand the sidebar"
      className="-ml-2.5 hidden size-9 cursor-pointer place-items-center rounded-md text-muted-foreground hover:bg-accent hover:text-foreground md:grid"
    >
      <PanelLeft aria-hidden="true" className="size-4.5" />
    </button>
    <div className="flex min-w-0 md:hidden">
      <BrandLink />
    </div>
    <nav aria-label="Site" className="hidden md:flex">
      {siteMenu.map(({ href, label }) => (
        <NavLink
          key={href}
          href={href}
          className="inline-flex h-9 items-center rounded-md px-3 font-medium text-muted-foreground text-sm transition-colors hover:text-foreground"
        >
          {label}
        </NavLink>
      ))}
    </nav>
    <div className="ml-auto flex items-center gap-1 md:gap-2">
      <div id={shieldId} />
      <ThemeToggle />
      <UserMenu />
      <DrawerButton id={drawerId} label="Open menu" />
    </div>
  </header>
);
