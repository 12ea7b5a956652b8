import { Button } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { Link } from "wouter";
import type { AdministrativeRight } from "../../../../shared/policy/role.ts";
import { rightNames } from "../../access/right-names.ts";
import { notFoundMessages as messages } from "../../messages/en/not-found.ts";
import { richText } from "../../messages/rich-text.tsx";
import { useMe } from "../../state/use-account.ts";
import { Notice } from "../../ui/notice.tsx";
import { useTitle } from "../../ui/use-title.ts";

/** Names the missing right and who can grant it. */
export function ForbiddenScreen({ right }: { right: AdministrativeRight }) {
  const { roleName } = useMe();
  useTitle(messages.notAllowed());
  return (
    <Notice
      icon={IconLock}
      title={messages.noAccess()}
      text={richText(messages.noAccessText({ rightName: rightNames[right], role: roleName }), {
        b: (content) => <strong>{content}</strong>,
      })}
    >
      <Button component={Link} href="/" variant="default">
        {messages.back()}
      </Button>
    </Notice>
  );
}
