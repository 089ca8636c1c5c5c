/** An authenticator of the browser that answers when a test says so. */
export type ScriptedAuthenticator = {
  /** What the page sends on as the answer. */
  answer: object;
  /** Answers what is waiting. */
  answers(): void;
  /** Has what is waiting fail with a DOM exception of this name. */
  fails(name: string): void;
  /** How it was asked so far, and how many requests ended before an answer. */
  asked: string[];
  aborted: number;
  /** What the browser was told of passkeys that are none anymore. */
  forgotten: unknown[];
};

/** Takes the functions for passkeys away again, once a test has ended. */
export const withoutAuthenticator = (): void => {
  Reflect.deleteProperty(globalThis, "PublicKeyCredential");
  Reflect.deleteProperty(navigator, "credentials");
};

/**
 * Gives the window of a test the browser's functions for passkeys, until the test ends. With `offersInFields` the browser offers
 * passkeys in fields that ask for it.
 */
export const withAuthenticator = ({ offersInFields = false } = {}): ScriptedAuthenticator => {
  const forgotten: unknown[] = [];
  const answer = { id: "AAAA", response: {} };
  let waiting: PromiseWithResolvers<unknown> | null = null;
  class Credential {
    static parseCreationOptionsFromJSON = (options: object) => options;
    static parseRequestOptionsFromJSON = (options: object) => options;
    static isConditionalMediationAvailable = async () => offersInFields;
    static signalUnknownCredential = async (what: unknown) => void forgotten.push(what);
    toJSON = () => answer;
  }
  const ask = ({ mediation = "optional", signal }: { mediation?: string; signal: AbortSignal }) => {
    waiting = Promise.withResolvers();
    device.asked.push(mediation);
    signal.addEventListener("abort", () => {
      device.aborted += 1;
    });
    return waiting.promise;
  };
  Object.assign(globalThis, { PublicKeyCredential: Credential });
  Object.defineProperty(navigator, "credentials", { value: { create: ask, get: ask }, configurable: true });
  const device: ScriptedAuthenticator = {
    ...{ answer, forgotten, asked: [], aborted: 0 },
    answers: () => waiting?.resolve(new Credential()),
    fails: (name) => waiting?.reject(new DOMException("", name)),
  };
  return device;
};
