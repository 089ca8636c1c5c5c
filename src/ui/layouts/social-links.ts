import { shareText } from "./footer-texts.ts";

/** A link of the footer to a social network. `address` is the site's own, empty as long as it is not known. */
export type SocialLink = { label: string; href: (address: string) => string };

/**
 * Social links of the footer. As delivered they let readers tell others about the site, because the software has no
 * accounts of its own; who runs the site puts theirs here: `{ label: "Mastodon", href: () => "https://…" }`.
 * They are links and nothing more: no script, picture or request of these networks is in any page.
 */
export const socialLinks: readonly SocialLink[] = [
  { label: "Mastodon", href: (address) => `https://share.joinmastodon.org/#text=${message(address)}` },
  { label: "Bluesky", href: (address) => `https://bsky.app/intent/compose?text=${message(address)}` },
  {
    label: "E-mail",
    href: (address) => `mailto:?subject=${encodeURIComponent(shareText)}&body=${encodeURIComponent(address)}`,
  },
];

const message = (address: string): string => encodeURIComponent(`${shareText} ${address}`.trim());
