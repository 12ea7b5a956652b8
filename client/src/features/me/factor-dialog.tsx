import { Modal } from "@mantine/core";
import { useState } from "react";
import type { TotpSecret } from "../../../../shared/protocol/factors.ts";
import { meMessages as messages } from "../../messages/en/me.ts";
import { addPasskey } from "../../sync/calls/passkey.ts";
import { rest } from "../../transport/rest/rest.ts";
import { toast } from "../../ui/toast.tsx";
import { useIsMounted } from "../../ui/use-is-mounted.ts";
import type { FactorChange } from "./factor-change.ts";
import { PasswordConfirmForm } from "./password-confirm-form.tsx";
import { RecoveryCodeList } from "./recovery-code-list.tsx";
import { TotpForm } from "./totp-form.tsx";

const titles: Record<FactorChange["kind"], () => string> = {
  addTotp: messages.addAppTitle,
  removeTotp: messages.removeAppTitle,
  addPasskey: messages.addPasskeyTitle,
  removePasskey: messages.removePasskeyTitle,
  renewCodes: messages.newCodesTitle,
};

/** First the password, then what the change needs, then new recovery codes if there are any. */
type Step =
  | { at: "proof" }
  | { at: "totp"; secret: TotpSecret }
  | { at: "codes"; codes: string[]; areSaved: boolean };

interface Props {
  change: FactorChange | null;
  onClose: () => void;
}

export function FactorDialog({ change, onClose }: Props) {
  const [last, setLast] = useState<FactorChange | null>(null);
  const [step, setStep] = useState<Step>({ at: "proof" });
  if (change && change !== last) {
    setLast(change);
    setStep({ at: "proof" });
  }
  // Codes are shown once: a stray click must not close the dialog, and it opens again if it was closed before they came.
  const isDismissible = step.at !== "codes";
  const hasCodes = step.at === "codes" && !step.areSaved;
  return (
    <Modal
      opened={change !== null || hasCodes}
      onClose={onClose}
      title={step.at === "codes" ? messages.saveCodesTitle() : last ? titles[last.kind]() : ""}
      size={460}
      closeOnClickOutside={isDismissible}
      closeOnEscape={isDismissible}
      withCloseButton={isDismissible}
    >
      {last && (
        <StepBody
          key={JSON.stringify(last)}
          change={last}
          step={step}
          onStep={setStep}
          onClose={onClose}
        />
      )}
    </Modal>
  );
}

interface BodyProps {
  change: FactorChange;
  step: Step;
  onStep: (step: Step) => void;
  onClose: () => void;
}

function StepBody({ change, step, onStep, onClose }: BodyProps) {
  // An answer may come after the dialog was closed, and opened for another change.
  const isOpen = useIsMounted();
  const done = (message: string, codes: string[] | null = null) => {
    if (message) toast(message);
    if (codes && codes.length > 0) onStep({ at: "codes", codes, areSaved: false });
    else if (isOpen.current) onClose();
  };
  if (step.at === "codes") {
    const close = () => {
      onStep({ ...step, areSaved: true });
      onClose();
    };
    return <RecoveryCodeList codes={step.codes} onDone={close} />;
  }
  if (step.at === "totp") {
    return (
      <TotpForm secret={step.secret} onConfirmed={(codes) => done(messages.appAdded(), codes)} />
    );
  }
  const runChange = async (password: string, name: string) => {
    switch (change.kind) {
      case "addTotp": {
        const secret = await rest("POST /me/totp", { body: { password } });
        if (isOpen.current) onStep({ at: "totp", secret });
        return;
      }
      case "removeTotp":
        await rest("DELETE /me/totp", { body: { password } });
        done(messages.appRemoved());
        return;
      case "addPasskey": {
        const added = await addPasskey(name, password);
        if (added) done(messages.passkeyAdded({ name: added.name }), added.recoveryCodes);
        return;
      }
      case "removePasskey":
        await rest("DELETE /me/passkeys/{id}", { params: { id: change.id }, body: { password } });
        done(messages.passkeyRemoved({ name: change.name }));
        return;
      case "renewCodes":
        done("", (await rest("POST /me/recovery-codes", { body: { password } })).recoveryCodes);
    }
  };
  return <PasswordConfirmForm change={change} onConfirmed={runChange} />;
}
