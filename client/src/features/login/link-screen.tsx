import { Loader } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { tokenOfAddress } from "../../access/token-of-address.ts";
import { loginMessages as messages } from "../../messages/en/login.ts";
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
  const { data, problem } = useRemote(() => read(token));
  if (data) return children(data, token);
  return problem ? (
    <SignInLayout title={invalidTitle} lead={problem}>
      {invalidText}
    </SignInLayout>
  ) : (
    <SignInLayout title={title}>
      <Loader size="sm" aria-label={messages.loading()} />
    </SignInLayout>
  );
}
