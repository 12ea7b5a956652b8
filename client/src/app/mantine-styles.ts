/*
 * The styles of the Mantine components of the first load, and of those that they are built from, in the order of Mantine's
 * complete sheet. Those that only later screens have are in screen-styles.ts. e2e/browser/bundle-size.test.ts fails if the
 * styles of a component are missing.
 */
import "./reset.css";
import "@mantine/core/styles/baseline.layer.css";
import "@mantine/core/styles/global.layer.css";
import "@mantine/core/styles/ScrollArea.layer.css";
import "@mantine/core/styles/UnstyledButton.layer.css";
import "@mantine/core/styles/VisuallyHidden.layer.css";
import "@mantine/core/styles/Paper.layer.css";
import "@mantine/core/styles/Overlay.layer.css";
import "@mantine/core/styles/Popover.layer.css";
import "@mantine/core/styles/Loader.layer.css";
import "@mantine/core/styles/ActionIcon.layer.css";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/core/styles/Group.layer.css";
import "@mantine/core/styles/ModalBase.layer.css";
import "@mantine/core/styles/Input.layer.css";
import "@mantine/core/styles/Text.layer.css";
import "@mantine/core/styles/Button.layer.css";
import "@mantine/core/styles/Code.layer.css";
import "@mantine/core/styles/Drawer.layer.css";
import "@mantine/core/styles/Mark.layer.css";
import "@mantine/core/styles/Kbd.layer.css";
import "@mantine/core/styles/Menu.layer.css";
import "@mantine/core/styles/Modal.layer.css";
import "@mantine/core/styles/Notification.layer.css";
import "@mantine/core/styles/Tooltip.layer.css";
import "@mantine/core/styles/Skeleton.layer.css";
import "@mantine/core/styles/Stack.layer.css";
import "@mantine/notifications/styles.layer.css";
import "@mantine/spotlight/styles.layer.css";
