import { Menu, UnstyledButton } from "@mantine/core";
import { palette } from "../../../../../shared/model/palette.ts";
import { badgeColour } from "../../../ui/fields/badge-colour.ts";
import classes from "./parts.module.css";

const colours = ["gray", ...palette];

interface Props {
  /** What is coloured, for who does not see it. */
  of: string;
  colour: string | undefined;
  onColour(colour: string): void;
}

/** The colour of an option or state: a dot that opens the palette, each colour with its name. */
export function ColourMenu({ of, colour = "gray", onColour }: Props) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton
          className={classes.dotButton ?? ""}
          aria-label={`Colour of ${of}: ${colour}`}
        >
          <span className={classes.dot} style={{ background: badgeColour(colour) }} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={classes.palette ?? ""}>
        {colours.map((one) => (
          <Menu.Item
            key={one}
            leftSection={<span className={classes.dot} style={{ background: badgeColour(one) }} />}
            onClick={() => onColour(one)}
          >
            {one}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
