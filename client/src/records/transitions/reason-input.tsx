import { Textarea, type TextareaProps } from "@mantine/core";
import { transitionMessages as messages } from "../../messages/en/transitions.ts";

interface Props extends Pick<TextareaProps, "description" | "error"> {
  value: string;
  onReason(reason: string): void;
  autofocus?: boolean;
}

/** Why a transition is made, as the history will show it. */
export function ReasonInput({ onReason, autofocus, ...rest }: Props) {
  return (
    <Textarea
      {...rest}
      label={messages.reason()}
      autosize
      minRows={2}
      maxLength={2_000}
      data-autofocus={autofocus || undefined}
      onChange={(event) => onReason(event.currentTarget.value)}
    />
  );
}
