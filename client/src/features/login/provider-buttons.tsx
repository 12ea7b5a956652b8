import { Button, Stack, Text } from "@mantine/core";
import { IconBuilding } from "@tabler/icons-react";
import { signInTexts } from "../../../../shared/error-texts/sign-in-texts.ts";
import { addExplanations } from "../../messages/en/explanations.ts";
import { loginMessages as messages } from "../../messages/en/login.ts";
import { rest } from "../../transport/rest/rest.ts";
import { toastProblem } from "../../ui/toast.tsx";
import { useRemote } from "../../ui/use-remote.ts";

addExplanations(signInTexts);

interface Props {
  /** The page to come back to; by default the one that the address names. */
  returnTo?: string;
  /** The token of an invitation that is accepted by it. */
  invitation?: string;
}

/** Sign in with a company account: a button for each provider; nothing if there is none. */
export function ProviderButtons({ returnTo, invitation }: Props) {
  const { data } = useRemote(() => rest("GET /sign-in-methods"));
  const providers = data?.providers ?? [];
  if (providers.length === 0) return null;
  const to = returnTo ?? new URLSearchParams(location.search).get("next") ?? "/";
  const accept = async (provider: string) => {
    const params = { token: invitation ?? "" };
    const answer = await rest("POST /invitations/{token}/sign-in", { params, body: { provider } });
    location.assign(answer.location);
  };
  return (
    <Stack gap="md" mt="md">
      <Text size="sm" c="dimmed" ta="center">
        {messages.or()}
      </Text>
      {providers.map(({ id, name }) =>
        invitation === undefined ? (
          <ProviderButton
            key={id}
            component="a"
            href={`/sign-in/${id}?returnTo=${encodeURIComponent(to)}`}
          >
            {messages.withProvider({ provider: name })}
          </ProviderButton>
        ) : (
          <ProviderButton key={id} onClick={() => void accept(id).catch(toastProblem)}>
            {messages.withProvider({ provider: name })}
          </ProviderButton>
        ),
      )}
    </Stack>
  );
}

/** A long name takes a second line: it is what users choose by. */
const ProviderButton = Button.withProps({
  variant: "default",
  size: "md",
  fullWidth: true,
  h: "auto",
  py: 10,
  styles: { label: { whiteSpace: "normal", textWrap: "balance", lineHeight: 1.4 } },
  leftSection: <IconBuilding size={18} stroke={1.6} />,
});
