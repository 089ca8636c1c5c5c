import type { ComponentType } from "react";
import { isBelowPage, securityPage } from "#contract/page-paths.ts";
import { type OwnTextPath, ownVariant, type Site } from "#contract/site.ts";
import { ownPages } from "#plugins/own-pages.ts";
import { type DeclaredPage, mayBeHome, type PageRoute, pageIn } from "#ui/lib/define-pages.ts";
import { adminTitle, shownSite } from "#ui/lib/site.ts";

export type { PageAccess, PageRoute } from "./lib/define-pages.ts";

type AccountPages = typeof import("#ui/features/account/account-pages.tsx");

const accountPage = (
  path: string,
  title: string,
  pick: (pages: AccountPages) => ComponentType,
): DeclaredPage => ({
  path,
  title,
  access: "user",
  source: "account/account-pages.tsx",
  load: async () => pick(await import("#ui/features/account/account-pages.tsx")),
});

const legalPage = (path: "/terms" | "/privacy" | "/cookies") => async (): Promise<ComponentType> =>
  (await import("./features/site/legal/legal-page.tsx")).loadLegalPage(path);

const pages: readonly DeclaredPage[] = [
  {
    path: "/",
    title: "Home",
    access: "public",
    source: "site/home-page.tsx",
    load: async () => (await import("#ui/features/site/home-page.tsx")).HomePage,
  },
  {
    path: "/about",
    title: "About",
    access: "public",
    source: "site/about-page.tsx",
    load: async () => (await import("#ui/features/site/about-page.tsx")).AboutPage,
  },
  {
    path: "/contact",
    title: "Contact",
    access: "public",
    skeleton: "form",
    source: "contact/contact-page.tsx",
    load: async () => (await import("#ui/features/contact/contact-page.tsx")).ContactPage,
  },
  {
    path: "/terms",
    title: "Terms of Service",
    access: "public",
    source: "site/legal/legal-page.tsx",
    load: legalPage("/terms"),
  },
  {
    path: "/privacy",
    title: "Privacy Policy",
    access: "public",
    source: "site/legal/legal-page.tsx",
    load: legalPage("/privacy"),
  },
  {
    path: "/cookies",
    title: "Cookie Policy",
    access: "public",
    source: "site/legal/legal-page.tsx",
    load: legalPage("/cookies"),
  },
  {
    path: "/login",
    title: "Sign In",
    access: "public",
    skeleton: "form",
    source: "auth/login-page.tsx",
    load: async () => (await import("#ui/features/auth/login-page.tsx")).LoginPage,
  },
  {
    path: "/register",
    title: "Create Account",
    access: "public",
    skeleton: "form",
    source: "auth/register-page.tsx",
    load: async () => (await import("#ui/features/auth/register-page.tsx")).RegisterPage,
  },
  {
    path: "/verify",
    title: "Resend Verification",
    access: "public",
    skeleton: "form",
    source: "auth/email-pages.tsx",
    load: async () => (await import("#ui/features/auth/email-pages.tsx")).VerifyPage,
  },
  {
    path: "/verify-email",
    title: "Verify Email",
    access: "public",
    skeleton: "form",
    source: "auth/verify-email-page.tsx",
    load: async () => (await import("#ui/features/auth/verify-email-page.tsx")).VerifyEmailPage,
  },
  {
    path: "/invite",
    title: "Invitation",
    access: "public",
    skeleton: "form",
    source: "auth/invite-page.tsx",
    load: async () => (await import("#ui/features/auth/invite-page.tsx")).InvitePage,
  },
  {
    path: "/email-change",
    title: "Change of Email Address",
    access: "public",
    skeleton: "form",
    source: "auth/link-pages.tsx",
    load: async () => (await import("#ui/features/auth/link-pages.tsx")).EmailChangePage,
  },
  {
    path: "/unlink",
    title: "Unlink a Sign-In Method",
    access: "public",
    skeleton: "form",
    source: "auth/link-pages.tsx",
    load: async () => (await import("#ui/features/auth/link-pages.tsx")).UnlinkPage,
  },
  {
    path: "/forgot-password",
    title: "Forgot Password",
    access: "public",
    skeleton: "form",
    source: "auth/email-pages.tsx",
    load: async () => (await import("#ui/features/auth/email-pages.tsx")).ForgotPasswordPage,
  },
  {
    path: "/reset-password",
    title: "Reset Password",
    access: "public",
    skeleton: "form",
    source: "auth/reset-password-page.tsx",
    load: async () => (await import("#ui/features/auth/reset-password-page.tsx")).ResetPasswordPage,
  },
  {
    path: "/setup",
    title: "Set up",
    access: "public",
    skeleton: "form",
    source: "auth/setup-page.tsx",
    load: async () => (await import("#ui/features/auth/setup-page.tsx")).SetupPage,
  },
  {
    path: "/dashboard",
    title: "Dashboard",
    access: "user",
    source: "account/dashboard-page.tsx",
    load: async () => (await import("#ui/features/account/dashboard-page.tsx")).DashboardPage,
  },
  accountPage("/account", "Profile", (pages) => pages.ProfilePage),
  accountPage(securityPage, "Security", (pages) => pages.SecurityPage),
  accountPage("/account/sessions", "Sessions", (pages) => pages.SessionsPage),
  accountPage("/account/data", "Your Data", (pages) => pages.DataPage),
  {
    path: "/switch-test",
    title: "Switch Test",
    access: "user",
    source: "switch-test/switch-test-page.tsx",
    load: async () => (await import("#ui/features/switch-test/switch-test-page.tsx")).SwitchTestPage,
  },
  {
    path: "/admin",
    title: "Overview",
    access: "admin",
    skeleton: "cards",
    source: "admin/overview-page.tsx",
    load: async () => (await import("#ui/features/admin/overview-page.tsx")).AdminOverviewPage,
  },
  {
    path: "/admin/users",
    title: "Users",
    access: "admin",
    source: "admin/users/users-page.tsx",
    load: async () => (await import("#ui/features/admin/users/users-page.tsx")).AdminUsersPage,
  },
  {
    path: "/admin/messages",
    title: "Messages",
    access: "admin",
    source: "admin/messages/messages-page.tsx",
    load: async () => (await import("#ui/features/admin/messages/messages-page.tsx")).AdminMessagesPage,
  },
  {
    path: "/admin/activity",
    title: "Activity",
    access: "admin",
    source: "admin/activity/activity-page.tsx",
    load: async () => (await import("#ui/features/admin/activity/activity-page.tsx")).AdminActivityPage,
  },
  {
    path: "/admin/backups",
    title: "Backups",
    access: "admin",
    source: "admin/backups/backups-page.tsx",
    load: async () => (await import("#ui/features/admin/backups/backups-page.tsx")).AdminBackupsPage,
  },
  {
    path: "/admin/tokens",
    title: "API tokens",
    access: "admin",
    source: "admin/tokens/tokens-page.tsx",
    load: async () => (await import("#ui/features/admin/tokens/tokens-page.tsx")).AdminTokensPage,
  },
  {
    path: "/admin/plugins",
    title: "Plugins",
    access: "admin",
    source: "admin/plugins/plugins-page.tsx",
    load: async () => (await import("#ui/features/admin/plugins/plugins-page.tsx")).AdminPluginsPage,
  },
  {
    path: "/admin/site",
    title: "Site",
    access: "admin",
    skeleton: "settings",
    source: "admin/site/site-page.tsx",
    load: async () => (await import("#ui/features/admin/site/site-page.tsx")).AdminSitePage,
  },
  {
    path: "/admin/settings",
    title: "Settings",
    access: "admin",
    skeleton: "settings",
    source: "admin/settings/settings-page.tsx",
    load: async () => (await import("#ui/features/admin/settings/settings-page.tsx")).AdminSettingsPage,
  },
];

