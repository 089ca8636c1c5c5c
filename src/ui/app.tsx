import { useEffect } from "react";
import { Router, useLocation } from "wouter";
import { ConnectionBanner } from "#ui/components/connection-banner.tsx";
import { Gate } from "#ui/components/gate.tsx";
import { Guard } from "#ui/components/guard.tsx";
import { LogoutHost } from "#ui/components/logout-host.tsx";
import { PageBoundary } from "#ui/components/page-boundary.tsx";
import { ProofHost } from "#ui/components/proof-host.tsx";
import { Toaster } from "#ui/components/toaster.tsx";
import { useRouteChange } from "#ui/lib/use-route-change.ts";
import { AdminShell } from "./layouts/admin-shell.tsx";
import { SiteShell } from "./layouts/site-shell.tsx";
import { routeAt } from "./routes.tsx";

type AppProps = {
  /** Called once the page answers to its reader. */
  onReady?: () => void;
  /** The page to render ahead of time; browsers have an address bar. */
  ssrPath?: string;
};

/**
 * The whole application. Markup made ahead of time knows no query, so the first pass in the browser does without it too;
 * whoever reads it (`useSearch`) is rendered again right after.
 */
export const App = ({ onReady, ssrPath }: AppProps) => {
  useEffect(() => onReady?.(), [onReady]);
  return (
    <Router ssrSearch="" {...(ssrPath === undefined ? {} : { ssrPath })}>
      <ConnectionBanner />
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
  useRouteChange(path, route.title);
  const page = (
    // Addresses of the same page keep what it holds.
    <PageBoundary key={route.source}>
      <Guard route={route} />
    </PageBoundary>
  );
  if (route.shell === "admin") return <AdminShell>{page}</AdminShell>;
  return <SiteShell isTall={route.access !== "public"}>{page}</SiteShell>;
};
