import { Checkbox, NativeSelect, Table, Text } from "@mantine/core";
import { useState } from "react";
import type { StoredPolicy } from "../../../../shared/protocol/identity-providers.ts";
import type { RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { UserInfo } from "../../../../shared/protocol/users.ts";
import { signInMessages as messages } from "../../messages/en/sign-in.ts";
import { rest } from "../../transport/rest/rest.ts";
import { SubmitForm } from "../../ui/submit-form.tsx";
import { Hint } from "../../ui/texts.ts";
import { toast } from "../../ui/toast.tsx";

interface Props {
  policy: StoredPolicy;
  roles: readonly RoleInfo[];
  users: readonly UserInfo[];
  onSaved: () => void;
}

/** Who signs in how, by role, and who may always use their password. */
export function PolicyForm({ policy, roles, users, onSaved }: Props) {
  const [providerOnly, setProviderOnly] = useState(policy.providerOnly);
  const [secondFactor, setSecondFactor] = useState(policy.secondFactor);
  // No user has the role of displays.
  const ofUsers = roles.filter(({ id }) => id !== "display");
  const owners = users.filter(({ role, status }) => role === "owner" && status === "active");
  const send = async ({ breakGlass = "" }: Record<string, string>) => {
    const body = { providerOnly, secondFactor, breakGlass: breakGlass || null };
    await rest("PUT /sign-in-policy", { body });
    toast(messages.policySaved());
    onSaved();
  };
  const toggled = (list: string[], id: string) =>
    list.includes(id) ? list.filter((one) => one !== id) : [...list, id];
  return (
    <SubmitForm send={send} action={messages.savePolicy()} button={{ w: "fit-content" }}>
      <Hint>{messages.policyText()}</Hint>
      <Table maw={720} verticalSpacing="xs" borderColor="var(--wf-line)">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{messages.role()}</Table.Th>
            <Table.Th>{messages.providerOnly()}</Table.Th>
            <Table.Th>{messages.secondFactor()}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {ofUsers.map(({ id, name }) => (
            <Table.Tr key={id}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>
                <Checkbox
                  aria-label={messages.providerOnlyOf({ role: name })}
                  checked={providerOnly.includes(id)}
                  onChange={() => setProviderOnly(toggled(providerOnly, id))}
                />
              </Table.Td>
              <Table.Td>
                <Checkbox
                  aria-label={messages.secondFactorOf({ role: name })}
                  checked={secondFactor.includes(id)}
                  onChange={() => setSecondFactor(toggled(secondFactor, id))}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {policy.withoutFactor > 0 && (
        <Text c="var(--wf-warn)">{messages.withoutFactor({ count: policy.withoutFactor })}</Text>
      )}
      <NativeSelect
        name="breakGlass"
        label={messages.breakGlass()}
        description={messages.breakGlassText()}
        maw={420}
        defaultValue={policy.breakGlass ?? ""}
        data={[
          { value: "", label: messages.nobody() },
          ...owners.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </SubmitForm>
  );
}
