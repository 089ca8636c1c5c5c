import type { FrontendApi } from "../atrium-plugin.d.ts";

/** Something to try: `run` answers with what is shown, `field` is what can be typed for it. */
export type Try = {
  label: string;
  field?: { label: string; type: "text" | "email" | "number"; value: string };
  run: (api: FrontendApi, typed: string) => unknown;
};

/** A part of what a plugin can do: its place in the page, words, buttons, and the files behind it. */
export type Part = { id: string; title: string; text: string; tries: Try[]; files: string[] };
