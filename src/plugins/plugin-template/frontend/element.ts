type Props = { className?: string; text?: string; onClick?: () => void } & { [attribute: string]: unknown };

/** Creates an element with attributes, a text and children. */
export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  { className = "", text, onClick, ...attributes }: Props = {},
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const made = document.createElement(tag);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  if (onClick !== undefined) made.addEventListener("click", onClick);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : String(value));
  made.append(...inside);
  return made;
};

/** The classes of buttons. */
export const buttonLook =
  "h-11 cursor-pointer rounded-md border border-border bg-card px-3.5 text-sm font-medium text-foreground outline-none hover:bg-accent focus-visible:ring-2 focus-visible:ring-ring disabled:opacity-55 sm:h-9";
