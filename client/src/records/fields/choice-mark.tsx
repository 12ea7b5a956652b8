import { Text } from "@mantine/core";
import { initialsOf } from "../../ui/initials.ts";
import { userColour } from "../../ui/user-colour.ts";
import { badgeColour } from "./badge-colour.ts";
import type { Choice } from "./choices.ts";
import { LABEL_WAITING } from "./label-waiting.ts";

interface Props {
  kind: "option" | "person" | "plain";
  choice: Choice;
}

/** A choice as in a cell: a badge, a user with avatar, or plain text. */
export function ChoiceMark({ kind, choice }: Props) {
  if (kind === "option") return <OptionBadge label={choice.label} colour={choice.colour} />;
  if (kind === "plain")
    return (
      <Text dir="auto" span inherit truncate>
        {choice.label}
      </Text>
    );
  return <UserMark name={choice.label} colour={choice.colour} />;
}

/** A label, or a bar in its place until it is loaded. */
export function LabelText({ text }: { text: string }) {
  return text === LABEL_WAITING ? <span className="wf-waiting">{text}</span> : text;
}

/** An option as a tinted badge with its word; the colour is never the only sign. */
export function OptionBadge({ label, colour }: { label: string; colour?: string | undefined }) {
  return (
    <span dir="auto" className="wf-badge" style={{ ["--wf-badge" as string]: badgeColour(colour) }}>
      {label}
    </span>
  );
}

/** A user as avatar and name. */
export function UserMark({ name, colour }: { name: string; colour?: string | undefined }) {
  return (
    <span className="wf-user">
      <span
        className="wf-avatar"
        aria-hidden="true"
        style={colour ? { ["--wf-user-colour" as string]: userColour(colour) } : undefined}
      >
        {name === LABEL_WAITING ? "" : initialsOf(name)}
      </span>
      <span dir="auto" className="wf-user-name">
        <LabelText text={name} />
      </span>
    </span>
  );
}
