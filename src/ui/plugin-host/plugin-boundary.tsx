import { Component, type ReactNode } from "react";

type Props = {
  children: ReactNode;
  /** Stands in its place once it has failed; nothing unless given. */
  fallback?: ReactNode;
};

/** Keeps a failing plugin from taking the page down: its part vanishes. React knows boundaries as classes only. */
export class PluginBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? (this.props.fallback ?? null) : this.props.children;
  }
}
