import type { ComponentType } from "react";
import { markOf, type OwnTextPath, ownTexts } from "#contract/site.ts";
import { useSite } from "#ui/lib/site.ts";
import { legalTitles } from "./legal/legal-document.ts";
import { aboutTexts } from "./texts.ts";

/** The page with a text that admins wrote, once the text is there; rejects when it cannot be loaded. */
export const loadOwnTextPage = async (path: OwnTextPath): Promise<ComponentType> => {
  const html = await ownMarkup(path, ownTexts[path]);
  return () => <OwnTextPage path={path} html={html} />;
};

const OwnTextPage = ({ path, html }: { path: OwnTextPath; html: string }) => {
  const { name } = useSite();
  return (
    <article className="wrap-anywhere mx-auto w-full max-w-[70rem] px-4 py-14 sm:px-6 sm:py-20">
      <h1 className="font-semibold text-3xl tracking-[-0.025em]">
        {path === "/about" ? aboutTexts.title(name) : legalTitles[path]}
      </h1>
      <OwnMarkup html={html} className="mt-8 max-w-[42rem] border-border border-t pt-2" />
    </article>
  );
};

const elementId = "own-text";

/** Markup of a text of the site's own, which the server made of Markdown. */
export const OwnMarkup = ({ html, className }: { html: string; className: string }) => (
  <div
    id={elementId}
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the server lets no markup of admins through (own-text.ts).
    dangerouslySetInnerHTML={{ __html: html }}
    className={className}
  />
);

/**
 * The markup at a path: a mark while pages are rendered ahead of time, what is in this document where it is that page, and
 * otherwise what is in the page that the server has there.
 */
export const ownMarkup = async (path: string, setting: string): Promise<string> => {
  if (typeof document === "undefined") return markOf(setting);
  if (path === location.pathname) {
    const here = document.getElementById(elementId);
    if (here !== null) return here.innerHTML;
  }
  const response = await fetch(path);
  const html = await response.text();
  // Its head has a style sheet that the policy of this page does not know.
  const page = new DOMParser().parseFromString(html.slice(html.indexOf("<main")), "text/html");
  const found = page.getElementById(elementId);
  if (found === null) throw new Error(`there is no text at ${path}`);
  return found.innerHTML;
};
