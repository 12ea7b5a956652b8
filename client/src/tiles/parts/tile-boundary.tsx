import { Component, type ReactNode } from "react";

interface Props {
  /** What is drawn; when it is another, drawing is tried again. */
  of: unknown;
  instead: ReactNode;
  children: ReactNode;
}

/** A tile that can't be drawn takes no other with it: a wall of twenty goes on with nineteen. */
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
