import type { OutboundAnswer } from "#api/adapters/outbound/create-outbound.ts";
import { ProviderFault } from "./provider-fault.ts";

/** The JSON of a good answer; `what` names it in the {@link ProviderFault} that anything else throws. */
export const readJson = ({ status, text }: OutboundAnswer, what: string): unknown => {
  if (status !== 200) throw new ProviderFault(`${what} answered with status ${status}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderFault(`${what} did not answer with JSON`);
  }
};

/** The JSON object of a good answer: see {@link readJson}. */
export const readObject = (answer: OutboundAnswer, what: string): object => {
  const value = readJson(answer, what);
  if (typeof value !== "object" || value === null)
    throw new ProviderFault(`${what} did not answer an object`);
  return value;
};

/** A text of that name, or `null` when there is none. */
export const textIn = (value: unknown, name: string): string | null => {
  const text: unknown = Reflect.get(Object(value), name);
  return typeof text === "string" ? text : null;
};
