import { Button, type ButtonProps, type ElementProps } from "@mantine/core";

interface Props extends ButtonProps, ElementProps<"button", keyof ButtonProps> {
  isReady: boolean;
}

/**
 * A button for what was entered in inputs that save when they are left. Pressing it leaves such an input, and that alone may make it
 * ready, or busy: a button that is `disabled` at either end of the press gets no click. This one looks and says that it is
 * disabled, but gets the click, and decides when it comes.
 */
export function ReadyButton({ isReady, onClick, ...button }: Props) {
  return (
    <Button
      {...button}
      data-disabled={!isReady || undefined}
      aria-disabled={!isReady || undefined}
      onClick={(event) => isReady && onClick?.(event)}
    />
  );
}