/** The page of a plugin. Its addresses have one code: what is on show stays when the reader goes from one to another. */
const pluginPage = pageIn("features", {
  path: "/admin/plugins/*",
  title: "Plugin",
  access: "admin",
  source: "admin/plugins/details/plugin-page.tsx",
  load: async () => (await import("#ui/features/admin/plugins/details/plugin-page.tsx")).AdminPluginPage,
});

const pluginRoutes = ["firewall", "web-performance-optimization", "plugin-template"].flatMap((name) =>
  [`/admin/${name}`, `/admin/${name}/*`].map((path) => ({ ...pluginPage, path })),
);

/** All pages. What the navigation offers follows from this list. */
export const routes: readonly PageRoute[] = [
  ...pages.map((page) => pageIn("features", page)),
  pluginPage,
  ...pluginRoutes,
  ...ownPages,
];

/** A page at the path of another, where the site's settings say so with this word. */
export type VariantRoute = PageRoute & { variant: string };

const ownTextRoute = (path: OwnTextPath): VariantRoute => ({
  ...pageIn("features", {
    path,
    title: routes.find((route) => route.path === path)?.title ?? "",
    access: "public",
    source: "site/own-text-page.tsx",
    load: async () => (await import("#ui/features/site/own-text-page.tsx")).loadOwnTextPage(path),
  }),
  variant: ownVariant,
});

