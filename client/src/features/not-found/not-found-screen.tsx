import { Button } from "@mantine/core";
import { IconMapOff } from "@tabler/icons-react";
import { Link, useLocation } from "wouter";
import { Notice } from "../../ui/notice.tsx";
import { useTitle } from "../../ui/use-title.ts";

/** Nothing is at this address, or nothing that this person may know of: the answer is the same. */
export function NotFoundScreen() {
  const [path] = useLocation();
  useTitle("Not found");
  return (
    <Notice
      icon={<IconMapOff size={28} stroke={1.5} />}
      title="There is nothing here"
      text={
        <>
          <code>{path}</code> does not exist, or you may not see it. Check the address, or start
          from a table in the sidebar.
        </>
      }
    >
      <Button component={Link} href="/">
        Go to the first screen
      </Button>
    </Notice>
  );
}
