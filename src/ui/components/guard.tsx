import { useEffect, useRef } from "react";
import { Redirect, useLocation, useSearch } from "wouter";
import { PageSlot } from "#ui/lib/lazy-page.tsx";
import { loginPath, wasSignedOut } from "#ui/lib/origin.ts";
import { useSession } from "#ui/lib/session.ts";
import { useHydrated } from "#ui/lib/use-hydrated.ts";
import type { PageRoute } from "#ui/routes.tsx";
import { PageSkeleton } from "./page-skeleton.tsx";

/**
 * The page of a route for those who may see it. Visitors go to the sign-in page, which remembers where they wanted to
 * go, and users without the admin role to their dashboard. Whoever was signed in until now is told so there.
 */
export const Guard = ({ route }: { route: PageRoute }) => {
  const { user } = useSession();
  const [path] = useLocation();
  const search = useSearch();
  const isHydrated = useHydrated();
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
    const state = hadUser.current ? wasSignedOut.mark : null;
    return <Redirect href={loginPath(path + (search && `?${search}`))} state={state} replace />;
  }
  if (route.access === "admin" && user.role !== "admin") return <Redirect href="/dashboard" replace />;
  return page;
};
