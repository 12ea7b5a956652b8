import { createRandom } from "../../../shared/random.ts";
import type { SeedRecord } from "../../store/seed.ts";

/** The records of "Orders & stock", the same at every set-up except for their dates, which are around now. */

const ORDERS = 60;
const HOUR_MS = 3_600_000;

const suppliers = [
  ["Nordholz", "Oslo"],
  ["Atelier Vidal", "Porto"],
  ["Becker & Söhne", "Berlin"],
] as const;
const customers = [
  ["Harbour Café", "Lisbon"],
  ["Studio Lind", "Oslo"],
  ["Praxis Dr. Amann", "Berlin"],
  ["Bookshop Pena", "Porto"],
  ["Kita Sonnenhof", "Berlin"],
  ["Hotel Miramar", "Lisbon"],
] as const;
const products = [
  ["CHR-0001", "Chair, oak", "129.00", 42, 10],
  ["CHR-0002", "Chair, stackable", "64.50", 8, 20],
  ["TBL-0001", "Table, 160 cm", "489.00", 12, 4],
  ["TBL-0002", "Side table", "149.90", 0, 5],
  ["LMP-0001", "Desk lamp", "79.00", 65, 15],
  ["LMP-0002", "Floor lamp", "189.00", 7, 6],
  ["SHL-0001", "Shelf, three boards", "219.00", 19, 8],
  ["SOF-0001", "Sofa, two seats", "1190.00", 3, 2],
] as const;
const states = ["Draft", "Placed", "Shipped", "Delivered", "Delivered", "Cancelled"] as const;

export function ordersStockSeed(now: Date): SeedRecord[] {
  const random = createRandom(20_261_122).below;
  return [
    ...suppliers.map(([name, city], at) => party("suppliers", `supplier-${at + 1}`, name, city)),
    ...customers.map(([name, city], at) => party("customers", `customer-${at + 1}`, name, city)),
    ...products.map(([sku, name, price, stock, reorder_at], at) => ({
      table: "products",
      id: sku,
      values: { sku, name, price, stock, reorder_at, supplier: `supplier-${1 + (at % 3)}` },
    })),
    ...Array.from({ length: ORDERS }, (_, at) => order(at, now, random)).flat(),
  ];
}

function party(table: string, id: string, name: string, city: string): SeedRecord {
  return { table, id, values: { name, city } };
}

/** An order and its lines; its total is theirs. */
function order(at: number, now: Date, random: (below: number) => number): SeedRecord[] {
  const id = `order-${at + 1}`;
  const state = states[at % states.length] as (typeof states)[number];
  const ordered = now.getTime() - (2 + random(24 * 30)) * HOUR_MS;
  const isShipped = state === "Shipped" || state === "Delivered";
  const lines = Array.from({ length: 1 + random(3) }, (_, place): SeedRecord => {
    const [sku, , price] = products[random(products.length)] as (typeof products)[number];
    const values = { order: id, product: sku, quantity: 1 + random(6), price };
    return { table: "order_lines", id: `${id}-line-${place + 1}`, values };
  });
  const cents = lines.reduce((sum, { values }) => sum + inCents(values), 0);
  const values = {
    state,
    customer: `customer-${1 + random(customers.length)}`,
    ordered_at: state === "Draft" ? null : iso(ordered),
    shipped_at: isShipped ? iso(ordered + (1 + random(48)) * HOUR_MS) : null,
    total: (cents / 100).toFixed(2),
  };
  return [{ table: "orders", id, values }, ...lines];
}

function inCents({ quantity, price }: SeedRecord["values"]): number {
  return Number(quantity) * Math.round(Number(price) * 100);
}

function iso(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}+00:00`;
}
