import { Component, type ReactNode } from "react";

/** Keeps an error in one page from taking the whole application down. */
export const PageBoundary = ({ children }: { children: ReactNode }) => (
  <Boundary
    fallback={
      <PageFailure
        title="Something went wrong on this page"
        advice="Nothing you saved is lost. Reloading the page usually helps."
        action="Reload page"
        onRetry={() => window.location.reload()}
      />
    }
  >
    {children}
  </Boundary>
);

type BoundaryProps = {
  children: ReactNode;
  /** Shown in its place once it has failed; nothing unless given. */
  fallback?: ReactNode;
};

/** Keeps what fails in a part of the window from taking the rest down. React knows boundaries as classes only. */
export class Boundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? (this.props.fallback ?? null) : this.props.children;
  }
}

type PageFailureProps = { title?: string; advice?: string; action?: string; onRetry: () => void };

/** Stands where a page could not be shown, with the way to try again. */
export const PageFailure = ({
  title = "This page could not be loaded",
  advice = "Check your connection and try again.",
  action = "Try again",
  onRetry,
}: PageFailureProps) => (
  <div role="alert" className="mx-auto grid max-w-md justify-items-center gap-3 px-4 py-24 text-center">
    <h1 className="font-semibold text-xl tracking-tight">{title}</h1>
    <p className="text-muted-foreground">{advice}</p>
    <button
      type="button"
      onClick={onRetry}
      className="mt-2 inline-flex h-11 cursor-pointer items-center rounded-md bg-primary px-5 font-medium text-primary-foreground text-sm hover:bg-primary-hover md:h-9"
    >
      {action}
    </button>
  </div>
);
