import { useEffect } from "react";
import { useLocation } from "wouter";
import { useSession } from "#ui/lib/session.ts";

/** Leads to `target(query)` as soon as somebody is signed in: already on arrival, or by what the page just did. */
export const useLeaveWhenSignedIn = (target: (search: string) => string): void => {
  const { user } = useSession();
  const [, navigate] = useLocation();
  const isSignedIn = user !== null;
  useEffect(() => {
    if (isSignedIn) navigate(target(window.location.search), { replace: true });
  }, [isSignedIn, navigate, target]);
};
