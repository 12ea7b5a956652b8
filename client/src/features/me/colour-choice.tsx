import { Radio } from "@mantine/core";
import { palette } from "../../../../shared/model/palette.ts";
import { toastProblem } from "../../ui/toast.tsx";
import { UserAvatar } from "../../ui/user-avatar.tsx";
import classes from "./colour-choice.module.css";

interface Props {
  value: string;
  name: string;
  onChange: (colour: string) => Promise<void>;
}

/** My colour, shown as others will see it: on my avatar. */
export function ColourChoice({ value, name, onChange }: Props) {
  const choose = (colour: string) => {
    onChange(colour).catch(toastProblem);
  };
  return (
    <Radio.Group label="Colour" value={value} onChange={choose}>
      <div className={classes.colours}>
        {palette.map((colour) => (
          <Radio.Card key={colour} value={colour} aria-label={colour} className={classes.colour}>
            <UserAvatar name={name} colour={colour} size={28} decorative />
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
