import {
  ActionIcon,
  Button,
  type CSSVariablesResolver,
  createTheme,
  Input,
  Kbd,
  type MantineColorsTuple,
  Menu,
  Modal,
  Tooltip,
} from "@mantine/core";
import { uiMessages } from "../messages/en/ui.ts";

/**
 * The Mantine theme. Sizes are multiples of 4 px; there is one accent (petrol), and colours that mean something (live, warning, danger) are never used to decorate.
 * The chrome's own variables are in theme.css.
 */
const petrol: MantineColorsTuple = [
  "#e8f5f7",
  "#cfe8ed",
  "#a3d2dc",
  "#74bccb",
  "#4fb3c6",
  "#2a93a8",
  "#157a8f",
  "#0b6477",
  "#075061",
  "#043c4a",
];

/** Cool greys, darkest last: 0 is text, 4 a line, 6 a raised surface, 7 the panel, 8 the chrome. */
const dark: MantineColorsTuple = [
  "#e4e9ec",
  "#b7c1c8",
  "#9aa7b1",
  "#5d6a74",
  "#333d46",
  "#262e35",
  "#1b2126",
  "#13181c",
  "#0c1013",
  "#07090b",
];

const gray: MantineColorsTuple = [
  "#f7f8f9",
  "#f1f3f5",
  "#e5e9ec",
  "#d5dbe0",
  "#bcc5cc",
  "#98a4ad",
  "#75828c",
  "#55616b",
  "#37424b",
  "#1a2127",
];

const system =
  '-apple-system, "Segoe UI Variable Text", "Segoe UI", Inter, Roboto, "Noto Sans", "Liberation Sans", "Helvetica Neue", Arial, sans-serif';
const mono =
  'ui-monospace, "SF Mono", "Cascadia Mono", "Segoe UI Mono", Menlo, Consolas, "Liberation Mono", monospace';

export const theme = createTheme({
  primaryColor: "petrol",
  primaryShade: { light: 7, dark: 6 },
  colors: { petrol, dark, gray },
  black: "#1a2127",
  autoContrast: true,
  luminanceThreshold: 0.32,
  cursorType: "pointer",
  respectReducedMotion: true,
  defaultRadius: "md",
  fontFamily: system,
  fontFamilyMonospace: mono,
  fontSizes: { xs: "0.75rem", sm: "0.8125rem", md: "0.875rem", lg: "1rem", xl: "1.25rem" },
  lineHeights: { xs: "1.35", sm: "1.45", md: "1.5", lg: "1.5", xl: "1.4" },
  spacing: { xs: "0.25rem", sm: "0.5rem", md: "0.75rem", lg: "1rem", xl: "1.5rem" },
  radius: { xs: "3px", sm: "4px", md: "6px", lg: "10px", xl: "16px" },
  headings: {
    fontFamily: system,
    fontWeight: "620",
    sizes: {
      h1: { fontSize: "1.375rem", lineHeight: "1.3" },
      h2: { fontSize: "1.0625rem", lineHeight: "1.35" },
      h3: { fontSize: "0.9375rem", lineHeight: "1.4" },
      h4: { fontSize: "0.8125rem", lineHeight: "1.45" },
    },
  },
  components: {
    Button: Button.extend({ defaultProps: { size: "sm" } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: "subtle", color: "gray", size: 32 } }),
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: 400, withArrow: false, fz: "xs", events: tooltipEvents() },
    }),
    // The placeholder is a child that a menu may not have; the first item takes the focus instead.
    Menu: Menu.extend({
      defaultProps: { shadow: "md", radius: "lg", offset: 6, withInitialFocusPlaceholder: false },
    }),
    Modal: Modal.extend({
      defaultProps: {
        radius: "lg",
        centered: true,
        shadow: "xl",
        padding: "xl",
        overlayProps: { backgroundOpacity: 0.32 },
        closeButtonProps: {
          // A getter, because the language is loaded later than this module.
          get "aria-label"() {
            return uiMessages.close();
          },
        },
      },
    }),
    // Almost every field of a form is required; the browser says so of one that is empty.
    InputWrapper: Input.Wrapper.extend({ defaultProps: { withAsterisk: false } }),
    Kbd: Kbd.extend({ defaultProps: { size: "xs" } }),
  },
});

function tooltipEvents() {
  return { hover: true, focus: true, touch: false };
}

/** Mantine's own greys for secondary text miss AA on tinted grounds, and its dark tints are next to black; these do not. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-text": "#1a2127",
    "--mantine-color-dimmed": "#55616b",
    "--mantine-color-placeholder": "#6a7680",
    "--mantine-color-default-border": "#d5dbe0",
    "--mantine-color-error": "#b3261e",
    "--mantine-color-red-light-color": "#b3261e",
    "--mantine-color-red-filled": "#b3261e",
    "--mantine-color-red-filled-hover": "#96201a",
    "--mantine-color-anchor": "#0b6477",
  },
  dark: {
    "--mantine-color-text": "#e4e9ec",
    "--mantine-color-dimmed": "#9aa7b1",
    "--mantine-color-placeholder": "#84919b",
    "--mantine-color-default-border": "#333d46",
    "--mantine-color-error": "#ff8f86",
    "--mantine-color-red-light-color": "#ff8f86",
    "--mantine-color-red-filled": "#c92a2a",
    "--mantine-color-red-filled-hover": "#ad2424",
    "--mantine-color-petrol-light": "#12303a",
    "--mantine-color-petrol-light-hover": "#173c48",
    "--mantine-color-petrol-light-color": "#9edbe6",
    "--mantine-color-anchor": "#5cc4d6",
  },
});
