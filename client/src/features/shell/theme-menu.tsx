import { ActionIcon, Menu, useMantineColorScheme } from "@mantine/core";
import { IconDeviceDesktop, IconMoon, IconSun } from "@tabler/icons-react";
import { shellMessages as messages } from "../../messages/en/shell.ts";
import { schemes } from "../../ui/schemes.ts";

const icons = { light: IconSun, dark: IconMoon, auto: IconDeviceDesktop } as const;

/** Chooses the light, dark or system theme. */
export function ThemeMenu() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Shape = icons[colorScheme];
  const current = schemes.find(({ value }) => value === colorScheme)?.label;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={messages.theme({ theme: current ?? "" })}>
          <Shape size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(value) => setColorScheme(value as typeof colorScheme)}
        >
          {schemes.map(({ value, label }) => (
            <Menu.RadioItem key={value} value={value}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
