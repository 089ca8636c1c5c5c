import { FingerprintPattern } from "lucide-react";
import { useEffect, useState } from "react";
import { Alert } from "#ui/components/ui/alert.tsx";
import { Button } from "#ui/components/ui/button.tsx";
import { ApiError, client } from "#ui/lib/api.ts";
import { cn } from "#ui/lib/cn.ts";
import {
  canUsePasskeys,
  passkeyProblem,
  passkeyScreenTexts,
  takePasskey,
  useCeremony,
} from "#ui/lib/passkeys.ts";
import { useHydrated } from "#ui/lib/use-load.ts";
import { enter } from "./arrivals.ts";
import { authScreenTexts as texts } from "./texts.ts";

/** The button that signs in with a passkey. Where the browser can, passkeys are offered in the email field, too. */
export const PasskeySignIn = () => {
  const isHydrated = useHydrated();
  const ceremony = useCeremony((signal) => signIn(signal), texts.passkeyFailed);
  const offerProblem = useOffer(ceremony.isBusy);
  if (isHydrated && !canUsePasskeys()) return null;
  return (
    // Made ahead of time it keeps its room: nothing below moves where the browser can.
    <div className={cn("mt-3", !isHydrated && "invisible noscript:hidden")}>
      <PasskeyButton
        {...ceremony}
        problem={ceremony.problem ?? offerProblem}
        label={texts.signInWithPasskey}
        variant="outline"
      />
    </div>
  );
};

type PasskeyButtonProps = Pick<ReturnType<typeof useCeremony>, "isBusy" | "problem" | "cancel"> & {
  /** What a press does, unless the button submits a form. */
  start?: () => void;
  submits?: { form: string; name: string; value: string };
  label: string;
  variant: "default" | "outline";
};

/** A button that waits for an authenticator: what went wrong is above it, and the wait can be canceled. */
export const PasskeyButton = ({
  isBusy,
  problem,
  start,
  cancel,
  submits,
  label,
  variant,
}: PasskeyButtonProps) => (
  <div className="grid gap-3">
    {problem !== null && <Alert severity="error">{problem}</Alert>}
    <Button
      variant={variant}
      size="lg"
      isBusy={isBusy}
      onClick={start}
      {...(submits && { ...submits, type: "submit" })}
    >
      {!isBusy && <FingerprintPattern aria-hidden="true" />}
      {label}
    </Button>
    <p role="status" className="text-center text-muted-foreground text-[0.8125rem] empty:hidden">
      {isBusy && passkeyScreenTexts.waiting}
    </p>
    {isBusy && (
      <Button variant="link" size="inline" onClick={cancel} className="justify-self-center">
        {passkeyScreenTexts.cancel}
      </Button>
    )}
  </div>
);

const signIn = async (signal: AbortSignal, mediation?: CredentialMediationRequirement): Promise<void> => {
  const { data } = await client.auth.beginPasskey();
  const answer = await takePasskey(data, signal, mediation);
  enter((await client.auth.loginWithPasskey(answer)).user);
};

/** Has the browser offer passkeys in the field that asks for it by `autocomplete`: it has one request at a time. */
const useOffer = (isPaused: boolean): string | null => {
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (isPaused) return;
    const own = new AbortController();
    const run = async (): Promise<void> => {
      try {
        await offer(own.signal);
      } catch (error) {
        // Nobody has asked for it: only what the server refuses concerns the reader.
        if (!(error instanceof ApiError) || error.code !== "PASSKEY_REFUSED") return;
        setProblem(passkeyProblem(error, texts.passkeyFailed));
        await run();
      }
    };
    void run();
    return () => own.abort();
  }, [isPaused]);
  return isPaused ? null : problem;
};

const offer = async (signal: AbortSignal): Promise<void> => {
  if (!canUsePasskeys() || !(await PublicKeyCredential.isConditionalMediationAvailable())) return;
  await signIn(signal, "conditional");
};
