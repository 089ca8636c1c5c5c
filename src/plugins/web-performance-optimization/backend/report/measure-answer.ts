import { trialHeader, trialValue } from "../answers/trial.ts";
import type { SwitchName } from "../wire.ts";
import type { Address } from "./measured-addresses.ts";

/** One answer: what went over the wire for it, and how long that took. */
export type Sample = { bytes: number; ms: number; headers: Headers; status: number };

/** Asks an address as a browser does. Throws an `Error` whose message is for admins. */
export type MeasureAnswer = (
  address: Address,
  only: SwitchName | null,
  more?: Record<string, string>,
) => Promise<Sample>;

/** Sends a request. */
export type Fetch = (url: string, init: BunFetchRequestInit) => Promise<Response>;

type MeasureOptions = { origin: string; secret: string; fetch: Fetch; signal: AbortSignal };

/** Makes requests to the application's own origin, each with one switch on for it alone, or none. */
export const createMeasureAnswer = ({
  origin,
  secret,
  fetch: send,
  signal,
}: MeasureOptions): MeasureAnswer => {
  const ask = async ({ path, headers }: Address, only: SwitchName | null, more: Record<string, string>) => {
    const started = performance.now();
    // Undecoded bytes are those that travel.
    const answer = await send(`${origin}${path}`, {
      headers: { ...headers, ...more, [trialHeader]: trialValue(secret, only) },
      redirect: "manual",
      decompress: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    });
    const body = await answer.arrayBuffer();
    const ms = performance.now() - started;
    return { bytes: body.byteLength + headBytes(answer), ms, headers: answer.headers, status: answer.status };
  };
  return async (address, only, more = {}) => {
    const sample = await ask(address, only, more).catch((error) => {
      if (signal.aborted) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${origin}${address.path} could not be reached from this server: ${reason}`);
    });
    if (sample.status === 429) throw new LimitReached();
    if (sample.status !== 200 && sample.status !== 304)
      throw new Error(`${address.path} answered with status ${sample.status}`);
    if (sample.headers.get(trialHeader) !== (only ?? "none"))
      throw new Error(
        `${origin} is answered by another server, or something before this one removes ${trialHeader}: what the switches do cannot be measured from here`,
      );
    return sample;
  };
};

/** The limit on requests has been reached: the rest of the calls cannot be measured now. */
export class LimitReached extends Error {}

/** The header lines as HTTP/1.1 sends them. */
const headBytes = ({ headers, status, statusText }: Response): number => {
  let bytes = `HTTP/1.1 ${status} ${statusText}\r\n\r\n`.length;
  for (const [name, value] of headers) if (name !== trialHeader) bytes += name.length + value.length + 4;
  return bytes;
};
