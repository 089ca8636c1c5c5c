import showCalls from "swagger-ui-dist/swagger-ui-es-bundle.js";
import { documentToShow } from "./document-to-show.ts";
import { apiPageTexts as texts } from "./texts.ts";

/* The script of the page that describes the API: reads the description and lets Swagger UI draw it. */

const nothing = () => null;

const show = async (domNode: Element, notice: Element): Promise<void> => {
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
      // The page has a heading of its own, and calls go to one place alone.
      plugins: [{ components: { InfoContainer: nothing, ServersContainer: nothing } }],
      onComplete: () => {
        notice.textContent = "";
        document.documentElement.dataset.calls = "shown";
      },
    });
  } catch {
    // Whatever it was, the remedy is the same; the browser's console has the cause.
    notice.textContent = texts.failed;
  }
};

const [calls, notice] = ["calls", "notice"].map((id) => document.getElementById(id));
if (calls && notice) void show(calls, notice);
