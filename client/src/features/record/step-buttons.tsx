import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { recordMessages as messages } from "../../messages/en/record.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import type { Neighbours } from "./use-neighbours.ts";

interface Props {
  neighbours: Neighbours;
  onStep(step: 1 | -1): void;
}

/** The buttons to the previous and the next record. Where there is none they say why, and stay focusable. */
export function StepButtons({ neighbours, onStep }: Props) {
  const { previous, next } = neighbours;
  const reason = (atEnd: string) => (previous || next ? atEnd : messages.noNeighbours());
  return (
    <>
      <StepButton
        label={messages.previous()}
        reason={previous ? null : reason(messages.isFirst())}
        Icon={IconChevronUp}
        onClick={() => onStep(-1)}
      />
      <StepButton
        label={messages.next()}
        reason={next ? null : reason(messages.isLast())}
        Icon={IconChevronDown}
        onClick={() => onStep(1)}
      />
    </>
  );
}

interface StepButtonProps {
  label: string;
  /** Why there is no such record. */
  reason: string | null;
  Icon: typeof IconChevronUp;
  onClick(): void;
}

function StepButton({ label, reason, Icon, onClick }: StepButtonProps) {
  return (
    <IconButton
      label={label}
      tooltip={reason ?? label}
      size={30}
      data-disabled={reason !== null || undefined}
      aria-disabled={reason !== null}
      aria-description={reason ?? undefined}
      onClick={onClick}
    >
      <Icon size={18} />
    </IconButton>
  );
}
