import { Button } from "@mantine/core";
import { IconDeviceMobileCode, IconFingerprint, IconLifebuoy } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import type { Factors } from "../../../../shared/protocol/account.ts";
import { meMessages as messages } from "../../messages/en/me.ts";
import { passkeysSupported } from "../../sync/calls/passkey.ts";
import { rest } from "../../transport/rest/rest.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { formatAgo, formatMoment } from "../../ui/numbers.ts";
import frame from "../../ui/rows.module.css";
import { useRemote } from "../../ui/use-remote.ts";
import type { FactorChange } from "./factor-change.ts";
import { FactorDialog } from "./factor-dialog.tsx";
import { Part } from "./part.tsx";
import { Row } from "./row.tsx";

/** The user's second factors, and adding and removing them. */
export function SecondFactorPart() {
  const { data, problem, reload } = useRemote(() => rest("GET /me/factors"), { on: ["account"] });
  const [change, setChange] = useState<FactorChange | null>(null);
  const [, navigate] = useLocation();
  // Who was led here to add a passkey has just signed in, and is asked for it once.
  useEffect(() => {
    if (!data || !new URLSearchParams(location.search).has("add")) return;
    navigate("/me", { replace: true });
    setChange({ kind: "addPasskey", hasPassword: data.password });
  }, [data, navigate]);
  const close = () => {
    setChange(null);
    reload();
  };
  return (
    <Part title={messages.secondFactor()} text={messages.secondFactorText()}>
      <FormProblem problem={problem} focus={false} />
      {data && <FactorRows factors={data} onChange={setChange} />}
      <FactorDialog change={change} onClose={close} />
    </Part>
  );
}

interface RowsProps {
  factors: Factors;
  onChange: (change: FactorChange) => void;
}

function FactorRows({ factors, onChange }: RowsProps) {
  const { totp, passkeys, recoveryCodes, password: hasPassword } = factors;
  const isOn = totp || passkeys.length > 0;
  return (
    <ul className={frame.rows} aria-label={messages.secondFactors()}>
      {(hasPassword || totp) && (
        <Row
          Icon={IconDeviceMobileCode}
          name={messages.app()}
          about={totp ? messages.appOn() : messages.appOff()}
        >
          <RowButton onClick={() => onChange({ kind: totp ? "removeTotp" : "addTotp" })}>
            {totp ? messages.remove() : messages.setUp()}
          </RowButton>
        </Row>
      )}
      {passkeys.map(({ id, name, createdAt, lastUsed }) => (
        <Row
          key={id}
          Icon={IconFingerprint}
          name={name}
          about={
            lastUsed
              ? messages.passkeyUsed({ added: formatMoment(createdAt), used: formatAgo(lastUsed) })
              : messages.passkeyUnused({ added: formatMoment(createdAt) })
          }
        >
          <RowButton
            aria-label={messages.removePasskeyNamed({ name })}
            onClick={() => onChange({ kind: "removePasskey", id, name, hasPassword })}
          >
            {messages.remove()}
          </RowButton>
        </Row>
      ))}
      <Row
        Icon={IconFingerprint}
        name={passkeys.length > 0 ? messages.anotherPasskey() : messages.passkey()}
        about={passkeysSupported() ? messages.passkeyText() : messages.passkeyUnsupported()}
      >
        <RowButton
          disabled={!passkeysSupported()}
          onClick={() => onChange({ kind: "addPasskey", hasPassword })}
        >
          {messages.add()}
        </RowButton>
      </Row>
      {isOn && hasPassword && (
        <Row
          Icon={IconLifebuoy}
          name={messages.recoveryCodes()}
          about={messages.codesLeft({ count: recoveryCodes })}
        >
          <RowButton onClick={() => onChange({ kind: "renewCodes" })}>
            {messages.newCodes()}
          </RowButton>
        </Row>
      )}
    </ul>
  );
}

const RowButton = Button.withProps({ variant: "default", size: "xs" });
