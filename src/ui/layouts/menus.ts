import {
  Activity,
  Archive,
  BookOpen,
  Code,
  KeyRound,
  LayoutDashboard,
  MessageSquare,
  Palette,
  Puzzle,
  Settings,
  Users,
} from "lucide-react";
import type { User } from "#contract/users.ts";
import { ownPages } from "#plugins/own-pages.ts";
import { routes } from "#ui/routes.tsx";
import type { PageAccess } from "../lib/define-pages.ts";

const exists = ({ href }: { href: string }): boolean => routes.some(({ path }) => path === href);

const ownItems = (who: PageAccess) =>
  ownPages.flatMap(({ path: href, access, menu }) =>
    menu === undefined || access !== who ? [] : [{ href, label: menu.label, Icon: menu.Icon ?? Puzzle }],
  );

/** Links of the top bar: only pages that exist. */
export const siteMenu = [
  { href: "/", label: "Home" },
  { href: "/about", label: "About" },
  { href: "/contact", label: "Contact" },
  ...ownItems("public"),
].filter(exists);

/** Links of the account menu, beside those to the dashboard and the admin area. */
export const memberMenu = ownItems("user");

/** Further links of the footer. */
export const quickLinks = [
  { href: "/login", label: "Login" },
  { href: "/register", label: "Register" },
  { href: "/dashboard", label: "Dashboard" },
].filter(exists);

/** The documentation, and the page that describes the API. They are no pages of the application: the browser loads them again. */
export const besideLinks = [
  { href: "/docs", label: "Docs", Icon: BookOpen },
  { href: "/swagger", label: "API", Icon: Code },
] as const;

/** Links to the legal pages. */
export const legalMenu = [
  { name: "terms", label: "Terms" },
  { name: "privacy", label: "Privacy" },
  { name: "cookies", label: "Cookies" },
] as const;

/** The word in `data-unless` for links to what is about the program, by who is reading. */
export const docsWord = (user: User | null): string => (user === null ? "visitor-docs" : "member-docs");

/** Links of the admin sidebar. */
export const adminMenu = [
  { href: "/admin", label: "Overview", Icon: LayoutDashboard },
  { href: "/admin/users", label: "Users", Icon: Users },
  { href: "/admin/messages", label: "Messages", Icon: MessageSquare },
  { href: "/admin/activity", label: "Activity", Icon: Activity },
  { href: "/admin/backups", label: "Backups", Icon: Archive },
  { href: "/admin/tokens", label: "API tokens", Icon: KeyRound },
  ...ownItems("admin"),
  { href: "/admin/plugins", label: "Plugins", Icon: Puzzle },
  { href: "/admin/site", label: "Site", Icon: Palette },
  { href: "/admin/settings", label: "Settings", Icon: Settings },
].filter(exists);
