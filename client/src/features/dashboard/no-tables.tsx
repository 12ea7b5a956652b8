import { Button, Group } from "@mantine/core";
import { IconPlus, IconUserPlus } from "@tabler/icons-react";
import { Link } from "wouter";
import { useAbilities } from "../../state/use-account.ts";
import classes from "./next-steps.module.css";
import { Part } from "./part.tsx";

/** A first screen that has nothing to show says what to do, or who can help. */
export function NoTables() {
  const { rights } = useAbilities();
  if (!rights.includes("model")) {
    return (
      <Part title="Tables">
        <p className={classes.text}>
          Your role has no access to any table. Ask an owner or an admin for another role.
        </p>
      </Part>
    );
  }
  return (
    <Part title="Create your first table">
      <p className={classes.text}>
        Describe what its records are called and which fields they have. The table then appears in
        the sidebar, and its counts and charts here.
      </p>
      <Group gap="sm" mt="md">
        <Button
          component={Link}
          href="/admin/model"
          leftSection={<IconPlus size={16} aria-hidden="true" />}
        >
          Create a table
        </Button>
        {rights.includes("users") && (
          <Button
            component={Link}
            href="/admin/users"
            variant="default"
            leftSection={<IconUserPlus size={16} aria-hidden="true" />}
          >
            Add users
          </Button>
        )}
      </Group>
    </Part>
  );
}
