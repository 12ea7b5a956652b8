import { Code, Modal, NativeSelect, Text } from "@mantine/core";
import { useState } from "react";
import type {
  CreateApiTokenCall,
  CreatedApiToken,
} from "../../../../shared/protocol/api-tokens.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import { tokensMessages as messages } from "../../messages/en/tokens.ts";
import { rest } from "../../transport/rest/rest.ts";
import { NameInput } from "../../ui/name-input.tsx";
import { OneTimeSecret } from "../../ui/one-time-secret.tsx";
import { SubmitForm } from "../../ui/submit-form.tsx";
import { curlExample, expiryAfter, expiryDays } from "./token-labels.ts";

interface Props {
  opened: boolean;
  roles: readonly RoleInfo[];
  onCreated: () => void;
  onClose: () => void;
}

const DEFAULT_DAYS = 90;

/** Creates an API token and shows it, once. Only its buttons close it then, so that the token is not lost by a click. */
export function CreateTokenDialog({ opened, roles, onCreated, onClose }: Props) {
  const [created, setCreated] = useState<CreatedApiToken | null>(null);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setCreated(null)}
      title={created ? messages.createdTitle() : messages.createTitle()}
      closeOnClickOutside={!created}
      closeOnEscape={!created}
      size={480}
    >
      {created ? (
        <OneTimeSecret
          label={created.name}
          text={messages.createdText()}
          secret={created.token}
          copyLabel={messages.copyToken()}
          onDone={onClose}
        >
          <div>
            <Text size="sm" c="dimmed" mb={4}>
              {messages.example()}
            </Text>
            <Code
              block
              px={12}
              py={8}
              lh={1.5}
              bd="1px solid var(--wf-line)"
              style={{ whiteSpace: "pre-wrap" }}
            >
              {curlExample(created.token)}
            </Code>
          </div>
        </OneTimeSecret>
      ) : (
        <CreateTokenForm
          roles={roles}
          create={async (body) => {
            setCreated(await rest("POST /tokens", { body }));
            onCreated();
          }}
        />
      )}
    </Modal>
  );
}

interface FormProps {
  roles: readonly RoleInfo[];
  create: (call: CreateApiTokenCall) => Promise<void>;
}

function CreateTokenForm({ roles, create }: FormProps) {
  const send = async ({ name = "", role, days }: Record<string, string>) => {
    const expiresAt = expiryAfter(Number(days));
    await create({ name, expiresAt, ...(role && { role }) });
  };
  const offered = roles.filter(({ id }) => id !== "display");
  const expiries = expiryDays.map((days) => ({
    value: String(days),
    label: days === 0 ? messages.never() : messages.inDays({ count: days }),
  }));
  return (
    <SubmitForm send={send} action={messages.create()}>
      <NameInput label={messages.name()} description={messages.nameText()} />
      <NativeSelect
        name="role"
        label={messages.role()}
        description={messages.roleText()}
        data={[
          { value: "", label: messages.myRole() },
          ...offered.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <NativeSelect
        name="days"
        label={messages.expires()}
        defaultValue={String(DEFAULT_DAYS)}
        data={expiries}
      />
    </SubmitForm>
  );
}
