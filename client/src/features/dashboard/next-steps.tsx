import { Stack, UnstyledButton } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import {
  type Icon,
  IconAdjustments,
  IconCommand,
  IconTable,
  IconUserPlus,
} from "@tabler/icons-react";
import { Link } from "wouter";
import { tableAddress } from "../../../../shared/record-address.ts";
import { dashboardMessages as messages } from "../../messages/en/dashboard.ts";
import { useAccountData } from "../../state/use-account.ts";
import classes from "./next-steps.module.css";
import { Part } from "./part.tsx";

/** Suggested next steps that the user is allowed to take. */
export function NextSteps() {
  const { model, session } = useAccountData();
  const [first] = model.tables;
  return (
    <Part title={messages.getStarted()}>
      <Stack component="ul" gap={2} mx={-8}>
        {first && (
          <Step
            Icon={IconTable}
            href={tableAddress(first.name)}
            title={messages.openTable({ table: first.label })}
            text={messages.openTableText()}
          />
        )}
        {session.abilities.rights.includes("users") && (
          <Step
            Icon={IconUserPlus}
            href="/admin/users"
            title={messages.addUsers()}
            text={messages.addUsersText()}
          />
        )}
        <li>
          <UnstyledButton className={classes.step} onClick={spotlight.open}>
            <StepContent
              Icon={IconCommand}
              title={messages.search()}
              text={messages.searchText()}
            />
          </UnstyledButton>
        </li>
        <Step
          Icon={IconAdjustments}
          href="/me"
          title={messages.preferences()}
          text={messages.preferencesText()}
        />
      </Stack>
    </Part>
  );
}

interface StepProps {
  Icon: Icon;
  title: string;
  text: string;
}

function Step({ href, ...content }: StepProps & { href: string }) {
  return (
    <li>
      <Link href={href} className={classes.step}>
        <StepContent {...content} />
      </Link>
    </li>
  );
}

function StepContent({ Icon, title, text }: StepProps) {
  return (
    <>
      <span className={classes.icon} aria-hidden="true">
        <Icon size={18} stroke={1.6} />
      </span>
      <span className={classes.label}>
        {title}
        <span>{text}</span>
      </span>
    </>
  );
}
