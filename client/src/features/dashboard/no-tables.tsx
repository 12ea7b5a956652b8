import { Button, Group } from "@mantine/core";
import { IconPlus, IconUserPlus } from "@tabler/icons-react";
import { Link } from "wouter";
import { dashboardMessages as messages } from "../../messages/en/dashboard.ts";
import { useAbilities } from "../../state/use-account.ts";
import classes from "./next-steps.module.css";
import { Part } from "./part.tsx";

/** Shown without tables: the way to create one, or who can give access. */
export function NoTables() {
  const { rights } = useAbilities();
  if (!rights.includes("model")) {
    return (
      <Part title={messages.tables()}>
        <p className={classes.text}>{messages.noAccess()}</p>
      </Part>
    );
  }
  return (
    <Part title={messages.createFirst()}>
      <p className={classes.text}>{messages.createFirstText()}</p>
      <Group gap="sm" mt="md">
        <Button
          component={Link}
          href="/admin/model"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
        >
          {messages.createTable()}
        </Button>
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
