import { useEffect, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { holdHistory } from "./history-guard.ts";

/** Whether someone is on the way out, and what to do about it. */
export type LeaveGuard = { isAsking: boolean; stay: () => void; leave: () => void };

type WayOut = { go: () => void };

/**
 * Holds anyone who leaves the page back while `isHeld`: by link, back or forward the caller is to ask, and calls `leave` or
 * `stay`; for closing or reloading the tab the browser asks in its own words. Addresses of the same path are no leaving,
 * and neither is what the application does automatically, such as going to the sign-in page when the session has ended.
 */
export const useLeaveGuard = (isHeld: boolean): LeaveGuard => {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const [wayOut, setWayOut] = useState<WayOut | null>(null);
  const isLeaving = useRef(false);
  const own = useRef("");
  useEffect(() => {
    own.current = path + (search && `?${search}`);
  }, [path, search]);

  useEffect(() => {
    if (!isHeld) return;
    isLeaving.current = false;

    const onClick = (event: MouseEvent) => {
      const link = wantedLink(event);
      if (link === null || link.pathname === path) return;
      event.preventDefault();
      event.stopPropagation();
      setWayOut({ go: () => navigate(`${link.pathname}${link.search}${link.hash}`) });
    };

    const onPopState = (event: PopStateEvent) => {
      if (isLeaving.current || location.pathname === path) return;
      // The address has changed already. The router, which listens later, must not hear of it until it is decided.
      event.stopImmediatePropagation();
      history.pushState(null, "", own.current);
      setWayOut({ go: () => history.back() });
    };

    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();

    const { scrollRestoration } = history;
    // Else the browser scrolls to where the other page was, although this one stays.
    history.scrollRestoration = "manual";
    document.addEventListener("click", onClick, true);
    const release = holdHistory(onPopState);
    window.addEventListener("beforeunload", onUnload);
    return () => {
      history.scrollRestoration = scrollRestoration;
      document.removeEventListener("click", onClick, true);
      release();
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [isHeld, path, navigate]);

  return {
    isAsking: wayOut !== null,
    stay: () => setWayOut(null),
    leave: () => {
      isLeaving.current = true;
      setWayOut(null);
      wayOut?.go();
    },
  };
};

/** The link that a press follows within this tab and application; `null` for anything else. */
const wantedLink = (event: MouseEvent): HTMLAnchorElement | null => {
  const { target, button, ctrlKey, metaKey, altKey, shiftKey } = event;
  if (button !== 0 || ctrlKey || metaKey || altKey || shiftKey) return null;
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;
  if (link === null || link.target === "_blank" || link.hasAttribute("download")) return null;
  return link.origin === location.origin && !link.pathname.startsWith("/api/") ? link : null;
};
