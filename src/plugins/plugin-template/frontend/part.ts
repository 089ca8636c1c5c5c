import type { FrontendApi, Json, Method } from "../atrium-plugin.d.ts";

/** What can be typed for something to try. */
export type TryField = { label: string; type: "text" | "email" | "number"; value: string };

/** A call of one of the plugin's own routes. */
export type TryCall = {
  label: string;
  field?: TryField;
  call: readonly [method: Method, path: string];
  body?: Json | ((typed: string) => Json);
};

/** Something else that a page can do: `source` is what is shown of it. */
export type TryAct = {
  label: string;
  field?: TryField;
  source: string;
  act: (api: FrontendApi, typed: string) => unknown;
};

/** Something to try. */
export type Try = TryCall | TryAct;

/** A part of what a plugin can do: its place in the page, words, buttons, and the files behind it. */
export type Part = { id: string; title: string; text: string; tries: Try[]; files: string[] };

/** Does it; resolves to what is shown of the answer. */
export const runTry = async (one: Try, api: FrontendApi, typed: string): Promise<unknown> =>
  "act" in one ? one.act(api, typed) : api.call(...one.call, bodyOf(one, typed));

/** How a page does the same, in its own source. */
export const sourceOf = (one: Try, typed: string): string => {
  if ("act" in one) return one.source;
  const body = bodyOf(one, typed);
  const args = [...one.call, ...(body === undefined ? [] : [body])];
  return `await api.call(${args.map((arg) => JSON.stringify(arg)).join(", ")});`;
};

const bodyOf = ({ body }: TryCall, typed: string): Json | undefined =>
  typeof body === "function" ? body(typed) : body;
