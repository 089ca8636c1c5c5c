import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { Redirect, Router, useLocation, useSearch } from "wouter";
import { securityPage } from "#contract/page-paths.ts";
import { Boundary, PageBoundary } from "#ui/components/boundary.tsx";
import { LogoutHost } from "#ui/components/logout-question.tsx";
import { ProofHost } from "#ui/components/proof-host.tsx";
import { Toaster } from "#ui/components/toaster.tsx";
import { probe, useConnection } from "#ui/lib/connection.ts";
import { PageSlot } from "#ui/lib/lazy-page.tsx";
import { loginPath, wasSignedOut } from "#ui/lib/page-token.ts";
import { signOutReason, useSession, useSessionState } from "#ui/lib/session.ts";
import { useSite } from "#ui/lib/site.ts";
import { useRouteChange } from "#ui/lib/use-act.ts";
import { type PageRoute, routeAt, titleOf } from "#ui/routes.tsx";
import { PageSkeleton } from "./components/page-skeleton.tsx";
import { AdminShell } from "./layouts/admin-shell.tsx";
import { SiteShell } from "./layouts/site-shell.tsx";
import { useHydrated } from "./lib/use-load.ts";

type AppProps = {
  /** Called once the page answers to its reader. */
  onReady?: () => void;
  /** The page to render ahead of time; browsers have an address bar. */
  ssrPath?: string;
};

/**
 * The whole application. Markup made ahead of time knows no query, so the first pass in the browser does without it too;
 * any component that reads it (`useSearch`) is rendered again right after.
 */
export const App = ({ onReady, ssrPath }: AppProps) => {
  // A render later: what the first effects have found out, such as the token of the address, is known to the page only then.
  const [isLive, setIsLive] = useState(false);
  useEffect(() => setIsLive(true), []);
  useEffect(() => {
    if (isLive) onReady?.();
  }, [isLive, onReady]);
  return (
    <Router ssrSearch="" {...(ssrPath === undefined ? {} : { ssrPath })}>
      <ConnectionBanner />
      <WatchHost />
      <Gate>
        <CurrentPage />
      </Gate>
      <Toaster />
      <LogoutHost />
      <ProofHost />
    </Router>
  );
};

const CurrentPage = () => {
  const [path] = useLocation();
  const route = routeAt(path);
  useRouteChange(path, titleOf(route, useSite()));
  const page = (
    // Addresses of the same page keep what it holds.
    <PageBoundary key={route.source}>
      <Guard route={route} />
    </PageBoundary>
  );
  if (route.shell === "admin") return <AdminShell>{page}</AdminShell>;
  return <SiteShell isTall={route.access !== "public"}>{page}</SiteShell>;
};

/** Says that the server is out of reach while it is, and goes automatically once it answers again. */
const ConnectionBanner = () => {
  const { isAway } = useConnection();
  return (
    <div role="status" className="sticky top-0 z-50">
      {isAway && (
        <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 bg-warning px-4 py-2 text-sm text-warning-foreground">
          <span>The server cannot be reached. This page retries automatically.</span>
          <button
            type="button"
            onClick={() => void probe()}
            className="min-h-8 cursor-pointer font-medium underline underline-offset-4"
          >
            Try now
          </button>
        </div>
      )}
    </div>
  );
};

const SessionWatch = lazy(async () => ({
  default: (await import("#ui/components/session-watch.tsx")).SessionWatch,
}));

/** The place of what watches over the reader's session, whose code visitors don't load. */
const WatchHost = () => {
  const { user } = useSession();
  const isHydrated = useHydrated();
  if (user === null || !isHydrated) return null;
  return (
    <Boundary>
      <Suspense fallback={null}>
        <SessionWatch user={user} />
      </Suspense>
    </Boundary>
  );
};

/**
 * Holds the application back until it is known who is signed in. Pages from the server bring that answer, so this is
 * seen only where the server could not tell.
 */
const Gate = ({ children }: { children: ReactNode }) => {
  const { status } = useSession();
  if (status === "ready") return children;
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <p role="status" className="text-muted-foreground text-sm">
        Initializing system...
      </p>
    </main>
  );
};

/**
 * The page of a route for those who may see it. Visitors go to the sign-in page, which remembers where they wanted to
 * go, and users without the admin role, or who have to set up a second factor first, to their dashboard. Anyone who was signed in until now is told so there.
 */
const Guard = ({ route }: { route: PageRoute }) => {
  const { user } = useSession();
  const [path] = useLocation();
  const search = useSearch();
  const isHydrated = useHydrated();
  const isOverdue = useSessionState()?.factorRequired?.isOverdue ?? false;
  const hadUser = useRef(false);
  useEffect(() => {
    if (user !== null) hadUser.current = true;
  }, [user]);
  const skeleton = <PageSkeleton shape={route.skeleton} />;
  const page = <PageSlot page={route.page} fallback={skeleton} />;
  if (route.access === "public") return page;
  // Rendered ahead of time there is no reader yet: every signed-in person gets the same bytes.
  if (!isHydrated) return skeleton;
  if (user === null) {
    const state = hadUser.current ? wasSignedOut.mark(signOutReason()) : null;
    return <Redirect href={loginPath(path + (search && `?${search}`))} state={state} replace />;
  }
  if (isOverdue && path !== securityPage) return <Redirect href={securityPage} replace />;
  if (route.access === "admin" && user.role !== "admin") return <Redirect href="/dashboard" replace />;
  return page;
};
