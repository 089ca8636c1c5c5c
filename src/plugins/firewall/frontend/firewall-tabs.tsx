import { TabLinks } from "@atrium/plugin-sdk/ui";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { WindowApi } from "#plugins/sdk/frontend-types.ts";
import { pathOf, type SubPage } from "./place.ts";
import { texts } from "./texts.ts";

/** The ways to the sub-pages. Where a window is too narrow for all of them the current one is in sight, and arrows lead on. */
export const FirewallTabs = ({ api, page }: { api: WindowApi; page: SubPage | null }) => {
  const region = useRef<HTMLDivElement>(null);
  const [hidden, setHidden] = useState({ before: false, after: false });
  const scroller = () => region.current?.querySelector("nav") ?? null;

  useEffect(() => {
    const list = region.current?.querySelector("nav");
    if (list == null) return;
    const look = () => {
      const before = list.scrollLeft > 1;
      const after = list.scrollLeft + list.clientWidth < list.scrollWidth - 1;
      setHidden((known) => (known.before === before && known.after === after ? known : { before, after }));
    };
    const show = () => {
      const current = page === null ? null : list.querySelector("[aria-current=page]");
      if (current !== null) {
        const [tab, whole] = [current.getBoundingClientRect(), list.getBoundingClientRect()];
        list.scrollLeft += tab.left - whole.left - (whole.width - tab.width) / 2;
      }
      look();
    };
    // Also called at once, and when stylesheet and window make it wider or narrower.
    const sizes = new ResizeObserver(show);
    sizes.observe(list);
    list.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      list.removeEventListener("scroll", look);
    };
  }, [page]);

  const move = (direction: 1 | -1) => {
    const list = scroller();
    list?.scrollBy({ left: direction * list.clientWidth * 0.7, behavior: "smooth" });
  };
  return (
    <div ref={region} className="relative min-w-0">
      <TabLinks
        label={texts.parts}
        tabs={texts.tabs}
        current={page ?? "overview"}
        addressOf={(name) => api.addressOf(pathOf(name))}
      />
      {/* For pointers alone: the keyboard goes from link to link, and takes the list along. */}
      {hidden.before && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={texts.tabsBefore}
          onClick={() => move(-1)}
          className={`${edge} left-0 justify-start bg-linear-to-r`}
        >
          <ChevronLeft aria-hidden="true" className="size-4" />
        </button>
      )}
      {hidden.after && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={texts.tabsAfter}
          onClick={() => move(1)}
          className={`${edge} right-0 justify-end bg-linear-to-l`}
        >
          <ChevronRight aria-hidden="true" className="size-4" />
        </button>
      )}
    </div>
  );
};

const edge =
  "absolute top-0 flex h-full w-11 cursor-pointer items-center from-background from-40% to-transparent text-muted-foreground hover:text-foreground";
