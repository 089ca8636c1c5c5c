import type { FrontendApi } from "../atrium-plugin.d.ts";
import { buttonLook, element } from "./element.ts";
import { type Part, runTry, sourceOf, type Try } from "./part.ts";
import { sources } from "./sources.ts";
import { texts } from "./texts.ts";

/** A part of the page: a description, buttons to try it, the result, and its source. */
export const partView = (part: Part, api: FrontendApi): HTMLElement => {
  // The element exists from the start so that screen readers announce its changes.
  const answer = element("div", {
    className: "empty:-mt-3",
    role: "status",
    "aria-label": texts.answerOf(part.title),
  });
  const show = (text: string) => answer.replaceChildren(code(text));
  const id = `part-${part.id}`;
  return element(
    "section",
    {
      id,
      className: "grid min-w-0 gap-3 rounded-lg border border-border bg-card p-4 text-card-foreground sm:p-5",
      "aria-labelledby": `${id}-title`,
    },
    element("h2", {
      id: `${id}-title`,
      className: "text-base font-semibold",
      tabindex: -1,
      text: part.title,
    }),
    element("p", { className: "max-w-prose text-sm leading-6 text-muted-foreground", text: part.text }),
    element(
      "div",
      { className: "flex flex-wrap items-end gap-2" },
      ...part.tries.map((one) => tryView(one, api, show)),
    ),
    answer,
    sourceView(
      texts.buttons,
      part.tries.map((one) => `// ${one.label}\n${sourceOf(one, one.field?.value ?? "")}`).join("\n\n"),
    ),
    ...part.files.map((path) => sourceView(path, sources.get(path) ?? "")),
  );
};

const tryView = (one: Try, api: FrontendApi, show: (text: string) => void): HTMLElement => {
  const { field } = one;
  const input =
    field &&
    element("input", {
      type: field.type,
      value: field.value,
      className:
        "h-11 w-44 rounded-md border border-input bg-card px-3 text-sm text-foreground outline-none focus-visible:ring-2 focus-visible:ring-ring sm:h-9",
    });
  const button = element("button", {
    type: "button",
    className: buttonLook,
    text: one.label,
    onClick: async () => {
      button.disabled = true;
      try {
        show(JSON.stringify((await runTry(one, api, input?.value ?? "")) ?? null, null, 2));
      } catch (error) {
        show(texts.refused(error));
      } finally {
        button.disabled = false;
        button.focus();
      }
    },
  });
  if (field === undefined || input === undefined) return button;
  const label = element(
    "label",
    { className: "grid gap-1 text-xs text-muted-foreground", text: field.label },
    input,
  );
  return element("div", { className: "flex items-end gap-2" }, label, button);
};

const sourceView = (title: string, source: string): HTMLElement =>
  element(
    "details",
    { className: "min-w-0 text-sm" },
    element("summary", {
      className:
        "min-h-11 cursor-pointer content-center rounded-sm text-muted-foreground outline-none hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring sm:min-h-8",
      text: title,
    }),
    code(source),
  );

/** Focusable, so that wide content can be scrolled with the keyboard. */
const code = (text: string): HTMLElement =>
  element("pre", {
    className:
      "overflow-x-auto rounded-md bg-muted p-3 font-mono text-foreground text-xs leading-5 outline-none focus-visible:ring-2 focus-visible:ring-ring",
    tabindex: 0,
    text,
  });
