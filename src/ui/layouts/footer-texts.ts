/** Words of the footer. */
export const footerTexts = {
  about: "About",
  aboutText:
    "Atrium is a starter for web applications: accounts, verified addresses and an admin area, with a database of its own, on your own machine.",
  quickLinks: "Quick Links",
  contact: "Contact",
  contactText: "Questions, plans, or something broken?",
  contactLink: "Write to us",
  social: "Tell others",
  licence: "Atrium, under the MIT licence",
} as const;

/** What is proposed to somebody who tells others about the site; its address follows. */
export const shareText = "Atrium: accounts and an admin area, ready to run";
