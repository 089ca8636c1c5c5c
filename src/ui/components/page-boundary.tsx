import type { ReactNode } from "react";
import { Boundary } from "./boundary.tsx";
import { PageFailure } from "./page-failure.tsx";

/** Keeps an error in one page from taking the whole application down. */
export const PageBoundary = ({ children }: { children: ReactNode }) => (
  <Boundary
    fallback={
      <PageFailure
        title="Something went wrong on this page"
        advice="Nothing you saved is lost. Loading the page again usually helps."
        action="Load again"
        onRetry={() => window.location.reload()}
      />
    }
  >
    {children}
  </Boundary>
);
