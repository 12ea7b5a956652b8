import { Radio } from "@mantine/core";
import type { SetupCall } from "../../../../shared/protocol/session.ts";
import classes from "./template-cards.module.css";
import { EmptyPreview, OrdersStockPreview, ServiceDeskPreview } from "./template-previews.tsx";

type Template = SetupCall["template"];

const templates = [
  {
    value: "service-desk",
    label: "Service desk",
    text: "Incidents, groups, people and services with real-looking work in them. See at once how it feels.",
    Preview: ServiceDeskPreview,
  },
  {
    value: "orders-stock",
    label: "Orders & stock",
    text: "Orders with their lines, products, customers and suppliers. Another shape of the same thing.",
    Preview: OrdersStockPreview,
  },
  {
    value: "empty",
    label: "Empty",
    text: "No tables. For those who know what they want to put in.",
    Preview: EmptyPreview,
  },
] as const;

/** What the first tables are, as cards with a small picture each. */
export function TemplateCards(props: { value: Template; onChange: (value: Template) => void }) {
  return (
    <Radio.Group
      label="Start with"
      size="md"
      value={props.value}
      onChange={(value) => props.onChange(value as Template)}
    >
      <div className={classes.cards}>
        {templates.map(({ value, label, text, Preview }) => (
          <Radio.Card key={value} value={value} className={classes.card} aria-label={label}>
            <Preview />
            <span className={classes.words}>
              <span className={classes.label}>
                <Radio.Indicator size="xs" />
                {label}
              </span>
              <span className={classes.text}>{text}</span>
            </span>
          </Radio.Card>
        ))}
      </div>
    </Radio.Group>
  );
}
