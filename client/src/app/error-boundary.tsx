import { Button, Code, Group } from "@mantine/core";
import { IconBug } from "@tabler/icons-react";
import { Component, type ReactNode } from "react";
import { Notice } from "../ui/notice.tsx";

interface Props {
  children: ReactNode;
  /** A new value forgets the failure: the address, so that leaving a broken screen is enough. */
  resetKey?: string;
}

/**
 * Catches what a screen throws while it is drawn. Edits live outside React, in the browser's
 * store, so that trying again or reloading loses none of them; the page says so.
 */
export class ErrorBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate(before: Props) {
    if (this.state.error && before.resetKey !== this.props.resetKey) this.setState({ error: null });
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Notice
        icon={<IconBug size={28} stroke={1.5} />}
        title="This screen stumbled"
        text="Your edits are safe: they are kept apart from what is drawn here. Try again, or reload the page."
      >
        <Group gap="sm" justify="center">
          <Button onClick={() => this.setState({ error: null })}>Try again</Button>
          <Button variant="default" onClick={() => location.reload()}>
            Reload the page
          </Button>
        </Group>
        <Code block mt="lg" ta="left" style={{ maxWidth: "60ch", whiteSpace: "pre-wrap" }}>
          {error.message}
        </Code>
      </Notice>
    );
  }
}
