import type { ReactNode } from "react";
import { SkipLink } from "#ui/components/skip-link.tsx";
import { contentId } from "#ui/lib/use-route-change.ts";
import { SiteFooter } from "./site-footer.tsx";
import { SiteHeader } from "./site-header.tsx";

type SiteShellProps = {
  /** Keeps the footer below the fold, for pages whose content arrives later: it never jumps before the reader's eyes. */
  isTall: boolean;
  children: ReactNode;
};

/** Frame of the public pages and of the dashboard: top bar, content, footer. */
export const SiteShell = ({ isTall, children }: SiteShellProps) => (
  <div className="flex min-h-dvh flex-col">
    <SkipLink />
    <SiteHeader />
    <main
      id={contentId}
      tabIndex={-1}
      className={`flex grow flex-col ${isTall ? "min-h-[calc(100dvh-3.5rem)]" : ""}`}
    >
      {children}
    </main>
    <SiteFooter />
  </div>
);
