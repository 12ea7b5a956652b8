import { UnstyledButton } from "@mantine/core";
import { spotlight } from "@mantine/spotlight";
import {
  type Icon,
  IconAdjustments,
  IconCommand,
  IconTable,
  IconUserPlus,
} from "@tabler/icons-react";
import { Link } from "wouter";
import { useAccountData } from "../../state/use-account.ts";
import { tableAddress } from "../../ui/record-address.ts";
import classes from "./next-steps.module.css";
import { Part } from "./part.tsx";

/** Where to go from here; only what this person may do. */
export function NextSteps() {
  const { model, session } = useAccountData();
  const [first] = model.tables;
  return (
    <Part title="Get started">
      <ul className={classes.list}>
        {first && (
          <Step
            Icon={IconTable}
            href={tableAddress(first.name)}
            title={`Open ${first.label}`}
            text="Type to edit. Others see it at once."
          />
        )}
        {session.abilities.rights.includes("users") && (
          <Step
            Icon={IconUserPlus}
            href="/admin/users"
            title="Add your colleagues"
            text="By a link, or with a password."
          />
        )}
        <li>
          <UnstyledButton className={classes.step} onClick={spotlight.open}>
            <StepContent Icon={IconCommand} title="Jump anywhere" text="Press Ctrl or ⌘ and K." />
          </UnstyledButton>
        </li>
        <Step
          Icon={IconAdjustments}
          href="/me"
          title="Make it yours"
          text="Theme, density, your colour."
        />
      </ul>
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
      <span className={classes.words}>
        {title}
        <span>{text}</span>
      </span>
    </>
  );
}
