import showCalls, { type PartProps } from "swagger-ui-dist/swagger-ui-es-bundle.js";
import { documentToShow, whyUnread } from "./document-to-show.ts";
import { apiPageTexts as texts } from "./texts.ts";

/**
 * Gives names to those of Swagger UI's controls that have none, or all the same, and makes examples that scroll reachable
 * by keyboard: in what there is below `place`, and in all that comes.
 */
const nameControls = (place: Element): void => {
  const nameAll = () => {
    for (const [selector, nameOf] of Object.entries(names))
      for (const control of place.querySelectorAll<HTMLElement>(`${selector}:not([aria-label])`))
        control.setAttribute("aria-label", nameOf(control));
    for (const example of place.querySelectorAll<HTMLElement>(".highlight-code pre:not([tabindex])"))
      example.tabIndex = 0;
  };
  nameAll();
  new MutationObserver(nameAll).observe(place, { childList: true, subtree: true });
};

const names: Record<string, (control: HTMLElement) => string> = {
  ".operation-filter-input": () => texts.filter,
  ".close-modal": () => texts.close,
  ".body-param textarea": () => texts.body,
  ".expand-operation": (button) => button.closest<HTMLElement>("[data-tag]")?.dataset.tag ?? "",
  "[data-param-name] :is(input, select, textarea)": (field) =>
    field.closest<HTMLElement>("[data-param-name]")?.dataset.paramName ?? "",
};

const nothing = () => null;

/** What this page draws in another way than Swagger UI does. */
const ownParts = {
  components: {
    // The page has a heading of its own, and calls go to one place alone.
    InfoContainer: nothing,
    ServersContainer: nothing,
    // A link within the button that unfolds a call is two controls in one; the address follows the button as well.
    DeepLink: ({ text }: PartProps) => text,
  },
};

/* The script of the page that describes the API: reads the description and lets Swagger UI draw it. */

type Place = { domNode: Element; notice: Element; again: HTMLElement };

const show = async ({ domNode, notice, again }: Place): Promise<void> => {
  notice.textContent = texts.reading;
  again.hidden = true;
  let answer: Response | null = null;
  try {
    answer = await fetch("/swagger/json");
    if (!answer.ok) throw new Error(`answered with ${answer.status}`);
    showCalls({
      spec: documentToShow(await answer.json(), location.origin),
      domNode,
      deepLinking: true,
      docExpansion: "list",
      filter: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: -1,
      validatorUrl: null,
      // Its colors are for a dark ground alone.
      syntaxHighlight: { activated: false },
      plugins: [ownParts],
      onComplete: () => {
        notice.textContent = "";
        answersNow();
      },
    });
  } catch (error) {
    // Anyone who looks for more of the cause finds it in the browser's console.
    console.error(error);
    notice.textContent = whyUnread(answer);
    again.hidden = false;
    answersNow();
  }
};

/** Says what other pages say when they answer to their reader. */
const answersNow = () => document.dispatchEvent(new Event("atrium:ready"));

const [domNode, notice, again] = ["calls", "notice", "again"].map((id) => document.getElementById(id));
if (domNode && notice && again) {
  const place = { domNode, notice, again };
  nameControls(domNode);
  again.addEventListener("click", () => {
    // The button goes, and would take the focus with it.
    document.querySelector("main")?.focus();
    void show(place);
  });
  void show(place);
}
