import type { ReactNode } from "react";
import { isBelowPage, securityPage } from "#contract/page-paths.ts";
import { type OwnTextPath, ownVariant, type Site } from "#contract/site.ts";
import { ownPages } from "#plugins/own-pages.ts";
import { mayBeHome, type PageRoute } from "#ui/lib/define-pages.ts";
import { type LazyPage, lazyPage } from "#ui/lib/lazy-page.tsx";
import { adminTitle, shownSite } from "#ui/lib/site.ts";

export type { PageAccess, PageRoute } from "./lib/define-pages.ts";

const pluginPage = lazyPage(
  async () => (await import("#ui/features/admin/plugins/details/plugin-page.tsx")).AdminPluginPage,
);

const pluginRoute = (path: string): PageRoute => ({
  path,
  title: "Plugin",
  access: "admin",
  shell: "admin",
  skeleton: "table",
  source: "features/admin/plugins/details/plugin-page.tsx",
  page: pluginPage,
});

type AccountPages = typeof import("#ui/features/account/account-pages.tsx");

const accountRoute = (
  path: string,
  title: string,
  pick: (pages: AccountPages) => () => ReactNode,
): PageRoute => ({
  path,
  title,
  access: "user",
  shell: "site",
  skeleton: "profile",
  source: "features/account/account-pages.tsx",
  page: lazyPage(async () => pick(await import("#ui/features/account/account-pages.tsx"))),
});

const legalPage = (path: "/terms" | "/privacy" | "/cookies"): LazyPage =>
  lazyPage(async () => (await import("./features/site/legal/legal-page.tsx")).loadLegalPage(path));

