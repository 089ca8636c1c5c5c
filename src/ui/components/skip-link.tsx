import { contentId } from "#ui/lib/use-route-change.ts";

/** The first stop of the Tab key: leaps over the menus to the content. */
export const SkipLink = () => (
  <a
    href={`#${contentId}`}
    className="-translate-y-24 fixed top-3 left-3 z-50 rounded-md bg-primary px-4 py-2.5 font-medium text-primary-foreground text-sm focus:translate-y-0"
  >
    Skip to content
  </a>
);
