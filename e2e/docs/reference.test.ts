import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { GRACE_SHARE, WORK_SHARE } from "../../server/start-server.ts";
import {
  FILTER_MAX_DEPTH,
  FILTER_MAX_TERMS,
  FILTER_MAX_VALUES,
  filterSchema,
} from "../../shared/filter/filter.ts";
import { defaultLimits } from "../../shared/limits.ts";
import { kindOfType } from "../../shared/model/field-types.ts";
import { modelSchema } from "../../shared/model/model-schema.ts";
import { workflowSchema } from "../../shared/model/workflow.ts";
import { repositoryRoot } from "../suite/run-tool.ts";
import { blocks } from "./reference/blocks.ts";
import { generatedGuides } from "./reference/with-blocks.ts";

const guide = (name: string) => readFileSync(`${repositoryRoot}/docs/guides/${name}.md`, "utf8");

describe("generated references", () => {
  it("are current: npm run docs would change nothing", () => {
    const guides = generatedGuides();
    for (const { path, text, current } of guides) expect(text, path).toBe(current);
    const used = guides.flatMap(({ text }) =>
      [...text.matchAll(/<!-- generated: ([\w ]+) -->/g)].map(([, name]) => name),
    );
    expect(used.sort()).toEqual(Object.keys(blocks).sort());
  });
});

/** The properties in the tables of a section, whatever else is in their rows. */
function listed(text: string, heading: string): string[] {
  const [, section = ""] =
    new RegExp(`^## ${heading}\\n([\\s\\S]*?)(?=^## |$(?![\\s\\S]))`, "m").exec(text) ?? [];
  return [...section.matchAll(/^\| ((?:`\w+`(?:, )?)+)/gm)].flatMap(([, cell = ""]) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name),
  );
}

const schemaOptions = { io: "input" as const, metadata: z.registry<{ id?: string }>() };

interface Shape {
  properties: Record<string, { items: Shape } & Shape>;
}

describe("the model file's guide", () => {
  const text = guide("model-file");
  const { tables } = (z.toJSONSchema(modelSchema, schemaOptions) as unknown as Shape).properties;
  const { fields, workflow } = tables?.items.properties ?? {};

  it("lists every property and type of the schema, and no other", () => {
    const names = (shape: Shape | undefined) => Object.keys(shape?.properties ?? {});
    expect(listed(text, "A table").sort()).toEqual(names(tables?.items).sort());
    const ofField = [...names(fields?.items), ...Object.keys(kindOfType)];
    expect(listed(text, "A field").sort()).toEqual(ofField.sort());
    const { states, transitions } = workflow?.properties ?? {};
    const ofWorkflow = [...names(states?.items), ...names(transitions?.items)];
    expect(listed(text, "A workflow").sort()).toEqual(ofWorkflow.sort());
  });

  it("has the digits that a number may have", () => {
    const scale = fields?.items.properties.scale as unknown as Record<string, number> | undefined;
    const { minimum, maximum } = scale ?? {};
    expect(text).toContain(`digits after the point, ${minimum} to ${maximum}, default 2`);
  });

  it("has examples that the schema accepts", () => {
    const examples = [...text.matchAll(/^```json( model)?\n([\s\S]*?)^```/gm)];
    expect(examples.length).toBeGreaterThan(1);
    for (const [, isModel, example = ""] of examples) {
      const schema = isModel ? modelSchema : workflowSchema;
      expect(schema.safeParse(JSON.parse(example)).error).toBeUndefined();
    }
  });
});

it("the filters' guide has examples that the schema accepts, and the limits of the code", () => {
  const text = guide("filters");
  for (const [, example = ""] of text.matchAll(/^```json\n([\s\S]*?)^```/gm)) {
    expect(filterSchema.safeParse(JSON.parse(example)).error).toBeUndefined();
  }
  const values = FILTER_MAX_VALUES.toLocaleString("en");
  expect(text).toContain(`${FILTER_MAX_DEPTH} levels, ${FILTER_MAX_TERMS} terms, ${values} values`);
});

it("the guide on running has the times that a stop takes", () => {
  const text = guide("running").replaceAll("\n", " ");
  const seconds = defaultLimits.STOP_TIMEOUT_MS / 1_000;
  expect(text).toContain(`they have ${GRACE_SHARE * seconds} seconds to finish`);
  expect(text).toContain(`all other work has until second ${WORK_SHARE * seconds}`);
  expect(text).toContain(`After ${seconds} seconds (\`WATCHFLOOR_STOP_TIMEOUT_MS\`)`);
});
