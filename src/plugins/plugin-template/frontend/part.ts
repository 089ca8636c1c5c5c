import type { FrontendApi, Json, Method } from "../atrium-plugin.d.ts";

/** An input next to a button. */
export type TryField = { label: string; type: "text" | "email" | "number"; value: string };

/** A button that calls one of the plugin's routes. */
export type TryCall = {
  label: string;
  field?: TryField;
  call: readonly [method: Method, path: string];
  body?: Json | ((typed: string) => Json);
};

/** A button that does something else; the page shows `source` as its code. */
export type TryAct = {
  label: string;
  field?: TryField;
  source: string;
  act: (api: FrontendApi, typed: string) => unknown;
};

/** A button to try something. */
export type Try = TryCall | TryAct;

/** One capability of plugins: its path on the page, texts, buttons, and source files. */
export type Part = { id: string; title: string; text: string; tries: Try[]; files: string[] };

/** Runs it; resolves to the result to show. */
export const runTry = async (one: Try, api: FrontendApi, typed: string): Promise<unknown> =>
  "act" in one ? one.act(api, typed) : api.call(...one.call, bodyOf(one, typed));

/** The code that a page needs to do the same. */
export const sourceOf = (one: Try, typed: string): string => {
  if ("act" in one) return one.source;
  const body = bodyOf(one, typed);
  const args = [...one.call, ...(body === undefined ? [] : [body])];
  return `await api.call(${args.map((arg) => JSON.stringify(arg)).join(", ")});`;
};

const bodyOf = ({ body }: TryCall, typed: string): Json | undefined =>
  typeof body === "function" ? body(typed) : body;
