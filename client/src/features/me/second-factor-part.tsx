import { Button } from "@mantine/core";
import { IconDeviceMobileCode, IconFingerprint, IconLifebuoy } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { Factors } from "../../../../shared/protocol/factors.ts";
import { meMessages as messages } from "../../messages/en/me.ts";
import { passkeysSupported } from "../../sync/calls/passkey.ts";
import { rest } from "../../transport/rest/rest.ts";
import cells from "../../ui/cells.module.css";
import { FormProblem } from "../../ui/form-problem.tsx";
import { formatAgo, formatMoment } from "../../ui/numbers.ts";
import frame from "../../ui/rows.module.css";
import { useRemote } from "../../ui/use-remote.ts";
import type { FactorChange } from "./factor-change.ts";
import { FactorDialog } from "./factor-dialog.tsx";
import { Part } from "./part.tsx";
import classes from "./rows.module.css";

/** The user's second factors, and adding and removing them. */
export function SecondFactorPart() {
  const { data, problem, reload } = useRemote(() => rest("GET /me/factors"), { on: ["account"] });
  const [change, setChange] = useState<FactorChange | null>(null);
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
  const { totp, passkeys, recoveryCodes } = factors;
  const isOn = totp || passkeys.length > 0;
  return (
    <ul className={frame.rows} aria-label={messages.secondFactors()}>
      <Row
        icon={<IconDeviceMobileCode size={20} stroke={1.5} aria-hidden="true" />}
        name={messages.app()}
        about={totp ? messages.appOn() : messages.appOff()}
      >
        <RowButton onClick={() => onChange({ kind: totp ? "removeTotp" : "addTotp" })}>
          {totp ? messages.remove() : messages.setUp()}
        </RowButton>
      </Row>
      {passkeys.map(({ id, name, createdAt, lastUsed }) => (
        <Row
          key={id}
          icon={<IconFingerprint size={20} stroke={1.5} aria-hidden="true" />}
          name={name}
          about={
            lastUsed
              ? messages.passkeyUsed({ added: formatMoment(createdAt), used: formatAgo(lastUsed) })
              : messages.passkeyUnused({ added: formatMoment(createdAt) })
          }
        >
          <RowButton
            label={messages.removePasskeyNamed({ name })}
            onClick={() => onChange({ kind: "removePasskey", id, name })}
          >
            {messages.remove()}
          </RowButton>
        </Row>
      ))}
      <Row
        icon={<IconFingerprint size={20} stroke={1.5} aria-hidden="true" />}
        name={passkeys.length > 0 ? messages.anotherPasskey() : messages.passkey()}
        about={passkeysSupported() ? messages.passkeyText() : messages.passkeyUnsupported()}
      >
        <RowButton disabled={!passkeysSupported()} onClick={() => onChange({ kind: "addPasskey" })}>
          {messages.add()}
        </RowButton>
      </Row>
      {isOn && (
        <Row
          icon={<IconLifebuoy size={20} stroke={1.5} aria-hidden="true" />}
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

function Row(props: { icon: ReactNode; name: string; about: string; children: ReactNode }) {
  return (
    <li className={classes.row}>
      {props.icon}
      <div className={cells.lines}>
        <span className={cells.title}>{props.name}</span>
        <span className={cells.detail}>{props.about}</span>
      </div>
      {props.children}
    </li>
  );
}

function RowButton(props: {
  label?: string;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  const { label, disabled = false, onClick, children } = props;
  return (
    <Button
      variant="default"
      size="xs"
      disabled={disabled}
      onClick={onClick}
      {...(label && { "aria-label": label })}
    >
      {children}
    </Button>
  );
}
