import { Button } from "@mantine/core";
import { IconDeviceMobileCode, IconFingerprint, IconLifebuoy } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { Factors } from "../../../../shared/protocol/factors.ts";
import { readMyFactors } from "../../sync/calls/my-security.ts";
import { passkeysSupported } from "../../sync/calls/passkey.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { formatAgo, formatMoment } from "../../ui/numbers.ts";
import { useRemote } from "../../ui/use-remote.ts";
import type { FactorChange } from "./factor-change.ts";
import { FactorDialog } from "./factor-dialog.tsx";
import { Part } from "./part.tsx";
import classes from "./rows.module.css";

const REFRESH_MS = 30_000;

/** What is asked besides the password. Without any it says why one is worth having. */
export function SecondFactorPart() {
  const { data, problem, reload } = useRemote(readMyFactors, REFRESH_MS);
  const [change, setChange] = useState<FactorChange | null>(null);
  const close = () => {
    setChange(null);
    reload();
  };
  return (
    <Part
      title="Second factor"
      text="Asked for besides the password, so that a password somebody else learned opens nothing."
    >
      <FormProblem problem={problem} />
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
    <ul className={classes.rows} aria-label="Second factors">
      <Row
        icon={<IconDeviceMobileCode size={20} stroke={1.5} aria-hidden="true" />}
        name="Authenticator app"
        about={totp ? "On. A new code every 30 seconds." : "Six digits from an app on your phone."}
      >
        <RowButton onClick={() => onChange({ kind: totp ? "removeTotp" : "addTotp" })}>
          {totp ? "Remove" : "Set up"}
        </RowButton>
      </Row>
      {passkeys.map(({ id, name, createdAt, lastUsed }) => (
        <Row
          key={id}
          icon={<IconFingerprint size={20} stroke={1.5} aria-hidden="true" />}
          name={name}
          about={`Passkey since ${formatMoment(createdAt)}, ${
            lastUsed ? `last used ${formatAgo(lastUsed)}` : "not used yet"
          }.`}
        >
          <RowButton
            label={`Remove the passkey ${name}`}
            onClick={() => onChange({ kind: "removePasskey", id, name })}
          >
            Remove
          </RowButton>
        </Row>
      ))}
      <Row
        icon={<IconFingerprint size={20} stroke={1.5} aria-hidden="true" />}
        name={passkeys.length > 0 ? "Another passkey" : "Passkey"}
        about={
          passkeysSupported()
            ? "Your finger, face or PIN on this device. Also signs in without the password."
            : "Needs https, or a browser that knows passkeys."
        }
      >
        <RowButton disabled={!passkeysSupported()} onClick={() => onChange({ kind: "addPasskey" })}>
          Add
        </RowButton>
      </Row>
      {isOn && (
        <Row
          icon={<IconLifebuoy size={20} stroke={1.5} aria-hidden="true" />}
          name="Recovery codes"
          about={`${recoveryCodes} left, for the day when you have nothing else at hand.`}
        >
          <RowButton onClick={() => onChange({ kind: "renewCodes" })}>New codes</RowButton>
        </Row>
      )}
    </ul>
  );
}

function Row(props: { icon: ReactNode; name: string; about: string; children: ReactNode }) {
  return (
    <li className={classes.row}>
      {props.icon}
      <div className={classes.words}>
        <span className={classes.name}>{props.name}</span>
        <span className={classes.about}>{props.about}</span>
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
