import { Button, Group } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { Link } from "wouter";
import { dashboardMessages as messages } from "../../messages/en/dashboard.ts";
import { useAbilities } from "../../state/use-account.ts";
import { AddButton } from "../../ui/add-button.tsx";
import { Hint } from "../../ui/texts.ts";
import { Part } from "./part.tsx";

/** Shown without tables: the way to create one, or who can give access. */
export function NoTables() {
  const { rights } = useAbilities();
  if (!rights.includes("model")) {
    return (
      <Part title={messages.tables()}>
        <Hint>{messages.noAccess()}</Hint>
      </Part>
    );
  }
  return (
    <Part title={messages.createFirst()}>
      <Hint>{messages.createFirstText()}</Hint>
      <Group gap="sm" mt="md">
        <AddButton component={Link} href="/admin/model">
          {messages.createTable()}
        </AddButton>
        {rights.includes("users") && (
          <Button
            component={Link}
            href="/admin/users"
            variant="default"
            leftSection={<IconUserPlus size={16} aria-hidden="true" />}
          >
            {messages.addUsers()}
          </Button>
        )}
      </Group>
    </Part>
  );
}
