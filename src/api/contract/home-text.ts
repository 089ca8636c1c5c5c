/** The text of a home page of sections that no one has written yet: true of every site, whatever it is for. */
export const builtInHomeText = `## Your own account

Sign in on any device: what you do here is kept in your account.

## Safe sign-in

Use a passkey or a password, and protect your account with a second factor.

## Your devices

See where you are signed in, and sign out any device that you don't recognize.

## Your data

Download what is stored about you, or delete your account, whenever you want.

## Light and dark

Read in the theme that suits you, on a phone or a large screen.

## Need help?

Questions, ideas or something that isn't working? [Write to us](/contact).
`;

/** A text in Markdown at its headings of the second level: what is before the first, then each with what follows it. */
export const homeSections = (markdown: string): { lead: string; sections: string[] } => {
  const [lead = "", ...sections] = markdown
    .split("\n")
    .reduce<{ parts: string[][]; isCode: boolean }>(
      ({ parts, isCode }, line) => {
        if (!isCode && /^##[ \t]/.test(line)) parts.push([]);
        parts.at(-1)?.push(line);
        return { parts, isCode: /^ {0,3}(?:```|~~~)/.test(line) ? !isCode : isCode };
      },
      { parts: [[]], isCode: false },
    )
    .parts.map((lines) => lines.join("\n").trim());
  return { lead, sections };
};

/** The heading of such a section. */
export const sectionTitle = (section: string): string =>
  (section.split("\n")[0] ?? "").replace(/^##[ \t]+/, "").replace(/[ \t]+#*[ \t]*$/, "");

/** The text with one of its sections, counted from 0, before the one above it. */
export const withSectionUp = (markdown: string, at: number): string => {
  const { lead, sections } = homeSections(markdown);
  const moved = sections.flatMap((section, place) => {
    if (place === at - 1) return [sections[at] ?? [], section].flat();
    return place === at && at > 0 ? [] : [section];
  });
  return [lead, ...moved].filter(Boolean).join("\n\n");
};
