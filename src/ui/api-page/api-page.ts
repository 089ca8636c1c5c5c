import showCalls from "swagger-ui-dist/swagger-ui-es-bundle.js";
import { documentToShow } from "./document-to-show.ts";
import { nameControls } from "./name-controls.ts";
import { ownParts } from "./own-parts.ts";
import { apiPageTexts as texts } from "./texts.ts";
import { whyUnread } from "./why-unread.ts";

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
      // Its colours are for a dark ground alone.
      syntaxHighlight: { activated: false },
      plugins: [ownParts],
      onComplete: () => {
        notice.textContent = "";
        answersNow();
      },
    });
  } catch (error) {
    // Whoever looks for more of the cause finds it in the browser's console.
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
