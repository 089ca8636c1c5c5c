import {
  Activity,
  Archive,
  BookOpen,
  Code,
  KeyRound,
  LayoutDashboard,
  MessageSquare,
  Puzzle,
  Settings,
  Users,
} from "lucide-react";
import { routes } from "#ui/routes.tsx";

const exists = ({ href }: { href: string }): boolean => routes.some(({ path }) => path === href);

/** Links of the top bar: only pages that exist. */
export const siteMenu = [
  { href: "/", label: "Home" },
  { href: "/about", label: "About" },
  { href: "/contact", label: "Contact" },
].filter(exists);

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
  { href: "/terms", label: "Terms" },
  { href: "/privacy", label: "Privacy" },
  { href: "/cookies", label: "Cookies" },
].filter(exists);

/** Links of the admin sidebar. */
export const adminMenu = [
  { href: "/admin", label: "Overview", Icon: LayoutDashboard },
  { href: "/admin/users", label: "Users", Icon: Users },
  { href: "/admin/messages", label: "Messages", Icon: MessageSquare },
  { href: "/admin/activity", label: "Activity", Icon: Activity },
  { href: "/admin/backups", label: "Backups", Icon: Archive },
  { href: "/admin/tokens", label: "API tokens", Icon: KeyRound },
  { href: "/admin/plugins", label: "Plugins", Icon: Puzzle },
  { href: "/admin/settings", label: "Settings", Icon: Settings },
].filter(exists);
