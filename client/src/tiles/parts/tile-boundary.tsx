import { Component, type ReactNode } from "react";

interface Props {
  /** The data of the children; rendering is retried when it changes. */
  of: unknown;
  instead: ReactNode;
  children: ReactNode;
}

/** An error boundary around one tile, so that a rendering error does not affect other tiles. */
export class TileBoundary extends Component<Props, { isFailed: boolean }> {
  override state = { isFailed: false };

  static getDerivedStateFromError(): { isFailed: boolean } {
    return { isFailed: true };
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.isFailed && before.of !== this.props.of) this.setState({ isFailed: false });
  }

  override render(): ReactNode {
    return this.state.isFailed ? this.props.instead : this.props.children;
  }
}
