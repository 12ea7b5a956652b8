import { Button } from "@mantine/core";
import { IconCloudOff } from "@tabler/icons-react";
import type { Ref } from "react";
import { Refusal } from "../../../shared/protocol/errors.ts";
import { gridMessages as messages } from "../messages/en/grid.ts";
import { uiMessages } from "../messages/en/ui.ts";
import { Notice } from "../ui/notice.tsx";
import { problemText } from "../ui/problem-text.ts";

interface Props {
  failure: Refusal;
  /** Of the button, which goes away when it is pressed. */
  buttonRef?: Ref<HTMLButtonElement>;
  onRetry(): void;
}

/** Says why records could not be loaded that the user may read, such as by a query that took too long. */
export function NotLoaded({ failure, buttonRef, onRetry }: Props) {
  return (
    <Notice icon={IconCloudOff} title={messages.notLoaded()} text={problemText(failure)}>
      <Button ref={buttonRef} onClick={onRetry}>
        {uiMessages.tryAgain()}
      </Button>
    </Notice>
  );
}

/** Whether records could not be loaded for another reason than that the user may not read them. */
export function isLoadFailure(failure: unknown): failure is Refusal {
  return failure instanceof Refusal && failure.code !== "forbidden" && failure.code !== "not_found";
}
