import { Link } from "wouter";

type TabLinksProps<Name extends string> = {
  /** What is chosen between. */
  label: string;
  /** The tabs by name, in their order, in words. */
  tabs: Readonly<Record<Name, string>>;
  /** `null` where none of them is shown. */
  current: Name | null;
  addressOf: (name: NoInfer<Name>) => string;
};

/** The way from one list of a page to the others. They are links: each list has an address of its own. */
export const TabLinks = <Name extends string>({ label, tabs, current, addressOf }: TabLinksProps<Name>) => (
  <nav aria-label={label} className="flex gap-1 overflow-x-auto border-border border-b">
    {namesOf(tabs).map((name) => (
      <Link
        key={name}
        href={addressOf(name)}
        aria-current={name === current ? "page" : undefined}
        className="-mb-px inline-flex h-11 shrink-0 items-center border-transparent border-b-2 px-3 font-medium text-muted-foreground text-sm outline-none transition-colors hover:text-foreground focus-visible:ring-2 focus-visible:ring-ring focus-visible:ring-inset aria-[current=page]:border-primary aria-[current=page]:text-foreground md:h-9"
      >
        {tabs[name]}
      </Link>
    ))}
  </nav>
);

// Object.keys forgets its keys' type; the record has these and no others.
const namesOf = <Name extends string>(tabs: Readonly<Record<Name, string>>) => Object.keys(tabs) as Name[];
