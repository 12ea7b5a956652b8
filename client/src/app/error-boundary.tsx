import { Button, Code, Group } from "@mantine/core";
import { IconBug, IconPlugConnectedX, IconRefresh } from "@tabler/icons-react";
import { Component, type ReactNode } from "react";
import { Notice } from "../ui/notice.tsx";
import { ScreenNotLoaded } from "./lazy-screen.tsx";

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

  override componentDidUpdate(previous: Props) {
    if (this.state.error && previous.resetKey !== this.props.resetKey)
      this.setState({ error: null });
  }

  override componentDidCatch(error: unknown) {
    if (error instanceof ScreenNotLoaded) error.discard();
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    const retry = () => this.setState({ error: null });
    return error instanceof ScreenNotLoaded ? (
      <NotLoaded isOutdated={error.isOutdated} onRetry={retry} />
    ) : (
      <Broken error={error} onRetry={retry} />
    );
  }
}

function NotLoaded({ isOutdated, onRetry }: { isOutdated: boolean; onRetry: () => void }) {
  if (isOutdated) {
    return (
      <Notice
        icon={<IconRefresh size={28} stroke={1.5} />}
        title="A newer version is running"
        text="Reload the page to open this screen. Your edits are safe."
      >
        <Button onClick={() => location.reload()}>Reload the page</Button>
      </Notice>
    );
  }
  return (
    <Notice
      icon={<IconPlugConnectedX size={28} stroke={1.5} />}
      title="This screen could not be loaded"
      text="Check your connection and try again. Your edits are safe."
    >
      <Button onClick={onRetry}>Try again</Button>
    </Notice>
  );
}

function Broken({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Notice
      icon={<IconBug size={28} stroke={1.5} />}
      title="Something went wrong"
      text="Your edits are safe. Try again, or reload the page."
    >
      <Group gap="sm" justify="center">
        <Button onClick={onRetry}>Try again</Button>
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
