import { isBelowPage } from "#contract/page-paths.ts";
import type { PageSkeletonShape } from "#ui/components/page-skeleton.tsx";
import { type LazyPage, lazyPage } from "#ui/lib/lazy-page.tsx";

/** Who may see a page. Others are led elsewhere: visitors to the sign-in page, users from admin pages to /dashboard. */
export type PageAccess = "public" | "user" | "admin";

/** One page: its address, its frame, and the module with its code. */
export type PageRoute = {
  /** Exact, or with `/*` at its end: then it stands for all addresses below. */
  path: string;
  title: string;
  access: PageAccess;
  shell: "site" | "admin";
  /** Stands where the page will be until its code and its reader are known. */
  skeleton: PageSkeletonShape;
  /** The page's module below src/ui, for the build to find its chunk. */
  source: string;
  page: LazyPage;
};

const pluginPage = lazyPage(
  async () => (await import("#ui/features/admin/plugins/details/plugin-page.tsx")).AdminPluginPage,
);

const pluginRoute = (path: string): PageRoute => ({
  path,
  title: "Plugin · Atrium admin",
  access: "admin",
  shell: "admin",
  skeleton: "table",
  source: "features/admin/plugins/details/plugin-page.tsx",
  page: pluginPage,
});

const legalPage = (path: "/terms" | "/privacy" | "/cookies"): LazyPage =>
  lazyPage(async () => (await import("#ui/features/site/legal/load-legal-page.tsx")).loadLegalPage(path));

/** All pages. What the navigation offers follows from this list. */
export const routes: readonly PageRoute[] = [
  {
    path: "/",
    title: "Atrium: accounts and an admin area, ready to run",
    access: "public",
    shell: "site",
    skeleton: "article",
    source: "features/site/home-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/site/home-page.tsx")).HomePage),
  },
  {
    path: "/about",
    title: "About · Atrium",
    access: "public",
    shell: "site",
    skeleton: "article",
    source: "features/site/about-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/site/about-page.tsx")).AboutPage),
  },
  {
    path: "/contact",
    title: "Contact · Atrium",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/contact/contact-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/contact/contact-page.tsx")).ContactPage),
  },
  {
    path: "/terms",
    title: "Terms of Service · Atrium",
    access: "public",
    shell: "site",
    skeleton: "article",
    source: "features/site/legal/load-legal-page.tsx",
    page: legalPage("/terms"),
  },
  {
    path: "/privacy",
    title: "Privacy Policy · Atrium",
    access: "public",
    shell: "site",
    skeleton: "article",
    source: "features/site/legal/load-legal-page.tsx",
    page: legalPage("/privacy"),
  },
  {
    path: "/cookies",
    title: "Cookie Policy · Atrium",
    access: "public",
    shell: "site",
    skeleton: "article",
    source: "features/site/legal/load-legal-page.tsx",
    page: legalPage("/cookies"),
  },
  {
    path: "/login",
    title: "Sign In · Atrium",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/auth/login-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/auth/login-page.tsx")).LoginPage),
  },
  {
    path: "/register",
    title: "Create Account · Atrium",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/auth/register-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/auth/register-page.tsx")).RegisterPage),
  },
  {
    path: "/verify",
    title: "Resend Verification · Atrium",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/auth/verify-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/auth/verify-page.tsx")).VerifyPage),
  },
  {
    path: "/verify-email",
    title: "Verify Email · Atrium",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/auth/verify-email-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/auth/verify-email-page.tsx")).VerifyEmailPage),
  },
  {
    path: "/forgot-password",
    title: "Forgot Password · Atrium",
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
    title: "Reset Password · Atrium",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/auth/reset-password-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/auth/reset-password-page.tsx")).ResetPasswordPage),
  },
  {
    path: "/setup",
    title: "Set up · Atrium",
    access: "public",
    shell: "site",
    skeleton: "form",
    source: "features/auth/setup-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/auth/setup-page.tsx")).SetupPage),
  },
  {
    path: "/dashboard",
    title: "Dashboard · Atrium",
    access: "user",
    shell: "site",
    skeleton: "profile",
    source: "features/account/dashboard-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/account/dashboard-page.tsx")).DashboardPage),
  },
  {
    path: "/switch-test",
    title: "Switch Test · Atrium",
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
    title: "Overview · Atrium admin",
    access: "admin",
    shell: "admin",
    skeleton: "cards",
    source: "features/admin/overview-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/admin/overview-page.tsx")).AdminOverviewPage),
  },
  {
    path: "/admin/users",
    title: "Users · Atrium admin",
    access: "admin",
    shell: "admin",
    skeleton: "table",
    source: "features/admin/users/users-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/admin/users/users-page.tsx")).AdminUsersPage),
  },
  {
    path: "/admin/messages",
    title: "Messages · Atrium admin",
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
    title: "Activity · Atrium admin",
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
    title: "Backups · Atrium admin",
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
    title: "API tokens · Atrium admin",
    access: "admin",
    shell: "admin",
    skeleton: "table",
    source: "features/admin/tokens/tokens-page.tsx",
    page: lazyPage(async () => (await import("#ui/features/admin/tokens/tokens-page.tsx")).AdminTokensPage),
  },
  {
    path: "/admin/plugins",
    title: "Plugins · Atrium admin",
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
    path: "/admin/settings",
    title: "Settings · Atrium admin",
    access: "admin",
    shell: "admin",
    skeleton: "settings",
    source: "features/admin/settings/settings-page.tsx",
    page: lazyPage(
      async () => (await import("#ui/features/admin/settings/settings-page.tsx")).AdminSettingsPage,
    ),
  },
];

/** What stands at every other address. */
export const notFoundRoute: PageRoute = {
  path: "*",
  title: "Page Not Found · Atrium",
  access: "public",
  shell: "site",
  skeleton: "article",
  source: "features/site/not-found-page.tsx",
  page: lazyPage(async () => (await import("#ui/features/site/not-found-page.tsx")).NotFoundPage),
};

/** The page at a path (no trailing slash), else the "not found" page. */
export const routeAt = (path: string): PageRoute =>
  routes.find((route) => route.path === path) ??
  routes.find((route) => isBelowPage(path, route.path)) ??
  notFoundRoute;

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
