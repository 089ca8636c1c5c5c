import type { siteParts } from "#contract/site-settings.ts";

/** Words of the page that says what the site is called and how it looks. */
export const sitePageTexts = {
  title: "Site",
  lead: "What this site is called, how it looks and who runs it. Pages and emails follow within a second of saving.",
  parts: {
    look: { name: "Name and look", lead: "Used on every page, in browser tabs and in emails." },
    images: {
      name: "Images",
      lead: "Your browser draws every size that is needed. They are used once you save.",
    },
    operator: {
      name: "Who runs it",
      lead: "The person or company behind the site, and how users reach them.",
    },
    pages: {
      name: "Pages and texts",
      lead: "The home page, and your own words in place of the built-in texts.",
    },
    docs: { name: "Documentation", lead: "The documentation of the program and the description of its API." },
  },
  history: "History",
  historyLead: "Who changed what here, newest first. Each change can be reverted.",
  preview: "Preview",
  openPreview: "Preview",
  previewLead: "How pages and emails look once this is saved.",
  themes: {
    light: "Light theme: browser tab, header, buttons and email",
    dark: "Dark theme: browser tab, header, buttons and email",
  },
  programsHome: "The home page still presents the program",
  programsHomeText: (name: string) =>
    `Visitors of ${name || "your site"} would see the program's landing page. A home page of your own shows name, tagline and sections that you write.`,
  useOwnHome: "Use a home page of your own",
  sectionOrder: "Order of the sections",
  moveUp: (title: string) => `Move up: ${title}`,
  moveDown: (title: string) => `Move down: ${title}`,
  editGeneral: "Edit the general text",
  choose: "Choose image",
  chooseOther: "Choose another image",
  remove: "Remove",
  chosen: (label: string) => `${label}, as it is chosen`,
  fileOf: (label: string) => `File for: ${label}`,
  uploadFailed: "The image could not be uploaded. Please try again.",
  noImage: "The browser can't read this file as an image. Choose a PNG, JPEG, WebP or SVG image.",
  notDrawn: "The browser could not draw this image. Choose another one.",
  tooLarge: "This file is larger than 20 MB. Choose a smaller image.",
  iconTooSmall: "This image is too small for an icon. Choose one of at least 192 by 192 pixels.",
  sample: { menu: "About", link: "A link", button: "Register", mail: "Verify your email address" },
} as const satisfies Record<string, unknown> & { parts: Record<(typeof siteParts)[number], object> };
