import { Radio } from "@mantine/core";
import { palette } from "../../../../shared/model/palette.ts";
import { colourMessages } from "../../messages/en/colours.ts";
import { meMessages as messages } from "../../messages/en/me.ts";
import { toastProblem } from "../../ui/toast.tsx";
import { UserAvatar } from "../../ui/user-avatar.tsx";
import classes from "./colour-choice.module.css";

interface Props {
  value: string;
  name: string;
  onChange: (colour: string) => Promise<void>;
}

/** The user's colour, shown on their avatar as others will see it. */
export function ColourChoice({ value, name, onChange }: Props) {
  const choose = (colour: string) => {
    onChange(colour).catch(toastProblem);
  };
  return (
    <Radio.Group label={messages.colour()} value={value} onChange={choose}>
      <div className={classes.colours}>
        {palette.map((colour) => (
          <Radio.Card
            key={colour}
            value={colour}
            aria-label={colourMessages[colour]()}
            className={classes.colour}
          >
            <UserAvatar name={name} colour={colour} size={28} decorative />
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
