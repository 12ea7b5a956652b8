import type { Model } from "../../shared/model/model.ts";
import type { TestInstallation } from "../harness/test-installation.ts";

/** A field whose name, label and options are canaries themselves, and a table that no random role grants. */
export const namedField = {
  name: "kind_cnry900001x",
  label: "Kind cnry900002x",
  type: "select",
  options: [{ value: "cnry900003x", label: "Option cnry900004x", colour: "blue" }],
} as const;
export const hiddenTable = "vault_cnry900005x";

/** A table that nobody of them may read, and a field that some may, both with canaries for names. */
export async function publishNames({ ownerUser }: TestInstallation): Promise<void> {
  const { version, tables } = ownerUser.model;
  const hidden = {
    name: hiddenTable,
    label: `Vault ${hiddenTable}`,
    recordLabel: "Secret",
    display: "name",
    fields: [{ name: "name", label: "Name", type: "text" }],
    columns: ["name"],
    sort: ["name"],
  };
  const named = tables.map((table) =>
    table.name === "incidents" ? { ...table, fields: [...table.fields, namedField] } : table,
  );
  await ownerUser.call("PUT", "/model", { version, tables: [...named, hidden] });
  ownerUser.model = await ownerUser.call<Model>("GET", "/model");
}
