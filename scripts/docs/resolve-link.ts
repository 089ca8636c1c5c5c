import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { projectRoot } from "../project-root.ts";

/** What links can lead to: the page of each document, and the anchors of each page. */
export type LinkTargets = {
  /** Address and title of the page that a document below the project folder became. */
  pages: ReadonlyMap<string, { path: string; title: string; anchors: ReadonlySet<string> }>;
};

/** `href` is `null` where a link leads to a file that is no page: its words stay, the link goes. */
export type ResolvedLink = { href: string | null } | { problem: string };

/** Where a link in the document `from` leads on the site. A document that is not there, or an anchor, is a problem. */
export const resolveLink = (from: string, link: string, { pages }: LinkTargets): ResolvedLink => {
  if (/^https?:\/\//.test(link)) return { href: link };
  if (/^[a-z]+:/.test(link)) return { problem: `${from}: ${link} is no address of the web` };
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? from : normalize(join(dirname(from), path));
  const page = pages.get(target);
  if (page === undefined) {
    // A build for an image lacks much of what is beside: that it is in the repository is for another test to say.
    if (!target.startsWith("docs/")) return { href: null };
    return existsSync(join(projectRoot, target))
      ? { href: null }
      : { problem: `${from}: nothing is at ${link}` };
  }
  if (anchor === undefined) return { href: page.path };
  if (!page.anchors.has(anchor)) return { problem: `${from}: ${target} has no heading for #${anchor}` };
  return { href: path === "" ? `#${anchor}` : `${page.path}#${anchor}` };
};
