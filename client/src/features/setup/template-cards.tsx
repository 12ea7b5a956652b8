import { Group, Radio, Stack } from "@mantine/core";
import type { SetupCall } from "../../../../shared/protocol/session.ts";
import { setupMessages as messages } from "../../messages/en/setup.ts";
import { Hint } from "../../ui/texts.ts";
import classes from "./template-cards.module.css";
import { EmptyPreview, OrdersStockPreview, ServiceDeskPreview } from "./template-previews.tsx";

type Template = SetupCall["template"];

const templates = [
  {
    value: "service-desk",
    label: messages.serviceDesk,
    text: messages.serviceDeskText,
    Preview: ServiceDeskPreview,
  },
  {
    value: "orders-stock",
    label: messages.orders,
    text: messages.ordersText,
    Preview: OrdersStockPreview,
  },
  {
    value: "empty",
    label: messages.empty,
    text: messages.emptyText,
    Preview: EmptyPreview,
  },
] as const;

/** The templates to start with, as cards with a small picture each. */
export function TemplateCards(props: { value: Template; onChange: (value: Template) => void }) {
  return (
    <Radio.Group
      label={messages.startWith()}
      size="md"
      value={props.value}
      onChange={(value) => props.onChange(value as Template)}
    >
      <div className={classes.cards}>
        {templates.map(({ value, label, text, Preview }) => (
          <Radio.Card key={value} value={value} className={classes.card} aria-label={label()}>
            <Preview />
            <Stack component="span" gap={4} p={12}>
              <Group component="span" gap={8} wrap="nowrap" fw={600}>
                <Radio.Indicator size="xs" />
                {label()}
              </Group>
              <Hint span lh={1.45}>
                {text()}
              </Hint>
            </Stack>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
