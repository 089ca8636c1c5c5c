/** Each answer of the plugin's routes below `/api/firewall` that went well; all of them are for admins. */
export type Answer<T> = { success: true; message: string; data: T };

/** A call that did not: `errors` where fields are at fault; `data.line…` as the call says. */
export type Refusal = {
  success: false;
  code: string;
  message: string;
  requestId: string;
  errors?: { path: string; message: string }[];
};

export type { Switches } from "./switches.ts";
export type * from "./wire/rules.ts";
export type * from "./wire/watch.ts";
