import { describe, expect, it } from "vitest";
import type { Model } from "../../../../shared/model/model.ts";
import { administration } from "./navigation.ts";
import { breadcrumbSteps } from "./trail.ts";

const model: Model = {
  version: 1,
  tables: [
    {
      name: "incidents",
      label: "Incidents",
      recordLabel: "incident",
      display: "number",
      columns: [],
      sort: [],
      fields: [],
    },
  ],
};

function words(path: string): string[] {
  return breadcrumbSteps(path, model).map((step) => step.label);
}

describe("the breadcrumb", () => {
  it("names a table as the model labels it, and links to it from a record", () => {
    expect(words("/t/incidents/INC%2F1")).toEqual(["Tables", "Incidents", "…"]);
    expect(breadcrumbSteps("/t/incidents/1", model)[1]?.href).toBe("/t/incidents");
  });
  it("names the board of a table", () => {
    expect(words("/t/incidents/board")).toEqual(["Tables", "Incidents", "Board"]);
  });
  it("names a record once its label is known, and shows no id until then", () => {
    expect(breadcrumbSteps("/t/incidents/1", model, "INC7").at(-1)?.label).toBe("INC7");
  });
  it("names a wallboard, and links back to the list", () => {
    expect(words("/wallboards")).toEqual(["Wallboards"]);
    expect(breadcrumbSteps("/wallboards/b1", model, "Floor 2")).toEqual([
      { label: "Wallboards", href: "/wallboards" },
      { label: "Floor 2" },
    ]);
  });
  it.each([
    ["/changes/c1", "Change sets", "Change set"],
    ["/admin/webhooks/w1", "Webhooks", "Deliveries"],
  ])("names what %s shows once that is known", (path, list, kind) => {
    expect(words(path)).toEqual([list, kind]);
    expect(breadcrumbSteps(path, model, "Mine").map(({ label }) => label)).toEqual([list, "Mine"]);
  });
  it("names the administration screens", () => {
    for (const { href, label } of administration) {
      expect(words(href)).toEqual(["Administration", label()]);
    }
  });
  it("says Not found for a table that is not in the model, and accepts malformed escapes", () => {
    expect(words("/t/secrets")).toEqual(["Not found"]);
    expect(words("/t/%E0%A4%A")).toEqual(["Not found"]);
    expect(words("/t/incidents/%zz")).toEqual(["Not found"]);
  });
});
