import { Group, Text } from "@mantine/core";
import { IconCookieOff } from "@tabler/icons-react";
import { type ReactNode, useEffect, useState } from "react";
import { loginMessages as messages } from "../messages/en/login.ts";
import { type BlockedStorage, findBlockedStorage } from "../transport/storage/browser-storage.ts";
import { Callout } from "./callout.tsx";
import { Mark } from "./mark.tsx";
import { PRODUCT_NAME } from "./product-name.ts";
import classes from "./sign-in-layout.module.css";

interface Props {
  title: string;
  lead?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

/** The layout of screens outside the shell, such as sign-in, set-up and invitations: one column below the product name. */
export function SignInLayout({ title, lead, wide = false, children }: Props) {
  return (
    <main className={classes.page}>
      <div className={classes.column} data-wide={wide || undefined}>
        <Group gap={12} mb={32} fz="xl" fw={600} lts="-0.02em">
          <Mark size={36} />
          <span>{PRODUCT_NAME}</span>
        </Group>
        <Text component="h1" mb={4} fz="var(--wf-font-28)" fw={600} lts="-0.025em" lh={1.25}>
          {title}
        </Text>
        {lead && (
          <Text mb={24} c="dimmed" textWrap="pretty">
            {lead}
          </Text>
        )}
        <BlockedStorageNote />
        {children}
      </div>
    </main>
  );
}

/** Says what does not work because the browser refuses to store it, and what to do; nothing if all is stored. */
function BlockedStorageNote() {
  const [blocked, setBlocked] = useState<BlockedStorage | null>(null);
  useEffect(() => void findBlockedStorage().then(setBlocked), []);
  const text = blocked && textOf(blocked);
  if (!text) return null;
  return (
    <Callout role="status" mb={24}>
      <IconCookieOff size={18} stroke={1.6} aria-hidden="true" style={{ flex: "none" }} />
      <span>{text}</span>
    </Callout>
  );
}

function textOf({ cookies, edits, preferences }: BlockedStorage): string | null {
  if (cookies) return messages.cookiesBlocked({ host: location.host });
  if (edits && preferences) return messages.storageBlocked();
  if (edits) return messages.editsNotStored();
  return preferences ? messages.preferencesNotStored() : null;
}
