import type { FrameFrontend, FrontendApi } from "../atrium-plugin.d.ts";
import { name, version } from "../plugin.json";
import { element } from "./element.ts";
import { partView } from "./part-view.ts";
import { parts } from "./parts.ts";
import { texts } from "./texts.ts";

const frontend: FrameFrontend = {
  name,
  version,
  mount(root, api) {
    const views = new Map(parts.map((part) => [`/${part.id}`, partView(part, api)]));
    const links = new Map([
      ["", linkTo("", texts.all, api)],
      ...parts.map(({ id, title }) => [`/${id}`, linkTo(`/${id}`, title, api)] as const),
    ]);
    const unknown = element("p", {
      className: "text-sm text-muted-foreground",
      role: "status",
      text: texts.unknown,
    });
    const show = (path: string) => {
      const isKnown = links.has(path);
      unknown.hidden = isKnown;
      for (const [place, view] of views) view.hidden = isKnown && path !== "" && path !== place;
      for (const [place, link] of links)
        if (place === path) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    };
    show(api.path);
    api.on("path", show);
    root.append(
      element(
        "main",
        { className: "grid gap-5 pb-1 text-foreground" },
        element("p", { className: "max-w-prose text-sm leading-6 text-muted-foreground", text: texts.lead }),
        element("nav", { className: "flex flex-wrap gap-1", "aria-label": texts.parts }, ...links.values()),
        unknown,
        ...views.values(),
      ),
    );
  },
};

const linkTo = (path: string, title: string, api: FrontendApi): HTMLAnchorElement => {
  const link = element("a", {
    // The host navigates: a frame's own URL does not show in the address bar.
    href: `#part-${path.slice(1)}`,
    className:
      "inline-flex min-h-11 items-center rounded-md px-2.5 text-sm text-muted-foreground outline-none hover:bg-accent hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring aria-[current=page]:bg-accent aria-[current=page]:text-foreground sm:min-h-8",
    text: title,
  });
  link.addEventListener("click", (event) => {
    event.preventDefault();
    api.navigate(path === "" ? "/" : path);
  });
  return link;
};

export default frontend;
