import { routeAt } from "./routes.tsx";

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
