import showCalls from "swagger-ui-dist/swagger-ui-es-bundle.js";
import { documentToShow } from "./document-to-show.ts";
import { nameControls } from "./name-controls.ts";
import { ownParts } from "./own-parts.ts";
import { apiPageTexts as texts } from "./texts.ts";

/* The script of the page that describes the API: reads the description and lets Swagger UI draw it. */

const show = async (domNode: Element, notice: Element): Promise<void> => {
  nameControls(domNode);
  notice.textContent = texts.reading;
  try {
    const answer = await fetch("/swagger/json");
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
    // Whatever it was, the remedy is the same; whoever looks for the cause finds it in the browser's console.
    console.error(error);
    notice.textContent = texts.failed;
    answersNow();
  }
};

/** Says what other pages say when they answer to their reader. */
const answersNow = () => document.dispatchEvent(new Event("atrium:ready"));

const [calls, notice] = ["calls", "notice"].map((id) => document.getElementById(id));
if (calls && notice) void show(calls, notice);