const ownHomeRoute: VariantRoute = {
  ...pageIn("features", {
    path: "/",
    title: "Home",
    access: "public",
    source: "site/own-home-page.tsx",
    load: async () => (await import("#ui/features/site/own-home-page.tsx")).loadOwnHomePage(),
  }),
  variant: "sections",
};

/** All pages of that kind. */
export const variantRoutes: readonly VariantRoute[] = [
  ownHomeRoute,
  ...ownPages.filter(mayBeHome).map((page) => ({ ...page, path: "/", variant: page.path })),
  ...(["/about", "/terms", "/privacy", "/cookies"] as const).map(ownTextRoute),
];

/** What stands at every other address. */
export const notFoundRoute: PageRoute = pageIn("features", {
  path: "*",
  title: "Page Not Found",
  access: "public",
  source: "site/not-found-page.tsx",
  load: async () => (await import("#ui/features/site/not-found-page.tsx")).NotFoundPage,
});

/** What browsers call a page: its name, then the site's. */
export const titleOf = ({ path, title, shell }: PageRoute, site: Site): string => {
  if (path === "/") return site.headline;
  return shell === "admin" ? adminTitle(title, site) : `${title} · ${site.name}`;
};

/** The page at a path (no trailing slash), else the "not found" page. */
export const routeAt = (path: string): PageRoute =>
  variantAt(path) ??
  routes.find((route) => route.path === path) ??
  routes.find((route) => isBelowPage(path, route.path)) ??
  notFoundRoute;

const variantAt = (path: string): PageRoute | undefined => {
  const { variants } = shownSite();
  const variant = Object.hasOwn(variants, path) ? variants[path] : undefined;
  return variantRoutes.find((route) => route.path === path && route.variant === variant);
};

/** Fetches a page's code as soon as its link is pointed at, touched or focused. */
export const prefetchOnIntent = (): void => {
  for (const intent of ["pointerover", "touchstart", "focusin"]) {
    document.addEventListener(intent, prefetch, { passive: true });
  }
};

/** Fetches the code of the page at a path. */
export const prefetchPage = (path: string): void => void routeAt(path).page.load();

const prefetch = ({ target }: Event) => {
  const link = target instanceof Element ? target.closest("a") : null;
  if (link === null || link.origin !== location.origin || link.pathname.startsWith("/api/")) return;
  prefetchPage(link.pathname);
};
