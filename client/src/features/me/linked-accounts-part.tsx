import { Button, PasswordInput } from "@mantine/core";
import { IconBuilding } from "@tabler/icons-react";
import { useState } from "react";
import { meMessages as messages } from "../../messages/en/me.ts";
import { rest } from "../../transport/rest/rest.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormProblem } from "../../ui/form-problem.tsx";
import { formatAgo, formatMoment } from "../../ui/numbers.ts";
import frame from "../../ui/rows.module.css";
import { SubmitForm } from "../../ui/submit-form.tsx";
import { toast } from "../../ui/toast.tsx";
import { useRemote } from "../../ui/use-remote.ts";
import { Part } from "./part.tsx";
import { Row } from "./row.tsx";

type Task = { kind: "link" | "unlink"; id: string; name: string };

async function load() {
  const [accounts, methods, factors] = await Promise.all([
    rest("GET /me/linked-accounts"),
    rest("GET /sign-in-methods"),
    rest("GET /me/factors"),
  ]);
  return { accounts: accounts.items, providers: methods.providers, hasPassword: factors.password };
}

/** The company accounts by which the user signs in; nothing where there is no provider. */
export function LinkedAccountsPart() {
  const { data, problem, reload } = useRemote(load, { on: ["account"] });
  const [task, setTask] = useState<Task | null>(null);
  if (!data || data.accounts.length + data.providers.length === 0) return null;
  const { accounts, providers, hasPassword } = data;
  const isLinked = (id: string) => accounts.some(({ provider }) => provider === id);
  const open = hasPassword ? providers.filter(({ id }) => !isLinked(id)) : [];
  const close = () => {
    setTask(null);
    reload();
  };
  return (
    <Part title={messages.companyAccounts()} text={messages.companyAccountsText()}>
      <FormProblem problem={problem} focus={false} />
      <ul className={frame.rows} aria-label={messages.companyAccounts()}>
        {accounts.map(({ id, provider, name, createdAt, lastUsed }) => (
          <Row
            key={id}
            Icon={IconBuilding}
            name={name ?? provider}
            about={messages.linkedUsed({
              added: formatMoment(createdAt),
              used: formatAgo(lastUsed),
            })}
          >
            <RowButton onClick={() => setTask({ kind: "unlink", id, name: name ?? provider })}>
              {messages.unlink()}
            </RowButton>
          </Row>
        ))}
        {open.map(({ id, name }) => (
          <Row key={id} Icon={IconBuilding} name={name} about={messages.notLinked()}>
            <RowButton onClick={() => setTask({ kind: "link", id, name })}>
              {messages.link()}
            </RowButton>
          </Row>
        ))}
      </ul>
      {task && <LinkDialog task={task} onClose={close} />}
    </Part>
  );
}

function LinkDialog({ task, onClose }: { task: Task; onClose: () => void }) {
  const isLink = task.kind === "link";
  const send = async ({ password = "" }: Record<string, string>) => {
    if (isLink) {
      const body = { provider: task.id, password, returnTo: "/me" };
      location.assign((await rest("POST /me/linked-accounts", { body })).location);
      return;
    }
    await rest("DELETE /me/linked-accounts/{id}", { params: { id: task.id } });
    toast(messages.unlinked({ name: task.name }));
    onClose();
  };
  const title = isLink ? messages.linkTitle(task) : messages.unlinkTitle(task);
  return (
    <Dialog onClose={onClose} title={title} size={420}>
      <SubmitForm send={send} action={isLink ? messages.link() : messages.unlink()}>
        {isLink && (
          <PasswordInput
            name="password"
            label={messages.yourPassword()}
            visibilityToggleButtonProps={{ "aria-label": messages.showPassword() }}
            autoComplete="current-password"
            data-autofocus
            required
          />
        )}
      </SubmitForm>
    </Dialog>
  );
}

const RowButton = Button.withProps({ variant: "default", size: "xs" });
