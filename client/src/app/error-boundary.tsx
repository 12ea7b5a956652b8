import { Button, Code, Group } from "@mantine/core";
import { IconBug, IconPlugConnectedX, IconRefresh } from "@tabler/icons-react";
import { Component, type ReactNode } from "react";
import { appMessages as messages } from "../messages/en/app.ts";
import { Notice } from "../ui/notice.tsx";
import { ScreenNotLoaded } from "./lazy-screen.tsx";

interface Props {
  children: ReactNode;
  /** Clears the error when it changes. The address is used, so that leaving a failed screen is enough. */
  resetKey?: string;
}

/**
 * Catches an error that a screen throws while rendering. Edits are stored outside React, in the browser, so that
 * trying again or reloading loses none of them; the message says so.
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
      <Failed error={error} onRetry={retry} />
    );
  }
}

function NotLoaded({ isOutdated, onRetry }: { isOutdated: boolean; onRetry: () => void }) {
  if (isOutdated) {
    return (
      <Notice icon={IconRefresh} title={messages.newerVersion()} text={messages.newerVersionText()}>
        <Button onClick={() => location.reload()}>{messages.reload()}</Button>
      </Notice>
    );
  }
  return (
    <Notice icon={IconPlugConnectedX} title={messages.notLoaded()} text={messages.notLoadedText()}>
      <Button onClick={onRetry}>{messages.tryAgain()}</Button>
    </Notice>
  );
}

function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <Notice icon={IconBug} title={messages.failed()} text={messages.failedText()}>
      <Group gap="sm" justify="center">
        <Button onClick={onRetry}>{messages.tryAgain()}</Button>
        <Button variant="default" onClick={() => location.reload()}>
          {messages.reload()}
        </Button>
      </Group>
      <Code block mt="lg" ta="left" style={{ maxWidth: "60ch", whiteSpace: "pre-wrap" }}>
        {error.message}
      </Code>
    </Notice>
  );
}
