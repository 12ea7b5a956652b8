import { Button } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { Link } from "wouter";
import type { AdministrativeRight } from "../../../../shared/policy/role.ts";
import { useMe } from "../../state/use-account.ts";
import { Notice } from "../../ui/notice.tsx";
import { rightNames } from "../../ui/right-names.ts";
import { useTitle } from "../../ui/use-title.ts";

/** Says which right is missing and who can grant it, so that the person knows whom to ask. */
export function ForbiddenScreen({ right }: { right: AdministrativeRight }) {
  const { roleName } = useMe();
  useTitle("Not allowed");
  return (
    <Notice
      icon={<IconLock size={28} stroke={1.5} />}
      title="Your role doesn't reach this screen"
      text={
        <>
          It needs the right <strong>{right}</strong> ({rightNames[right]}), which the role{" "}
          <strong>{roleName}</strong> does not have. An owner or an admin can give you a role that
          has it.
        </>
      }
    >
      <Button component={Link} href="/" variant="default">
        Go to the first screen
      </Button>
    </Notice>
  );
}
