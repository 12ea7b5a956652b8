import { Button, Group, Modal, Radio, Stack } from "@mantine/core";
import { useMemo, useState } from "react";
import type { ModelDocument } from "../../../sync/calls/models.ts";
import { formatMoment } from "../../../ui/numbers.ts";
import { toast } from "../../../ui/toast.tsx";
import { withIds } from "../document/edit-model.ts";
import { type Clash, mergeModels, type Side } from "../document/merge-models.ts";
import { AuthorName } from "../draft/author-name.tsx";
import { useDraft } from "../draft/use-draft.tsx";
import { ChangeList } from "../parts/change-list.tsx";
import { describeChanges, describeDifference, Words } from "../words/describe-changes.ts";
import classes from "./save.module.css";

interface Props {
  ahead: ModelDocument;
  onClose(): void;
}

/** What they changed, what I changed, and what we both changed: each of those is chosen. */
export function ConflictDialog({ ahead, onClose }: Props) {
  const { base, draft, store } = useDraft();
  const theirs = useMemo(() => withIds(ahead.document), [ahead]);
  const { clashes } = useMemo(() => mergeModels(base, draft, theirs), [base, draft, theirs]);
  const [choices, setChoices] = useState<Record<string, Side>>({});
  const words = new Words(draft, theirs, base);
  const keepMine = () => {
    store.putOnTop(choices);
    onClose();
    toast(`Your changes now lie on top of version ${ahead.version}. They are not in force yet.`);
  };
  const takeTheirs = () => {
    store.takeTheirs();
    onClose();
    toast(`This is version ${ahead.version}, without your changes.`, () => store.undo());
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title="The model was changed by two people"
      size={760}
      padding="xl"
    >
      <div className={classes.both}>
        <section className={classes.side}>
          <h3 className={classes.sideTitle}>
            <AuthorName by={ahead.by} /> changed, {formatMoment(ahead.at)}
          </h3>
          <ChangeList changes={describeChanges(base, theirs)} between={[base, theirs]} />
        </section>
        <section className={classes.side}>
          <h3 className={classes.sideTitle}>You changed, not in force yet</h3>
          <ChangeList changes={describeChanges(base, draft)} between={[base, draft]} />
        </section>
        {clashes.length > 0 && (
          <section className={classes.side}>
            <h3 className={classes.sideTitle}>Both of you changed this</h3>
            {clashes.map((clash) => (
              <ClashChoice
                key={clash.key}
                clash={clash}
                words={words}
                side={choices[clash.key] ?? "mine"}
                onSide={(side) => setChoices({ ...choices, [clash.key]: side })}
              />
            ))}
          </section>
        )}
      </div>
      <Group justify="flex-end" gap="sm" mt="xl">
        <Button variant="default" onClick={takeTheirs}>
          Take theirs, without mine
        </Button>
        <Button onClick={keepMine}>Put mine on top of theirs</Button>
      </Group>
    </Modal>
  );
}

interface ClashProps {
  clash: Clash;
  words: Words;
  side: Side;
  onSide(side: Side): void;
}

function ClashChoice({ clash, words, side, onSide }: ClashProps) {
  const mine = describeDifference(clash.mine, words);
  const theirs = describeDifference(clash.theirs, words);
  const subject = mine?.subject ?? theirs?.subject ?? "The model";
  const property = mine?.detail?.property ?? theirs?.detail?.property;
  const say = (change: typeof mine) => {
    if (change?.detail) return change.detail.after;
    return change?.kind === "removed" ? "removed" : "changed";
  };
  return (
    <Radio.Group
      className={classes.clash ?? ""}
      label={property ? `${subject}: ${property}` : subject}
      description={mine?.detail?.before ? `Before: ${mine.detail.before}` : undefined}
      value={side}
      onChange={(value) => onSide(value as Side)}
    >
      <Stack gap="sm" mt="xs">
        <Radio value="mine" label={`Mine: ${say(mine)}`} />
        <Radio value="theirs" label={`Theirs: ${say(theirs)}`} />
      </Stack>
    </Radio.Group>
  );
}
