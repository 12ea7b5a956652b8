import { useId } from "react";
import type { Field } from "../../../../shared/model/model.ts";
import classes from "./record.module.css";
import { RecordField, type RecordFormProps } from "./record-field.tsx";
import { type Section, sectionsOf } from "./record-sections.ts";

interface Props extends RecordFormProps {
  fields: readonly Field[];
}

/** The fields of a record in sections, in two columns where there is space for them. */
export function RecordForm({ fields, ...of }: Props) {
  const sections = sectionsOf(fields);
  return (
    <div className={classes.form}>
      {sections.map((section) => (
        <FormSection key={section.name} section={section} isOnly={sections.length === 1} {...of} />
      ))}
    </div>
  );
}

interface SectionProps extends RecordFormProps {
  section: Section;
  isOnly: boolean;
}

function FormSection({ section: { name, label, fields }, isOnly, ...of }: SectionProps) {
  const id = useId();
  return (
    <section
      className={classes.section}
      data-section={name}
      aria-labelledby={isOnly ? undefined : id}
    >
      {!isOnly && (
        <h3 id={id} className={classes.sectionName}>
          {label}
        </h3>
      )}
      {fields.map((field) => (
        <RecordField key={field.name} field={field} {...of} />
      ))}
    </section>
  );
}
