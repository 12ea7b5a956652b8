import { Menu, UnstyledButton } from "@mantine/core";
import { palette } from "../../../../../shared/model/palette.ts";
import { colourMessages } from "../../../messages/en/colours.ts";
import { modelMessages as messages } from "../../../messages/en/model.ts";
import { badgeColour } from "../../../records/fields/badge-colour.ts";
import classes from "./parts.module.css";

const colours = ["gray", ...palette];

interface Props {
  /** What is coloured, for the accessible name. */
  of: string;
  colour: string | undefined;
  onColour(colour: string): void;
}

/** The colour of an option or state: a dot that opens the palette. */
export function ColourMenu({ of, colour = "gray", onColour }: Props) {
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <UnstyledButton
          className={classes.dotButton ?? ""}
          aria-label={messages.colourOf({ name: of, colour: colourName(colour) })}
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
            {colourName(one)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** A model file can name colours outside the palette. */
function colourName(colour: string): string {
  return colour in colourMessages
    ? colourMessages[colour as keyof typeof colourMessages]()
    : colour;
}
