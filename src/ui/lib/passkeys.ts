import { useEffect, useRef, useState } from "react";
import { timers } from "#contract/limits.ts";
import { passkeyHost } from "#contract/passkeys.ts";
import { ApiError, failureText } from "./api.ts";

/** Whether this browser makes and uses passkeys for pages at this address. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === "function" &&
  "parseRequestOptionsFromJSON" in PublicKeyCredential &&
  passkeyHost(location.href) !== null;

/** A challenge of the server. */
type Begun = { ceremony: string; options: Record<string, unknown> };

/** What the server is sent for it. */
export type PasskeyAnswer = { ceremony: string; response: Record<string, unknown> };

/** Has the browser make a passkey. */
export const makePasskey = ({ ceremony, options }: Begun, signal: AbortSignal): Promise<PasskeyAnswer> => {
  // The server made them for this very function.
  const json = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
  return answer(ceremony, navigator.credentials.create({ publicKey, signal }), signal);
};

/** Has the browser ask for a passkey: at once, or when the reader chooses one in a field (`conditional`). */
export const takePasskey = (
  { ceremony, options }: Begun,
  signal: AbortSignal,
  mediation: CredentialMediationRequirement = "optional",
): Promise<PasskeyAnswer> => {
  const json = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
  return answer(ceremony, navigator.credentials.get({ publicKey, signal, mediation }), signal);
};

/** Some browsers go on waiting for an authenticator, whatever the signal says. */
const answer = async (
  ceremony: string,
  asked: Promise<Credential | null>,
  signal: AbortSignal,
): Promise<PasskeyAnswer> => {
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  const credential = await Promise.race([asked, aborted]);
  if (!(credential instanceof PublicKeyCredential)) throw new Error("no passkey came");
  return { ceremony, response: { ...credential.toJSON() } };
};

/** Tells the authenticator, where the browser can, that a passkey is none anymore. */
export const forgetPasskey = async (rpId: string, credentialId: string): Promise<void> => {
  try {
    await PublicKeyCredential.signalUnknownCredential({ rpId, credentialId });
  } catch {
    // Most can't: the authenticator then goes on offering it, and the server refuses it.
  }
};

/** State of something that waits for an authenticator: it can be canceled, and is given up after two minutes. */
export const useCeremony = (work: (signal: AbortSignal) => Promise<void>, fallback: string) => {
  const [state, setState] = useState<{ isBusy: boolean; problem: string | null }>(idle);
  const running = useRef<AbortController | null>(null);
  const cancel = () => running.current?.abort();
  useEffect(() => () => running.current?.abort(), []);
  const start = async () => {
    cancel();
    const own = new AbortController();
    running.current = own;
    const timer = setTimeout(() => own.abort(new DOMException("", "TimeoutError")), timers.passkeyMs);
    setState({ isBusy: true, problem: null });
    try {
      await work(own.signal);
      setState(idle);
    } catch (error) {
      setState({ isBusy: false, problem: passkeyProblem(error, fallback) });
    } finally {
      clearTimeout(timer);
    }
  };
  return { ...state, start: () => void start(), cancel };
};

const idle = { isBusy: false, problem: null };

/** The sentence for a failed try; `null` when the reader canceled it here. */
export const passkeyProblem = (error: unknown, fallback: string): string | null => {
  if (error instanceof ApiError) return failureText(error, fallback);
  const name: unknown = Reflect.get(Object(error), "name");
  if (name === "AbortError") return null;
  return problems.find(([known]) => known === name)?.[1] ?? fallback;
};

/** Words about passkeys that several screens say. */
export const passkeyScreenTexts = {
  waiting: "Follow the instructions of your browser or device.",
  cancel: "Cancel",
  exists: "This device already has a passkey for your account.",
  notAllowed:
    "The request was canceled or timed out, or this device has no matching passkey. Please try again.",
  wrongAddress: "Passkeys don't work at this address. Open the site under its usual address.",
  noAnswer: "Your device didn't respond. Please try again.",
} as const;

const problems: [name: string, text: string][] = [
  ["InvalidStateError", passkeyScreenTexts.exists],
  ["NotAllowedError", passkeyScreenTexts.notAllowed],
  ["SecurityError", passkeyScreenTexts.wrongAddress],
  ["TimeoutError", passkeyScreenTexts.noAnswer],
];
