import { Loader } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import { tokenOfAddress } from "../../access/token-of-address.ts";
import { loginMessages as messages } from "../../messages/en/login.ts";
import { problemText } from "../../ui/problem-text.ts";
import { SignInLayout } from "../../ui/sign-in-layout.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { useTitle } from "../../ui/use-title.ts";

interface Props<T> {
  title: string;
  /** Reads for whom the link of this page is. */
  read: (token: string) => Promise<T>;
  invalidTitle: string;
  /** What to do when the link is not valid. */
  invalidText: string;
  children: (info: T, token: string) => ReactNode;
}

/** The page of a link that was sent to a user: shows the form for it, or why the link is not valid. */
export function LinkScreen<T>({ title, read, invalidTitle, invalidText, children }: Props<T>) {
  useTitle(title);
  const [token] = useState(() => tokenOfAddress(location) ?? "");
  const { data, problem } = useRemote(() => read(token).then(toValid, toInvalid));
  if (data && "info" in data) return children(data.info, token);
  if (data) {
    return (
      <SignInLayout title={invalidTitle} lead={data.reason}>
        {invalidText}
      </SignInLayout>
    );
  }
  return (
    <SignInLayout title={title} lead={problem}>
      <Loader size="sm" aria-label={messages.loading()} />
    </SignInLayout>
  );
}

const toValid = <T,>(info: T) => ({ info });

/** Where the server failed, nothing is known of the link: it is read again. */
function toInvalid(error: unknown): { reason: string } {
  const isRefused = error instanceof Refusal && error.status < 500 && error.code !== "rate_limited";
  if (!isRefused) throw error;
  return { reason: problemText(error) };
}