/** All pages. What the navigation offers follows from this list. */
export const routes: readonly PageRoute[] = [
  {
    path: "/",
    title: "Home",
    access: "public",
    shell: "site",
    skeleton: "article",
    source: "features/site/home-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/site/home-page.tsx")).HomePage),
  },
  {
    path: "/about",
    title: "About",
    access: "public",
    shell: "site",
    skeleton: "article",
    source: "features/site/about-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/site/about-page.tsx")).AboutPage),
  },
  {
    path: "/contact",
    title: "Contact",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/contact/contact-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/contact/contact-page.tsx")).ContactPage),
  },
  {
    path: "/terms",
    title: "Terms of Service",
    access: "public",
    shell: "site",
    skeleton: "article",
    source: "features/site/legal/legal-page.tsx",
    page: legalPage("/terms"),
  },
  {
    path: "/privacy",
    title: "Privacy Policy",
    access: "public",
    shell: "site",
    skeleton: "article",
    source: "features/site/legal/legal-page.tsx",
    page: legalPage("/privacy"),
  },
  {
    path: "/cookies",
    title: "Cookie Policy",
    access: "public",
    shell: "site",
    skeleton: "article",
    source: "features/site/legal/legal-page.tsx",
    page: legalPage("/cookies"),
  },
  {
    path: "/login",
    title: "Sign In",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/auth/login-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/auth/login-page.tsx")).LoginPage),
  },
  {
    path: "/register",
    title: "Create Account",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/auth/register-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/auth/register-page.tsx")).RegisterPage),
  },
  {
    path: "/verify",
    title: "Resend Verification",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/auth/verify-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/auth/verify-page.tsx")).VerifyPage),
  },
  {
    path: "/verify-email",
    title: "Verify Email",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/auth/verify-email-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/auth/verify-email-page.tsx")).VerifyEmailPage),
  },
  {
    path: "/invite",
    title: "Invitation",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/auth/invite-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/auth/invite-page.tsx")).InvitePage),
  },
  {
    path: "/email-change",
    title: "Change of Email Address",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/auth/email-change-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/auth/email-change-page.tsx")).EmailChangePage),
  },
  {
    path: "/unlink",
    title: "Unlink a Sign-In Method",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/auth/unlink-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/auth/unlink-page.tsx")).UnlinkPage),
  },
  {
    path: "/forgot-password",
    title: "Forgot Password",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/auth/forgot-password-page.tsx",
    page: lazyPage(
      async () => (await import("#ui/features/auth/forgot-password-page.tsx")).ForgotPasswordPage,
    ),
  },
  {
    path: "/reset-password",
    title: "Reset Password",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/auth/reset-password-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/auth/reset-password-page.tsx")).ResetPasswordPage),
  },
  {
    path: "/setup",
    title: "Set up",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/auth/setup-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/auth/setup-page.tsx")).SetupPage),
  },
  {
    path: "/dashboard",
    title: "Dashboard",
    access: "user",
    shell: "site",
    skeleton: "profile",
    source: "features/account/dashboard-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/account/dashboard-page.tsx")).DashboardPage),
  },
  accountRoute("/account", "Profile", (pages) => pages.ProfilePage),
  accountRoute(securityPage, "Security", (pages) => pages.SecurityPage),
  accountRoute("/account/sessions", "Sessions", (pages) => pages.SessionsPage),
  accountRoute("/account/data", "Your Data", (pages) => pages.DataPage),
  {
    path: "/switch-test",
    title: "Switch Test",
    access: "user",
    shell: "site",
    skeleton: "profile",
    source: "features/switch-test/switch-test-page.tsx",
    page: lazyPage(
      async () => (await import("#ui/features/switch-test/switch-test-page.tsx")).SwitchTestPage,
    ),
  },
  {
    path: "/admin",
    title: "Overview",
    access: "admin",
    shell: "admin",
    skeleton: "cards",
    source: "features/admin/overview-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/admin/overview-page.tsx")).AdminOverviewPage),
  },
  {
    path: "/admin/users",
    title: "Users",
    access: "admin",
    shell: "admin",
    skeleton: "table",
    source: "features/admin/users/users-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/admin/users/users-page.tsx")).AdminUsersPage),
  },
  {
    path: "/admin/messages",
    title: "Messages",
    access: "admin",
    shell: "admin",
    skeleton: "table",
    source: "features/admin/messages/messages-page.tsx",
    page: lazyPage(
      async () => (await import("#ui/features/admin/messages/messages-page.tsx")).AdminMessagesPage,
    ),
  },
  {
    path: "/admin/activity",
    title: "Activity",
    access: "admin",
    shell: "admin",
    skeleton: "table",
    source: "features/admin/activity/activity-page.tsx",
    page: lazyPage(
      async () => (await import("#ui/features/admin/activity/activity-page.tsx")).AdminActivityPage,
    ),
  },
  {
    path: "/admin/backups",
    title: "Backups",
    access: "admin",
    shell: "admin",
    skeleton: "table",
    source: "features/admin/backups/backups-page.tsx",
    page: lazyPage(
      async () => (await import("#ui/features/admin/backups/backups-page.tsx")).AdminBackupsPage,
    ),
  },
  {
    path: "/admin/tokens",
    title: "API tokens",
    access: "admin",
    shell: "admin",
    skeleton: "table",
    source: "features/admin/tokens/tokens-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/admin/tokens/tokens-page.tsx")).AdminTokensPage),
  },
  {
    path: "/admin/plugins",
    title: "Plugins",
    access: "admin",
    shell: "admin",
    skeleton: "table",
    source: "features/admin/plugins/plugins-page.tsx",
    page: lazyPage(
      async () => (await import("#ui/features/admin/plugins/plugins-page.tsx")).AdminPluginsPage,
    ),
  },
  ...[
    "/admin/plugins/*",
    ...["/admin/firewall", "/admin/web-performance-optimization", "/admin/plugin-template"].flatMap(
      (path) => [path, `${path}/*`],
    ),
  ].map(pluginRoute),
  {
    path: "/admin/site",
    title: "Site",
    access: "admin",
    shell: "admin",
    skeleton: "settings",
    source: "features/admin/site/site-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/admin/site/site-page.tsx")).AdminSitePage),
  },
  {
    path: "/admin/settings",
    title: "Settings",
    access: "admin",
    shell: "admin",
    skeleton: "settings",
    source: "features/admin/settings/settings-page.tsx",
    page: lazyPage(
      async () => (await import("#ui/features/admin/settings/settings-page.tsx")).AdminSettingsPage,
    ),
  },
  ...ownPages,
];

/** A page at the path of another, where the site's settings say so with this word. */
export type VariantRoute = PageRoute & { variant: string };

const ownTextRoute = (path: OwnTextPath): VariantRoute => ({
  path,
  variant: ownVariant,
  title: routes.find((route) => route.path === path)?.title ?? "",
  access: "public",
  shell: "site",
  skeleton: "article",
  source: "features/site/own-text-page.tsx",
  page: lazyPage(async () => (await import("#ui/features/site/own-text-page.tsx")).loadOwnTextPage(path)),
});

/** All pages of that kind. */
export const variantRoutes: readonly VariantRoute[] = [
  {
    path: "/",
    variant: "sections",
    title: "Home",
    access: "public",
    shell: "site",
    skeleton: "article",
    source: "features/site/own-home-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/site/own-home-page.tsx")).loadOwnHomePage()),
  },
  ...ownPages.filter(mayBeHome).map((page) => ({ ...page, path: "/", variant: page.path })),
  ...(["/about", "/terms", "/privacy", "/cookies"] as const).map(ownTextRoute),
];

/** What stands at every other address. */
export const notFoundRoute: PageRoute = {
  path: "*",
  title: "Page Not Found",
  access: "public",
  shell: "site",
  skeleton: "article",
  source: "features/site/not-found-page.tsx",
  page: lazyPage(async () => (await import("#ui/features/site/not-found-page.tsx")).NotFoundPage),
};

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
