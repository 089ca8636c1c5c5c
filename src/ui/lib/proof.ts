import type { ProofWanted } from "#contract/proof.ts";
import { ApiError } from "./api-error.ts";

/** Asks the reader to confirm that it is them; resolves to whether they did. */
type Ask = (wanted: ProofWanted) => Promise<boolean>;

let host: Ask | null = null;
let asked: Promise<boolean> | null = null;
let confirmed = 0;

/** Has `ask` put the question from now on; returns how to stop. */
export const askProofWith = (ask: Ask): (() => void) => {
  host = ask;
  return () => {
    host = null;
  };
};

/**
 * Makes a call, and makes it again once the reader has confirmed that it is them, where the server wants that. However many
 * calls want it, there is one question. Who cancels gets the server's refusal. A confirmation gives the session another token:
 * a call that came too late with the old one is made again, too.
 */
export const withProof = async <T>(call: () => Promise<T>): Promise<T> => {
  const before = confirmed;
  try {
    return await call();
  } catch (error) {
    if (isLate(error) && ((await asked) || confirmed > before)) return call();
    const wanted = proofWantedIn(error);
    if (wanted === null || host === null) throw error;
    asked ??= host(wanted).finally(() => {
      asked = null;
    });
    if (!(await asked)) throw error;
    return call();
  }
};

/** Tells that the session has another token. */
export const reportConfirmed = (): void => {
  confirmed += 1;
};

const isLate = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

const proofWantedIn = (error: unknown): ProofWanted | null =>
  error instanceof ApiError && error.code === "REAUTHENTICATION_REQUIRED" && isProofWanted(error.data)
    ? error.data
    : null;

const isProofWanted = (data: unknown): data is ProofWanted =>
  Array.isArray(Reflect.get(Object(data), "ways"));
