import {
  ActionIcon,
  Button,
  type CSSVariablesResolver,
  colorsTuple,
  createTheme,
  Input,
  Kbd,
  Menu,
  Modal,
  Tooltip,
} from "@mantine/core";
import { uiMessages } from "../messages/en/ui.ts";

/** The ten shades of a colour, as variables of ui/palette.css, which the wall has too. */
const ramp = (name: string) =>
  colorsTuple(Array.from({ length: 10 }, (_, shade) => `var(--wf-${name}-${shade})`));

/** A step of the scale of ui/palette.css. */
const font = (px: 12 | 13 | 14 | 16 | 20) => `var(--wf-font-${px})`;
const radius = (px: 4 | 6 | 10) => `var(--wf-radius-${px})`;

/**
 * The Mantine theme. Sizes are multiples of 4 px; there is one accent (petrol), and colours that mean something (live, warning, danger) are never used to decorate.
 */
export const theme = createTheme({
  primaryColor: "petrol",
  primaryShade: { light: 7, dark: 6 },
  colors: { petrol: ramp("petrol"), dark: ramp("dark"), gray: ramp("gray") },
  black: "var(--wf-gray-9)",
  autoContrast: true,
  luminanceThreshold: 0.32,
  cursorType: "pointer",
  respectReducedMotion: true,
  defaultRadius: "md",
  fontFamily: "var(--wf-font)",
  fontFamilyMonospace: "var(--wf-font-mono)",
  fontSizes: { xs: font(12), sm: font(13), md: font(14), lg: font(16), xl: font(20) },
  fontWeights: { regular: "400", medium: "600", bold: "600" },
  lineHeights: { xs: "1.35", sm: "1.45", md: "1.5", lg: "1.5", xl: "1.4" },
  spacing: { xs: "0.25rem", sm: "0.5rem", md: "0.75rem", lg: "1rem", xl: "1.5rem" },
  radius: { xs: radius(4), sm: radius(4), md: radius(6), lg: radius(10), xl: radius(10) },
  headings: {
    fontFamily: "var(--wf-font)",
    fontWeight: "600",
    sizes: {
      h1: { fontSize: font(20), lineHeight: "1.3" },
      h2: { fontSize: font(16), lineHeight: "1.35" },
      h3: { fontSize: font(14), lineHeight: "1.4" },
      h4: { fontSize: font(13), lineHeight: "1.45" },
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
      defaultProps: { shadow: "md", radius: "lg", offset: 8, withInitialFocusPlaceholder: false },
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
export const cssVariables: CSSVariablesResolver = () => {
  const both = {
    "--mantine-color-text": "var(--wf-text)",
    "--mantine-color-dimmed": "var(--wf-text-dim)",
    "--mantine-color-placeholder": "var(--wf-placeholder)",
    "--mantine-color-default-border": "var(--wf-line-strong)",
    "--mantine-color-error": "var(--wf-bad)",
    "--mantine-color-red-light-color": "var(--wf-bad)",
    "--mantine-color-red-filled": "var(--wf-bad-filled)",
    "--mantine-color-red-filled-hover": "color-mix(in srgb, var(--wf-bad-filled), black 15%)",
    "--mantine-color-anchor": "var(--wf-accent-text)",
  };
  const dark = {
    ...both,
    "--mantine-color-petrol-light": "var(--wf-accent-soft)",
    "--mantine-color-petrol-light-hover":
      "color-mix(in srgb, var(--wf-accent-soft), var(--wf-accent) 8%)",
    "--mantine-color-petrol-light-color": "var(--wf-petrol-2)",
  };
  return { variables: {}, light: both, dark };
};
