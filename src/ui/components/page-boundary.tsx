import { Component, type ReactNode } from "react";
import { PageFailure } from "./page-failure.tsx";

type Props = { children: ReactNode };

/** Keeps an error in one page from taking the whole application down. React knows boundaries as classes only. */
export class PageBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <PageFailure
        title="Something went wrong on this page"
        advice="Nothing you saved is lost. Loading the page again usually helps."
        action="Load again"
        onRetry={() => window.location.reload()}
      />
    );
  }
}
