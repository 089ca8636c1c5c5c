import { Component, type ReactNode } from "react";

type Props = { children: ReactNode };

/** Keeps a failing plugin from taking the page down: its part vanishes. React knows boundaries as classes only. */
export class PluginBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children;
  }
}
