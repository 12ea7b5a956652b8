import { IconCookieOff } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { loginMessages as messages } from "../messages/en/login.ts";
import { type BlockedStorage, findBlockedStorage } from "../transport/storage/browser-storage.ts";
import { Callout } from "./callout.tsx";

/** Says what does not work because the browser refuses to store it, and what to do; nothing if all is stored. */
export function BlockedStorageNote() {
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
