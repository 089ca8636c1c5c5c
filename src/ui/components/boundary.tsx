import { Component, type ReactNode } from "react";

type BoundaryProps = {
  children: ReactNode;
  /** Stands in its place once it has failed; nothing unless given. */
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
